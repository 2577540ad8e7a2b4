// config.json of a home. Everything has a default; a file that does not parse is named and left as it is.
import { z } from 'zod';
import { defaultTokens } from './approval-line.ts';
import { policySchema } from './policy.ts';
import { recordPolicies } from './record-policy.ts';
import { stageSchema } from './stage.ts';

export const runtimeNames = ['omp', 'claude', 'codex', 'opencode', 'scripted', 'generic'] as const;
export const runtimeNameSchema = z.enum(runtimeNames);
export type RuntimeName = (typeof runtimeNames)[number];

export const sandboxModes = ['auto', 'require', 'off'] as const;

const seconds = z.number().positive();

const namedDialogSchema = z.strictObject({
  /** Shown with the run: `trust`, `login`, `update`, ... */
  name: z.string().trim().min(1),
  /** Regular expression, in any case; looked for in the question that stands last on the screen. */
  pattern: z.string().refine(isPattern, 'not a regular expression'),
  /** What an operator may choose, and the keys for it, each written on its own: `["\u001b[B", "\r"]`. */
  choices: z.array(z.strictObject({ label: z.string().min(1), keys: z.array(z.string().min(1)).min(1) })).default([]),
});

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'i') instanceof RegExp;
  } catch {
    return false;
  }
}

export const runtimeConfigSchema = z.strictObject({
  kind: runtimeNameSchema,
  /** Program to start; default: the adapter's own, found on PATH. */
  program: z.string().optional(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  /** `generic` only: the text or escape sequence that shows it is ready, and how a message is submitted. */
  ready: z.string().optional(),
  submit: z.enum(['paste-enter', 'type-enter']).default('paste-enter'),
  /** `generic` only: arguments that continue a session; `{session}` is replaced. */
  resumeArgs: z.array(z.string()).optional(),
  /** `generic` only: what the program may ask instead of working. */
  dialogs: z.array(namedDialogSchema).default([]),
});
export type RuntimeConfig = z.infer<typeof runtimeConfigSchema>;

export const agentConfigSchema = z.strictObject({
  runtime: z.string(),
  model: z.string().optional(),
  /** Path of a file with instructions that are added to the main instructions. */
  instructions: z.string().optional(),
  /** Folders with `<name>/SKILL.md`, beside the seven skills of the workflow. */
  skills: z.array(z.string()).default([]),
  permissionMode: z.string().optional(),
  review: z.enum(['fresh', 'same']).default('fresh'),
});
export type AgentConfig = z.infer<typeof agentConfigSchema>;

export const automationSchema = z.strictObject({
  name: z.string().min(1),
  on: stageSchema,
  /** Program and arguments; gets the run as JSON on standard input. */
  command: z.array(z.string()).min(1).optional(),
  /** Starts a testing agent as a new run, from this task template. */
  startAgent: z.strictObject({ agent: z.string(), title: z.string(), description: z.string() }).optional(),
  timeoutSeconds: seconds.default(60),
});
export type Automation = z.infer<typeof automationSchema>;

export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  tokens: z
    .strictObject({
      development: z.string().trim().min(1).default(defaultTokens.development),
      testing: z.string().trim().min(1).default(defaultTokens.testing),
    })
    .default({ ...defaultTokens }),
  agents: z.record(z.string(), agentConfigSchema).default({}),
  runtimes: z.record(z.string(), runtimeConfigSchema).default({}),
  sandbox: z.enum(sandboxModes).default('auto'),
  /** Extra read-only and writable paths a session sees. */
  binds: z
    .strictObject({ readOnly: z.array(z.string()).default([]), writable: z.array(z.string()).default([]) })
    .default({ readOnly: [], writable: [] }),
  approvals: z
    .strictObject({
      signature: z.enum(['off', 'accept', 'require']).default('off'),
      allowedSigners: z.string().optional(),
      key: z.string().optional(),
    })
    .default({ signature: 'off' }),
  /** Policies of repositories that have no file of their own, by path of the clone. */
  repositories: z.record(z.string(), policySchema).default({}),
  notifications: z
    .strictObject({ bell: z.boolean().default(true), command: z.array(z.string()).optional() })
    .default({ bell: true }),
  automations: z.array(automationSchema).default([]),
  /**
   * Of runs that are started from now on: `masked` writes no known token shapes into the recording, `off` no output at all
   * (markers, sizes and exits are). What is live on the screen stays as it is.
   */
  record: z.enum(recordPolicies).default('full'),
  detachKey: z.string().default('C-]'),
  clipboard: z.enum(['drop', 'allow']).default('drop'),
  /** Sessions that may be in their start-up at once. */
  startAtOnce: z.number().int().min(1).max(32).default(4),
  /** A session that is not ready after so long has failed to start. */
  startDeadlineSeconds: seconds.default(60),
  /** Of each run: memory of all its processes together, and processes and threads at once. `doctor` says who keeps them. */
  limits: z
    .strictObject({ memoryMb: z.number().positive().optional(), processes: z.number().int().positive().optional() })
    .default({}),
});
export type Config = z.infer<typeof configSchema>;

export const defaultConfig: Config = configSchema.parse({});

/** The JSON Schema of config.json, for editors. */
export function configJsonSchema(): unknown {
  return z.toJSONSchema(configSchema, { io: 'input' });
}
