import { durationText } from '../../settings/duration.ts';
import { rowOf, settingKeys } from '../../settings/keys.ts';
import type { SettingRow } from '../../settings/row.ts';
import type { SettingKey } from '../../settings/settings.ts';

export interface DescribedSetting {
  readonly key: SettingKey;
  /** "30 min", "on", "none". */
  readonly standard: string;
  /** "0 s to 5 min", "enforce, observe". */
  readonly allowed: string;
  readonly text: string;
}

const lengthOf = (row: Extract<SettingRow, { readonly kind: 'number' }>, value: number): string =>
  row.unit === 'seconds' ? durationText(value) : `${value} ${value === 1 ? 'day' : 'days'}`;

const standardOf = (row: SettingRow): string => {
  switch (row.kind) {
    case 'number':
      return lengthOf(row, row.default);
    case 'choice':
      return row.default ?? 'not chosen';
    case 'switch':
      return row.default ? 'on' : 'off';
    case 'exemptions':
    case 'rules':
    case 'hosts':
      return 'none';
  }
};

const allowedOf = (row: SettingRow): string => {
  switch (row.kind) {
    case 'number':
      return `${lengthOf(row, row.range.min)} to ${lengthOf(row, row.range.max)}`;
    case 'choice':
      return row.choices.join(', ');
    case 'switch':
      return 'on, off';
    case 'exemptions':
    case 'rules':
      return 'a list (JSON)';
    case 'hosts':
      return 'a list of names';
  }
};

/** Returns each setting's default, range and effect, in the order of the registry. */
export const describedSettings = (): readonly DescribedSetting[] =>
  settingKeys.map((key) => {
    const row = rowOf(key);
    return { key, standard: standardOf(row), allowed: allowedOf(row), text: row.text };
  });
