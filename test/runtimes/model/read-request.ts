// The three request formats, read into one.
import type { ModelRequest, ModelTool } from './exchange.ts';

type Json = Readonly<Record<string, unknown>>;

export function readAnthropic(body: Json): ModelRequest {
  const messages = list(body.messages);
  const blocks = sinceLast(messages, (message) => message.role === 'assistant').flatMap((message) =>
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : list(message.content),
  );
  return {
    api: 'anthropic',
    model: String(body.model),
    tools: list(body.tools).map((tool) => toolOf(tool.name, tool.input_schema)),
    system: textOf(body.system),
    body,
    notes: notesOf(messages),
    ...said(blocks.filter((block) => block.type === 'text')),
    toolResults: blocks.filter((block) => block.type === 'tool_result').map((block) => textOf(block.content)),
    spoken: messages.filter((message) => message.role === 'assistant').length,
  };
}

export function readChat(body: Json): ModelRequest {
  const messages = list(body.messages);
  const fresh = sinceLast(messages, (message) => message.role === 'assistant');
  return {
    api: 'chat',
    model: String(body.model),
    tools: list(body.tools).map((tool) => toolOf(record(tool.function).name, record(tool.function).parameters)),
    system: messages
      .filter((message) => message.role === 'system' || message.role === 'developer')
      .map((message) => textOf(message.content))
      .join('\n'),
    body,
    notes: notesOf(messages),
    ...said(fresh.filter((message) => message.role === 'user')),
    toolResults: fresh.filter((message) => message.role === 'tool').map((message) => textOf(message.content)),
    spoken: messages.filter((message) => message.role === 'assistant').length,
  };
}

export function readResponses(body: Json): ModelRequest {
  const items = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : list(body.input);
  const byModel = (item: Json) =>
    item.role === 'assistant' || /^(reasoning|(function|custom_tool|local_shell)_call)$/.test(String(item.type));
  const fresh = sinceLast(items, byModel);
  return {
    api: 'responses',
    model: String(body.model),
    tools: list(body.tools).map((tool) => ({ ...toolOf(tool.name, tool.parameters), custom: tool.type === 'custom' })),
    system: [
      textOf(body.instructions),
      ...items.filter((item) => item.role === 'developer').map((item) => textOf(item.content)),
    ].join('\n'),
    body,
    notes: notesOf(items),
    ...said(fresh.filter((item) => item.role === 'user')),
    toolResults: fresh.filter((item) => String(item.type).endsWith('_output')).map((item) => textOf(item.output)),
    spoken: items.filter(byModel).length,
  };
}

function sinceLast(messages: Json[], isModel: (message: Json) => boolean): Json[] {
  return messages.slice(messages.findLastIndex(isModel) + 1);
}

function toolOf(name: unknown, schema: unknown): ModelTool {
  const { properties, required } = record(schema);
  return {
    name: String(name),
    properties: record(properties) as ModelTool['properties'],
    required: Array.isArray(required) ? required.map(String) : [],
    custom: false,
  };
}

/** All that the person said, and the last of it alone: a program that was interrupted sends both messages. */
function said(messages: readonly Json[]): Pick<ModelRequest, 'userText' | 'lastUserText'> {
  const texts = messages.map((message) => withoutNotes(textOf(message))).filter((text) => text !== '');
  return { userText: texts.join('\n'), lastUserText: texts.at(-1) ?? '' };
}

const notes = /<(system-reminder|environment_context|user_instructions|permissions instructions)>[\s\S]*?<\/\1>/g;

/** Programs put notes of their own into user messages; they are not what the person said. */
function withoutNotes(text: string): string {
  return text.replaceAll(notes, '').trim();
}

function notesOf(messages: readonly Json[]): string {
  const all = messages.filter((message) => message.role === 'user').map((message) => textOf(message.content));
  return [...all.join('\n').matchAll(notes)].map((match) => match[0]).join('\n');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  const { text, content, output } = record(value);
  if (typeof text === 'string') return text;
  return content === undefined && output === undefined ? '' : textOf(content ?? output);
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(record) : [];
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
