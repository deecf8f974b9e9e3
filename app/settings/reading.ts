import { badValueText } from './sentences.ts';
import { defaultSettings } from './defaults.ts';
import { limitKeys, type SettingKey } from './fields.ts';
import { asRawObject, settingSchemas, type RawObject, type SettingValue } from './schema.ts';
import type { Settings, SettingsNotice } from './settings.ts';

/** What has been found out while a file is read. */
export interface Reading {
  readonly raw: RawObject;
  /** The layer below. */
  readonly base: Settings;
  readonly notices: SettingsNotice[];
  forcesObserve: boolean;
  bad: boolean;
}

/** Notes down that something made no sense and isn't used. */
export const refuse = (reading: Reading, field: string | null, text: string): void => {
  reading.notices.push({ field, text });
  reading.bad = true;
};

/** The keys of lists, which are read entry by entry. */
export type ListKey = 'exemptions' | 'rules' | 'hosts';

/** The keys of single values. */
export type SingleKey = Exclude<SettingKey, ListKey>;

/** The keys of numbers. */
export type NumberKey = SingleKey &
  { [Key in keyof Settings]: Settings[Key] extends number ? Key : never }[keyof Settings];

/**
 * What stands under a key of the file; undefined when nothing does. Only the object's own keys count, so `__proto__` in a file is a key
 * like others.
 */
export const given = (raw: RawObject, key: SettingKey): unknown => {
  const [first = '', second] = key.split('.');
  const value = Object.hasOwn(raw, first) ? raw[first] : undefined;
  if (second === undefined || value === undefined) return value;
  const block = asRawObject(value);
  // A block that is none makes each of its settings wrong, so it is given in a form that none of them takes: `"guard": true` switches
  // nothing on.
  if (block === null) return { [first]: value };
  return Object.hasOwn(block, second) ? block[second] : undefined;
};

/** One setting: as the file has it, or as the layer below has it where the file is silent, or `instead` where it says nonsense. */
export const readValue = <Key extends SingleKey, Below>(
  reading: Reading,
  key: Key,
  below: Below,
  instead: Below = below,
): SettingValue<Key> | Below => {
  const value = given(reading.raw, key);
  if (value === undefined) return below;
  const result = settingSchemas[key].safeParse(value);
  if (result.success) return result.data as SettingValue<Key>;
  refuse(reading, key, badValueText(key, value, instead));
  return instead;
};

/** A number. Nonsense in an age limit makes it no longer than the layer below, nor than the compiled default. */
export const readNumber = (reading: Reading, key: NumberKey): number => {
  const below = reading.base[key];
  const isLimit = (limitKeys as readonly SettingKey[]).includes(key);
  // JSON knows a zero below zero, which is written as a zero again.
  return readValue<NumberKey, number>(reading, key, below, isLimit ? Math.min(below, defaultSettings[key]) : below) + 0;
};
