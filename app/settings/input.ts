import { settingExpectation, shownValue } from './sentences.ts';
import { parseDuration } from './duration.ts';
import { settingKind, type SettingKey } from './fields.ts';
import { ruleIssueText, settingSchemas } from './schema.ts';

/** A value for a setting, as JSON, or a sentence that says what is allowed. */
export type SettingInput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

const switches: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['yes', true],
  ['false', false],
  ['off', false],
  ['no', false],
]);

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // No JSON is no list either; the schema says what is allowed.
    return undefined;
  }
};

const asSeconds = (text: string): number | undefined => {
  const duration = parseDuration(text);
  if (duration.ok) return duration.seconds;
  // A part of a second makes sense for one setting only; its range decides.
  return /^\d+\.\d+$/u.test(text) ? Number(text) : undefined;
};

const asDays = (text: string): number | undefined => (/^\d+d?$/u.test(text) ? Number.parseInt(text, 10) : undefined);

const valueOf = (key: SettingKey, text: string): unknown => {
  const { kind } = settingKind(key);
  if (kind === 'seconds') return asSeconds(text);
  if (kind === 'days') return asDays(text);
  if (kind === 'switch') return switches.get(text);
  if (kind === 'hosts' && !text.trimStart().startsWith('[')) return text.split(/[\s,]+/u).filter((host) => host !== '');
  return kind === 'choice' ? text : asJson(text);
};

/**
 * What a person typed for a setting, as the value that stands in the file: durations (`90`, `30m`, `4h`), days (`90`, `90d`), choices,
 * `on` and `off`, names of hosts with blanks or commas between, JSON for exemptions and rules. Never throws.
 */
export const readSettingText = (key: SettingKey, text: string): SettingInput => {
  const value = valueOf(key, text);
  const result = value === undefined ? null : settingSchemas[key].safeParse(value);
  if (result?.success === true) return { ok: true, value };
  const reason = result === null ? null : ruleIssueText(result.error);
  if (reason !== null) return { ok: false, problem: reason };
  const durations = settingKind(key).kind === 'seconds' ? '; 90, 90s, 30m and 4h are understood' : '';
  return { ok: false, problem: `${key} must be ${settingExpectation(key)}, not ${shownValue(text)}${durations}.` };
};

/** The value of a setting in a form that `readSettingText` reads back. */
export const settingText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
