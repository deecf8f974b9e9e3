import { z } from 'zod';
import { compileUserRule, type UserRule } from '../agents/user-rules.ts';
import { boundingModes, guardModes } from '../guard/settings.ts';
import { sayRuleProblem } from './rule-problem.ts';
import { firstSignalNames } from '../process/signal.ts';
import { hostNameSchema } from './host-name-schema.ts';
import { settingFields, type SettingKey } from './fields.ts';
import type { Exemption } from './settings.ts';

const number = ({ least, most }: { readonly least: number; readonly most: number }): z.ZodNumber =>
  z.number().min(least).max(most);

/** POSIX, or Windows with a drive, or a folder below the person's own. A relative one would never fit any project. */
const folder = z.string().regex(/^(?:\/|~\/|~$|[A-Za-z]:[\\/]).*$/su);

/**
 * An exemption as it stands in the file. Parts that this version doesn't know are passed over, which spares more, not less; an entry
 * without any part that it knows is refused.
 */
export const exemptionSchema: z.ZodType<Omit<Exemption, 'createdAt'> & { readonly createdAt?: string }> = z
  .object({
    project: folder.exactOptional(),
    command: z.string().trim().min(1).exactOptional(),
    port: z.int().min(1).max(65_535).exactOptional(),
    note: z.string().exactOptional(),
    createdAt: z.iso.datetime({ offset: true }).exactOptional(),
  })
  .refine(({ project, command, port }) => (project ?? command ?? port) !== undefined);

/** A rule as it stands in the file, checked as the agents' part of Curfew checks it. Issues say why, for people. */
export const userRuleSchema: z.ZodType<UserRule> = z
  .object({
    name: z.string(),
    argv0: z.string(),
    argv: z.array(z.string()),
    project: z.string().exactOptional(),
  })
  .superRefine((rule, context) => {
    const result = compileUserRule(rule);
    if (result.ok) return;
    for (const problem of result.problems)
      context.addIssue({ code: 'custom', params: { rule: true }, message: sayRuleProblem(rule, problem) });
  });

/** What `userRuleSchema` says for people about a refused value; null where only its form is wrong. */
export const ruleIssueText = (error: z.ZodError): string | null => {
  const said = error.issues.flatMap((issue) =>
    issue.code === 'custom' && issue.params?.['rule'] === true ? [issue.message] : [],
  );
  return said.length === 0 ? null : said.join(' ');
};

/** One schema for each setting. Lists are here for a change as a whole; the file is read entry by entry, see `parseSettings`. */
export const settingSchemas = {
  mode: z.enum(settingFields.mode.choices),
  backgroundMaxElapsedSeconds: number(settingFields.backgroundMaxElapsedSeconds),
  backgroundMaxElapsedSecondsHardCap: number(settingFields.backgroundMaxElapsedSecondsHardCap),
  backgroundKillSignal: z.enum(firstSignalNames),
  backgroundKillGraceSeconds: number(settingFields.backgroundKillGraceSeconds),
  orphanGraceSeconds: number(settingFields.orphanGraceSeconds),
  atMaxElapsed: z.enum(settingFields.atMaxElapsed.choices),
  noticeSeconds: number(settingFields.noticeSeconds),
  scanIntervalSeconds: number(settingFields.scanIntervalSeconds),
  exemptions: z.array(exemptionSchema),
  rules: z.array(userRuleSchema),
  hosts: z.array(hostNameSchema),
  historyDays: number(settingFields.historyDays),
  'notifications.overdue': z.boolean(),
  'notifications.beforeReap': z.boolean(),
  'notifications.afterReap': z.boolean(),
  'notifications.sound': z.boolean(),
  appearance: z.enum(settingFields.appearance.choices),
  'guard.enabled': z.boolean(),
  'guard.timeoutSeconds': number(settingFields['guard.timeoutSeconds']),
  'guard.unjoinedLines': z.enum(guardModes),
  'guard.noTimeout': z.enum(boundingModes),
  'guard.neverEnds': z.enum(boundingModes),
  'guard.swallowedCommand': z.enum(guardModes),
  'guard.waitsOnInput': z.enum(guardModes),
  'guard.waitsForItself': z.enum(guardModes),
  'guard.killsAgent': z.enum(guardModes),
  'guard.sudoInBackground': z.enum(guardModes),
} as const satisfies Readonly<Record<SettingKey, z.ZodType>>;

/** What a setting holds once it was checked. */
export type SettingValue<Key extends SettingKey> = z.infer<(typeof settingSchemas)[Key]>;

/** A JSON object as a file or a window gives it. */
export type RawObject = Readonly<Record<string, unknown>>;

/** The object that something is; null for what is none, lists among them. Not copied, so that a key like `__proto__` stays a key. */
export const asRawObject = (value: unknown): RawObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawObject) : null;
