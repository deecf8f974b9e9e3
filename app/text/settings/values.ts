import type { Said } from '../../format/said.ts';
import { visibleText } from '../../format/visible.ts';
import { durationText } from '../../settings/duration.ts';
import { rowOf } from '../../settings/keys.ts';
import { shownValue } from '../../settings/notice.ts';
import type { SettingKey } from '../../settings/settings.ts';
import { say } from '../say.ts';

/** Returns what a setting must be, to stand after "must be". */
export const settingExpectation = (key: SettingKey): Said => {
  const row = rowOf(key);
  switch (row.kind) {
    case 'number':
      return row.unit === 'seconds'
        ? say('a number of seconds from {min} to {max}', row.range)
        : say('a number of days from {min} to {max}', row.range);
    case 'choice':
      return say('one of {choices}', { choices: row.choices.join(', ') });
    case 'switch':
      return say('true or false');
    case 'exemptions':
      return say('a list of exemptions, each with at least one of project (an absolute folder), command and port');
    case 'rules':
      return say('a list of rules, each with name, argv0 and argv (patterns that fit whole arguments)');
    case 'hosts':
      return say('a list of names for ssh');
  }
};

/** Returns a value for the user: seconds as a length of time, anything else as it is. */
export const settingValue = (key: SettingKey, value: unknown): string => {
  const row = rowOf(key);
  if (row.kind === 'number' && typeof value === 'number')
    return row.unit === 'seconds' ? durationText(value) : `${value} d`;
  return typeof value === 'string' ? visibleText(value) : shownValue(value);
};
