import { currentSchemaVersion, defaultSettings } from './defaults.ts';
import { isSettingKey, partsOf } from './keys.ts';
import { shownValue, type SettingsNotice } from './notice.ts';
import { type ParseOptions, parseSettings, schemaVersionOf } from './parse.ts';
import { asRawObject, rawValue, type RawObject } from './raw.ts';
import { badRulesIn, settingSchema } from './schema.ts';
import type { SettingKey, Settings } from './settings.ts';

/** New values by setting; null takes one out of the file: its default holds again. */
export type SettingsChanges = Readonly<Record<string, unknown>>;

/** The file as it is to be written, or what is wrong with the changes. */
export type ChangeResult =
  | { readonly ok: true; readonly raw: RawObject }
  | { readonly ok: false; readonly problems: readonly SettingsNotice[] };

const problemOf = (key: string, value: unknown): SettingsNotice | null => {
  if (!isSettingKey(key)) return { field: key, problem: { code: 'no-setting', shown: shownValue(key) } };
  if (value === null) return null;
  const result = settingSchema(key).safeParse(value);
  if (result.success) return null;
  const reasons = badRulesIn(result.error);
  if (reasons.length > 0) return { field: key, problem: { code: 'refused-rules', reasons } };
  return { field: key, problem: { code: 'refused-value', key, shown: shownValue(value) } };
};

const without = (object: RawObject, key: string): RawObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

const withValue = (raw: RawObject, key: SettingKey, value: unknown): RawObject => {
  const { block, name } = partsOf(key);
  if (block === null) return value === null ? without(raw, name) : { ...raw, [name]: value };
  const object = asRawObject(Object.hasOwn(raw, block) ? raw[block] : undefined) ?? {};
  const changed = value === null ? without(object, name) : { ...object, [name]: value };
  return Object.keys(changed).length === 0 ? without(raw, block) : { ...raw, [block]: changed };
};

/** A max elapsed must fit below the hard cap: silent clamping would not be what was asked. */
const limitProblem = (raw: RawObject, fallback: Settings, options: ParseOptions): SettingsNotice | null => {
  const { backgroundMaxElapsedSecondsHardCap: hardCapSeconds } = parseSettings(raw, fallback, options).settings;
  const maxElapsedSeconds = rawValue(raw, 'backgroundMaxElapsedSeconds');
  if (typeof maxElapsedSeconds !== 'number' || maxElapsedSeconds <= hardCapSeconds) return null;
  return {
    field: 'backgroundMaxElapsedSeconds',
    problem: { code: 'above-cap', maxElapsedSeconds, hardCapSeconds },
  };
};

/**
 * Makes changes to a file, all or none. Pure. What the changes don't name stays as it is, also what
 * this version doesn't know, and what was wrong in it already. Refuses unknown names, values that
 * make no sense, and a max elapsed beyond the hard cap.
 */
export const changeSettings = (
  raw: RawObject,
  changes: SettingsChanges,
  fallback: Settings = defaultSettings,
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
  const problem = touchesLimits ? limitProblem(changed, fallback, options) : null;
  if (problem !== null) return { ok: false, problems: [problem] };
  return { ok: true, raw: { ...changed, schemaVersion: Math.max(currentSchemaVersion, schemaVersionOf(raw)) } };
};
