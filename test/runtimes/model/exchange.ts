// What a model is asked and what it answers, whatever the API.

export interface ModelTool {
  readonly name: string;
  readonly properties: Readonly<Record<string, { readonly type?: unknown }>>;
  readonly required: readonly string[];
  /** A tool of the Responses API that takes free text. */
  readonly custom: boolean;
}

export interface ModelRequest {
  readonly api: 'anthropic' | 'chat' | 'responses';
  readonly model: string;
  readonly tools: readonly ModelTool[];
  /** System and developer text, for checks that instructions and skills arrived. */
  readonly system: string;
  /** What the program itself put into user messages, in the whole conversation. */
  readonly notes: string;
  /** What the person (or the supervisor) said since the model last spoke. */
  readonly userText: string;
  readonly lastUserText: string;
  /** Results of tool calls since the model last spoke. */
  readonly toolResults: readonly string[];
  /** The request as it came. */
  readonly body: Readonly<Record<string, unknown>>;
  /** How often the model has spoken in this conversation. */
  readonly spoken: number;
}

export interface ToolUse {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>> | string;
}

export type ModelReply =
  | {
      readonly kind: 'say';
      readonly text: string;
      readonly use?: ToolUse;
      /** Time over which the text is streamed. */
      readonly overMs?: number;
      /** Breaks the connection after half of the text. */
      readonly cut?: boolean;
    }
  | { readonly kind: 'fail'; readonly status: number };

/** Decides every answer. A request without tools is a side request (a title for the session) and is not asked here. */
export type ModelPlan = (request: ModelRequest) => ModelReply | Promise<ModelReply>;

const shells = ['Bash', 'bash', 'exec_command', 'shell_command', 'shell', 'local_shell', 'container.exec', 'exec'];

/** A shell command as a call of whichever shell tool was offered; null when there is none. */
export function shellUse(request: ModelRequest, command: string, { escalated = false } = {}): ToolUse | null {
  const tool = shells
    .map((name) => request.tools.find((each) => each.name === name))
    .find((each) => each !== undefined);
  if (tool === undefined) return null;
  if (tool.custom) {
    const call = JSON.stringify({ cmd: command });
    return {
      tool: tool.name,
      input: `const r = await tools.exec_command(${call}); text(typeof r === 'string' ? r : JSON.stringify(r));`,
    };
  }
  const input: Record<string, unknown> = {};
  if (tool.properties.cmd) input.cmd = command;
  else input.command = tool.properties.command?.type === 'array' ? ['bash', '-lc', command] : command;
  if (escalated && tool.properties.sandbox_permissions) {
    input.sandbox_permissions = 'require_escalated';
    input.justification = 'scripted escalation';
  }
  return { tool: tool.name, input: withRequired(tool, input) };
}

/** A new file written by the runtime's own tool for it, where it has one. */
export function writeUse(request: ModelRequest, path: string, content: string): ToolUse | null {
  const tool = request.tools.find((each) => /^write$/i.test(each.name));
  if (tool === undefined) return null;
  const pathKey = ['file_path', 'filePath', 'path'].find((key) => key in tool.properties) ?? 'path';
  return { tool: tool.name, input: withRequired(tool, { [pathKey]: path, content }) };
}

function withRequired(tool: ModelTool, given: Record<string, unknown>): Record<string, unknown> {
  const input = { ...given };
  for (const name of tool.required) {
    const type = tool.properties[name]?.type;
    input[name] ??= type === 'number' || type === 'integer' ? 1 : type === 'boolean' ? false : 'scripted';
  }
  return input;
}
