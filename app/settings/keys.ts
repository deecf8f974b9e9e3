import { settingRows } from './registry.ts';
import type { NumberRow, SettingRow } from './row.ts';
import type { SettingKey, Settings } from './settings.ts';

/** Every key, in the order in which they are shown. */
export const settingKeys = Object.keys(settingRows) as readonly SettingKey[];

/** Returns true for the name of a setting. */
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingRows, key);

/** Returns what is to be said of a setting. */
export const rowOf = (key: SettingKey): SettingRow => settingRows[key];

/** Returns the block in which a setting stands, null for none, and its name there. */
export const partsOf = (key: SettingKey): { readonly block: string | null; readonly name: string } => {
  const [first = '', second] = key.split('.');
  return second === undefined ? { block: null, name: first } : { block: first, name: second };
};

/** Builds settings from one value per key. `valueOf` answers what the key's row allows. */
export const settingsFrom = (schemaVersion: number, valueOf: (key: SettingKey) => unknown): Settings => {
  const all: Record<string, unknown> = { schemaVersion };
  for (const key of settingKeys) {
    const { block, name } = partsOf(key);
    if (block === null) all[name] = valueOf(key);
    else all[block] = { ...(all[block] as object | undefined), [name]: valueOf(key) };
  }
  // The type `Settings` is made of the same rows, see `SettingsOf`.
  return all as unknown as Settings;
};

/** Returns the value of one setting by its name. */
export const valueAt = (settings: Settings, key: SettingKey): unknown => {
  const { block, name } = partsOf(key);
  const top = settings as unknown as Readonly<Record<string, unknown>>;
  return block === null ? top[name] : (top[block] as Readonly<Record<string, unknown>>)[name];
};

/** The original proposal's keys, also read from Claude Code's `bash` block. */
export const claudeBlockKeys: readonly SettingKey[] = settingKeys.filter((key) => rowOf(key).inClaudeBlock === true);

/** Settings that have a field on the window's page of limits: lengths of time outside of blocks. */
export type LimitKey = {
  [Key in SettingKey]: (typeof settingRows)[Key] extends { readonly unit: 'seconds'; readonly field: object }
    ? Key
    : never;
}[SettingKey];

export type LimitRow = NumberRow & { readonly field: NonNullable<NumberRow['field']> };

/** The fields of the window's page of limits, in the order of the table. */
export const limitFields: readonly { readonly key: LimitKey; readonly row: LimitRow }[] = settingKeys.flatMap((key) => {
  const row = rowOf(key);
  return row.kind === 'number' && row.field !== undefined
    ? [{ key: key as LimitKey, row: { ...row, field: row.field } }]
    : [];
});
