import { parseJson } from '../format/json.ts';
import { parseDuration } from './duration.ts';
import { rowOf } from './keys.ts';
import { shownValue, type SettingsProblem } from './notice.ts';
import { badRulesIn, settingSchema } from './schema.ts';
import type { SettingKey } from './settings.ts';

/** A value for a setting, as JSON, or what is wrong with the text. */
export type SettingInput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: SettingsProblem };

const switches: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['yes', true],
  ['false', false],
  ['off', false],
  ['no', false],
]);

const asSeconds = (text: string): number | undefined => {
  const duration = parseDuration(text);
  if (duration.ok) return duration.seconds;
  // A part of a second makes sense for one setting only; its range decides.
  return /^\d+\.\d+$/u.test(text) ? Number(text) : undefined;
};

const asDays = (text: string): number | undefined => (/^\d+d?$/u.test(text) ? Number.parseInt(text, 10) : undefined);

const valueOf = (key: SettingKey, text: string): unknown => {
  const row = rowOf(key);
  switch (row.kind) {
    case 'number':
      return row.unit === 'seconds' ? asSeconds(text) : asDays(text);
    case 'switch':
      return switches.get(text);
    case 'choice':
      return text;
    case 'hosts':
      return text.trimStart().startsWith('[') ? parseJson(text) : text.split(/[\s,]+/u).filter((host) => host !== '');
    case 'exemptions':
    case 'rules':
      return parseJson(text);
  }
};

/**
 * Returns what the user typed for a setting, as the value that stands in the file: durations (`90`,
 * `30m`, `4h`), days (`90`, `90d`), choices, `on` and `off`, names of hosts with blanks or commas
 * between, JSON for exemptions and rules. Never throws.
 */
export const readSettingText = (key: SettingKey, text: string): SettingInput => {
  const value = valueOf(key, text);
  const result = value === undefined ? null : settingSchema(key).safeParse(value);
  if (result?.success === true) return { ok: true, value };
  const reasons = result === null ? [] : badRulesIn(result.error);
  if (reasons.length > 0) return { ok: false, problem: { code: 'refused-rules', reasons } };
  return { ok: false, problem: { code: 'refused-text', key, shown: shownValue(text) } };
};
