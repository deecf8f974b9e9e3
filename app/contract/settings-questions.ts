import { z } from 'zod';
import { settingsStateSchema, userRuleViewSchema } from './views/settings-view.ts';
import { saidSchema } from './views/said.ts';
import { countSchema } from './views/view.ts';

/** A job whose verdict other settings would change. */
const changedVerdictSchema = z.object({
  job: z.string(),
  command: z.string(),
  project: z.string().nullable(),
  before: z.object({ state: z.string(), action: z.string() }),
  after: z.object({ state: z.string(), action: z.string() }),
});

const settingsPreviewSchema = z.object({
  jobs: countSchema,
  changed: z.array(changedVerdictSchema),
  /** Current jobs that would be ended after their notice, and are not with the current settings. */
  ended: z.array(z.object({ job: z.string(), command: z.string(), project: z.string().nullable() })),
});

export type SettingsPreview = z.infer<typeof settingsPreviewSchema>;

/** Changes to some settings; others stay. null resets a key to its default. */
const settingsChangeSchema = z.record(z.string(), z.json());

/** What the rules say about a command line. */
const ruleTestSchema = z.object({
  /** Agent signatures and user rules that match, in the order of evaluation. */
  matches: z.array(z.object({ rule: z.string(), agent: z.string(), command: z.string().nullable(), own: z.boolean() })),
  /** Exemptions that would apply. */
  exemptions: z.array(z.string()),
  /** One sentence: what Curfew would do with such a process. */
  summary: saidSchema,
});

export type RuleTest = z.infer<typeof ruleTestSchema>;

export const settingsQuestions = {
  'settings.change': { input: z.object({ changes: settingsChangeSchema }), output: settingsStateSchema },
  'settings.preview': { input: z.object({ changes: settingsChangeSchema }), output: settingsPreviewSchema },
  'settings.unexempt': { input: z.object({ createdAt: z.string().min(1).max(100) }), output: settingsStateSchema },
  'settings.testRule': {
    input: z.object({ commandLine: z.string().min(1).max(100_000), rules: z.array(userRuleViewSchema).nullable() }),
    output: ruleTestSchema,
  },
} as const;
