// The vocabulary in which a skill says what its artifacts must contain. A contract is data: sections, fields and named
// rules with parameters; the rules themselves are in rules/.
import { z } from 'zod';
import { artifactNames } from '../core/stage.ts';
import { evidenceKinds } from './facts.ts';

/** Applies only when a field of the same artifact has this value, or when an engine fact holds. */
const whenSchema = z.union([
  z.strictObject({ field: z.string(), is: z.string() }),
  z.strictObject({ fact: z.literal('visible') }),
]);
const when = whenSchema.optional();
const min = z.number().int().min(0).max(100).default(1);
const at = z.enum(['baseline', 'tree', 'either', 'anywhere']);
const per = z.enum(['scope', 'item']).default('scope');
const letter = z.string().regex(/^[A-Z]$/);
const heading = z.string().min(1);

export const ruleSchema = z.discriminatedUnion('rule', [
  /** A list; with `id: B` each item starts with `B1: `; with `none` the word None may stand instead. */
  z.strictObject({ rule: z.literal('items'), min, id: letter.optional(), none: z.boolean().default(false), when }),
  /** Evidence ids resolve, and at least `min` stand in the section or in each item. */
  z.strictObject({
    rule: z.literal('cites'),
    min,
    per,
    kinds: z.array(z.enum(evidenceKinds)).optional(),
    /** `listed`: listed under Evidence here; `diagnosis.md`: listed under Evidence there. */
    of: z.enum(['records', 'listed', 'diagnosis.md']).default('records'),
    when,
  }),
  /** `path:line` references exist, and at least `min` stand in the section or in each item. */
  z.strictObject({ rule: z.literal('places'), min, per, at, when }),
  /** Each list item starts with a path: `- path: text`. */
  z.strictObject({
    rule: z.literal('paths'),
    min,
    at,
    none: z.boolean().default(false),
    text: z.boolean().default(false),
    when,
  }),
  /** `### 1. Question`, options `- A: text`, `Recommended: A`; or None. */
  z.strictObject({ rule: z.literal('decisions'), when }),
  /** `Terminology: path` and a list of candidate wordings. */
  z.strictObject({ rule: z.literal('wordings'), min: min.default(2), when }),
  /** `### Question` with `Answer:` and `Files:`; a `bad` answer needs a finding. */
  z.strictObject({
    rule: z.literal('questions'),
    questions: z.array(z.strictObject({ heading, answers: z.array(z.string()).min(2), bad: z.string() })).min(1),
    findings: heading,
    when,
  }),
  /** `### F1 blocking: title` (`id: F`) with a place and a reason; or None. */
  z.strictObject({
    rule: z.literal('findings'),
    id: letter,
    min: min.default(0),
    none: z.boolean().default(true),
    when,
  }),
  /** A field agrees with whether a blocking finding stands in a section. */
  z.strictObject({
    rule: z.literal('verdict'),
    field: z.string(),
    pass: z.string(),
    blocked: z.string(),
    findings: heading,
    when,
  }),
  /** A field holds the hash of the tree as it is now. */
  z.strictObject({ rule: z.literal('tree-current'), field: z.string(), when }),
  /** Each item is `- path: reason` or `- Step N: reason`, and the step is in plan.md. */
  z.strictObject({ rule: z.literal('departures'), min, when }),
  /** Every changed file is named in one of these artifacts. */
  z.strictObject({
    rule: z.literal('names-changed-files'),
    in: z.array(z.enum(artifactNames)).min(1),
    report: z.enum(artifactNames),
    when,
  }),
  /** `### ID` with `Files:` and text for each blocking finding that waits for an answer. */
  z.strictObject({ rule: z.literal('answers-findings'), when }),
  /** Each item `B1: text -> E1, E2` is shown by evidence of the present tree that is more than the test command. */
  z.strictObject({ rule: z.literal('shown'), when }),
  /** The declared test command was run by the engine on the present tree. */
  z.strictObject({ rule: z.literal('tests-run'), exitCode: z.number().int().optional(), when }),
  /** Items `- name: E1 -> E2`, images before and after. */
  z.strictObject({ rule: z.literal('image-pairs'), min: min.default(0), when }),
  /** The ids of this list are those of a list in another artifact. */
  z.strictObject({ rule: z.literal('same-ids'), id: letter, artifact: z.enum(artifactNames), section: heading, when }),
]);
export type Rule = z.infer<typeof ruleSchema>;
export type RuleOf<Name extends Rule['rule']> = Extract<Rule, { rule: Name }>;

export const fieldSchema = z.strictObject({
  name: z.string().regex(/^[A-Z][A-Za-z -]{0,30}$/),
  /** One of these words. */
  values: z.array(z.string()).optional(),
  format: z.enum(['text', 'tree', 'url-or-none']).default('text'),
});
export type Field = z.infer<typeof fieldSchema>;

export const sectionSchema = z.strictObject({
  heading,
  level: z.number().int().min(1).max(6).default(2),
  optional: z.boolean().default(false),
  rules: z.array(ruleSchema).default([]),
  when,
});

export const contractSchema = z.strictObject({
  fields: z.array(fieldSchema).default([]),
  sections: z.array(sectionSchema).default([]),
  /** Rules over the whole file. */
  rules: z.array(ruleSchema).default([]),
});
export type Contract = z.infer<typeof contractSchema>;
export type When = z.infer<typeof whenSchema>;

export const contractsSchema = z.partialRecord(z.enum(artifactNames), contractSchema);
export type Contracts = z.infer<typeof contractsSchema>;
