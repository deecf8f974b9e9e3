import { formatLimit } from '../format/age.ts';
import { settingExpectation, shownValue } from './sentences.ts';
import { currentSchemaVersion, defaultSettings } from './defaults.ts';
import { isSettingKey, settingKeys, type SettingKey } from './fields.ts';
import { parseSettings, type ParseOptions } from './parse.ts';
import { given } from './reading.ts';
import { asRawObject, ruleIssueText, settingSchemas, type RawObject } from './schema.ts';
import type { Settings, SettingsNotice } from './settings.ts';
import { schemaVersionOf } from './upgrades.ts';

/** New values by the name of the setting; null takes a setting out of the file, so that its default holds again. */
export type SettingsChanges = Readonly<Record<string, unknown>>;

/** The file as it is to be written, or what is wrong with the changes. */
export type ChangeResult =
  | { readonly ok: true; readonly raw: RawObject }
  | { readonly ok: false; readonly problems: readonly SettingsNotice[] };

const problemOf = (key: string, value: unknown): SettingsNotice | null => {
  if (!isSettingKey(key)) {
    return { field: key, text: `There is no setting ${shownValue(key)}. There are: ${settingKeys.join(', ')}.` };
  }
  if (value === null) return null;
  const result = settingSchemas[key].safeParse(value);
  if (result.success) return null;
  const reason = ruleIssueText(result.error);
  if (reason !== null) return { field: key, text: reason };
  return { field: key, text: `${key} must be ${settingExpectation(key)}, not ${shownValue(value)}.` };
};

const without = (object: RawObject, key: string): RawObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

const withValue = (raw: RawObject, key: SettingKey, value: unknown): RawObject => {
  const [first = '', second] = key.split('.');
  if (second === undefined) return value === null ? without(raw, first) : { ...raw, [first]: value };
  const block = asRawObject(Object.hasOwn(raw, first) ? raw[first] : undefined) ?? {};
  const changed = value === null ? without(block, second) : { ...block, [second]: value };
  return Object.keys(changed).length === 0 ? without(raw, first) : { ...raw, [first]: changed };
};

/** A max elapsed that a person asks for must fit below the hard cap; clamping it in silence would be another answer than was asked. */
const limitProblem = (raw: RawObject, base: Settings, options: ParseOptions): SettingsNotice | null => {
  const { backgroundMaxElapsedSecondsHardCap: cap } = parseSettings(raw, base, options).settings;
  const asked = given(raw, 'backgroundMaxElapsedSeconds');
  if (typeof asked !== 'number' || asked <= cap) return null;
  return {
    field: 'backgroundMaxElapsedSeconds',
    text:
      `backgroundMaxElapsedSeconds (${formatLimit(asked)}) must not be longer than ` +
      `backgroundMaxElapsedSecondsHardCap (${formatLimit(cap)}).`,
  };
};

/**
 * A file with changes made to it, all or none. Pure. What the changes don't name stays as it is, also what this version doesn't know,
 * and what was wrong in it already. Refuses unknown names, values that make no sense, and a max elapsed beyond the hard cap.
 */
export const changeSettings = (
  raw: RawObject,
  changes: SettingsChanges,
  base: Settings = defaultSettings,
  options: ParseOptions = {},
): ChangeResult => {
  const problems = Object.entries(changes)
    .map(([key, value]) => problemOf(key, value))
    .filter((problem) => problem !== null);
  if (problems.length > 0) return { ok: false, problems };
  const changed = Object.entries(changes).reduce(
    (left, [key, value]) => (isSettingKey(key) ? withValue(left, key, value) : left),
    raw,
  );
  const touchesLimits = Object.keys(changes).some((key) => key.startsWith('backgroundMaxElapsedSeconds'));
  const problem = touchesLimits ? limitProblem(changed, base, options) : null;
  if (problem !== null) return { ok: false, problems: [problem] };
  return { ok: true, raw: { ...changed, schemaVersion: Math.max(currentSchemaVersion, schemaVersionOf(raw)) } };
};
