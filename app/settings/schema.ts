import { z } from 'zod';
import { once } from '../format/once.ts';
import { compileUserRule, type UserRule, type UserRuleProblem } from '../agents/user-rules.ts';
import { isHostName } from '../remote/host-list.ts';
import { isExemptFolder, portRange } from './exemption-parts.ts';
import { rowOf, settingKeys } from './keys.ts';
import type { SettingRow } from './row.ts';
import type { Exemption, SettingKey, SettingValue } from './settings.ts';

/**
 * An exemption as it stands in the file. Parts that this version doesn't know are passed over,
 * which spares more, not less; an entry without any part that it knows is refused.
 */
export const exemptionSchema = once((): z.ZodType<Omit<Exemption, 'createdAt'> & { readonly createdAt?: string }> =>
  z
    .object({
      project: z.string().refine(isExemptFolder).exactOptional(),
      command: z.string().trim().min(1).exactOptional(),
      port: z.int().min(portRange.min).max(portRange.max).exactOptional(),
      note: z.string().exactOptional(),
      createdAt: z.iso.datetime({ offset: true }).exactOptional(),
    })
    .refine(({ project, command, port }) => (project ?? command ?? port) !== undefined),
);

/** A rule of the right form that can't be used, and why. */
export interface BadRule {
  readonly rule: UserRule;
  readonly problem: UserRuleProblem;
}

/** A rule as in the file, checked by app/agents. `badRulesIn` reads why it is refused. */
export const userRuleSchema = once((): z.ZodType<UserRule> =>
  z
    .object({
      name: z.string(),
      argv0: z.string(),
      argv: z.array(z.string()),
      project: z.string().exactOptional(),
    })
    .superRefine((rule, context) => {
      const result = compileUserRule(rule);
      if (result.ok) return;
      for (const problem of result.problems) {
        const bad: BadRule = { rule, problem };
        context.addIssue({ code: 'custom', params: { bad }, message: problem.code });
      }
    }),
);

/** Returns what `userRuleSchema` found wrong with rules; empty where the form is wrong. */
export const badRulesIn = (error: z.ZodError): readonly BadRule[] =>
  error.issues.flatMap((issue) =>
    issue.code === 'custom' && issue.params?.['bad'] !== undefined ? [issue.params['bad'] as BadRule] : [],
  );

/** A name that `isHostName` takes. */
export const hostNameSchema = once(() => z.string().refine(isHostName));

const schemaOf = (row: SettingRow): z.ZodType => {
  switch (row.kind) {
    case 'number':
      return z.number().min(row.range.min).max(row.range.max);
    case 'choice':
      return z.enum(row.choices);
    case 'switch':
      return z.boolean();
    case 'exemptions':
      return z.array(exemptionSchema());
    case 'rules':
      return z.array(userRuleSchema());
    case 'hosts':
      return z.array(hostNameSchema());
  }
};

const schemas = new Map(settingKeys.map((key) => [key, once(() => schemaOf(rowOf(key)))]));

/** Returns a setting's schema. Lists as a whole for changes; files by entry: `parseSettings`. */
export const settingSchema = <Key extends SettingKey>(key: Key): z.ZodType<NonNullable<SettingValue<Key>>> =>
  (schemas.get(key) as unknown as () => z.ZodType<NonNullable<SettingValue<Key>>>)();
