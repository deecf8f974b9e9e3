import { z } from 'zod';
import { settingsStateSchema, userRuleViewSchema } from './views/settings-view.ts';
import { countSchema } from './views/view.ts';

/** A job whose verdict another choice of settings would change. */
const changedVerdictSchema = z.object({
  job: z.string(),
  command: z.string(),
  project: z.string().nullable(),
  before: z.object({ state: z.string(), action: z.string() }),
  after: z.object({ state: z.string(), action: z.string() }),
});

/** What would be different now. */
const settingsPreviewSchema = z.object({
  jobs: countSchema,
  changed: z.array(changedVerdictSchema),
  /** Jobs of now that would be ended once the notice was given, and are not with the settings that hold. */
  ended: z.array(z.object({ job: z.string(), command: z.string(), project: z.string().nullable() })),
});

/** See `settingsPreviewSchema`. */
export type SettingsPreview = z.infer<typeof settingsPreviewSchema>;

/** Changes to some settings; what isn't named stays. null sets a key back to its default. */
const settingsChangeSchema = z.record(z.string(), z.json());

/** What a rule says of a command line. */
const ruleTestSchema = z.object({
  /** Signatures of agents and the person's own rules that match, in the order in which they are asked. */
  matches: z.array(z.object({ rule: z.string(), agent: z.string(), command: z.string().nullable(), own: z.boolean() })),
  /** Exemptions that would apply. */
  exemptions: z.array(z.string()),
  /** In one sentence: what Curfew would do with such a process. */
  summary: z.string(),
});

/** See `ruleTestSchema`. */
export type RuleTest = z.infer<typeof ruleTestSchema>;

/** What can be asked and done about settings. */
export const settingsQuestions = {
  'settings.change': { input: z.object({ changes: settingsChangeSchema }), output: settingsStateSchema },
  'settings.preview': { input: z.object({ changes: settingsChangeSchema }), output: settingsPreviewSchema },
  'settings.unexempt': { input: z.object({ createdAt: z.string().min(1).max(100) }), output: settingsStateSchema },
  'settings.testRule': {
    input: z.object({ commandLine: z.string().min(1).max(100_000), rules: z.array(userRuleViewSchema).nullable() }),
    output: ruleTestSchema,
  },
} as const;
