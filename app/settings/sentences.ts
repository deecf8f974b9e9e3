import { settingFields, settingKind, type SettingKey } from './fields.ts';
import { formatLimit } from '../format/age.ts';
import { redactCommand } from '../format/redact.ts';
import { visibleText } from '../format/visible.ts';

/** What each setting does, in one sentence. */
export const settingExplanations: Readonly<Record<SettingKey, string>> = {
  mode: 'Whether Curfew ends by itself what overstays (enforce) or only tells you (observe).',
  backgroundMaxElapsedSeconds: 'How old a background command may get before it is overdue.',
  backgroundMaxElapsedSecondsHardCap: 'The age at which a command is ended whatever it does and whatever was put off.',
  backgroundKillSignal: 'The signal with which a command is asked to end.',
  backgroundKillGraceSeconds: 'How long a command has to end by itself before it is killed.',
  orphanGraceSeconds: 'How long a command may go on once the session that started it has ended.',
  atMaxElapsed: 'At that age in a running session: end what is silent, end all but servers, or only tell you.',
  noticeSeconds: 'How long before it ends something on its own Curfew tells you.',
  scanIntervalSeconds: 'How often Curfew looks at the processes.',
  exemptions: 'Projects, commands and ports that are spared below the hard cap.',
  rules: 'Your own descriptions of commands whose agent Curfew does not know.',
  hosts: 'Other machines to look at, by the names that ssh knows.',
  historyDays: 'How long the record of what was ended is kept.',
  'notifications.overdue': 'Tell me when a command overstays or was left behind.',
  'notifications.beforeReap': 'Tell me before a command is ended.',
  'notifications.afterReap': 'Tell me after a command was ended.',
  'notifications.sound': 'Play a sound with notifications.',
  appearance: 'Light, dark, or as the system has it.',
  'guard.enabled': 'Whether commands are read before an agent runs them; then install the hooks again.',
  'guard.timeoutSeconds': 'The time limit that the guard gives a command.',
  'guard.unjoinedLines': 'Several commands on lines of their own in the background, with nothing between them.',
  'guard.noTimeout':
    'Background programs that may never end, without a time limit: npx, node, ollama, wget, curl -N, python -u.',
  'guard.neverEnds':
    'Background programs that follow something for ever: tail -f, watch, inotifywait, less, ping, journalctl -f.',
  'guard.swallowedCommand': 'A redirection behind which the next command stands as an argument.',
  'guard.waitsOnInput': 'A program that waits for standard input, on which nothing will come.',
  'guard.waitsForItself': 'A loop that waits for a process to end and finds itself.',
  'guard.killsAgent': 'A kill, pkill or killall that hits the agent, its own shell, or nobody.',
  'guard.sudoInBackground': 'A sudo in the background, where nobody can type its password.',
};

/** What a setting must be, to stand after "must be". */
export const settingExpectation = (key: SettingKey): string => {
  const field = settingKind(key);
  switch (field.kind) {
    case 'seconds':
      return `a number of seconds from ${field.least} to ${field.most}`;
    case 'days':
      return `a number of days from ${field.least} to ${field.most}`;
    case 'choice':
      return `one of ${field.choices.join(', ')}`;
    case 'switch':
      return 'true or false';
    case 'exemptions':
      return 'a list of exemptions, each with at least one of project (an absolute folder), command and port';
    case 'rules':
      return 'a list of rules, each with name, argv0 and argv (patterns that fit whole arguments)';
    case 'hosts':
      return 'a list of names for ssh';
  }
};

/** A value for people: seconds as a length of time, anything else as it is. */
export const settingValue = (key: SettingKey, value: unknown): string => {
  const { kind } = settingFields[key];
  if (kind === 'seconds' && typeof value === 'number') return formatLimit(value);
  if (kind === 'days' && typeof value === 'number') return `${value} d`;
  return typeof value === 'string' ? visibleText(value) : shownValue(value);
};

/** Whatever stands in a file, in short: on one line, without secrets, at most 80 characters. Never throws. */
export const shownValue = (value: unknown): string => {
  const text = visibleText(redactCommand(json(value)));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};

const json = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    // A circle, or a number that JSON has no form for: neither comes out of a file.
    return typeof value;
  }
};

/** A value that was refused, with what is used instead. */
export const badValueText = (key: SettingKey, given: unknown, used: unknown): string =>
  `${key} is ${shownValue(given)}, but it must be ${settingExpectation(key)}. Curfew uses ${settingValue(key, used)}.`;

/** Something that should have been a list and is none. */
export const badListText = (key: SettingKey, given: unknown, consequence: string): string =>
  `${key} is ${shownValue(given)}, but it must be ${settingExpectation(key)}. ${consequence}`;

/** An entry of a list that was refused. `consequence` says what that means; `reason`, where known, what is wrong with it. */
export const badEntryText = (
  key: SettingKey,
  index: number,
  given: unknown,
  consequence: string,
  reason: string | null = null,
): string =>
  reason !== null
    ? `Entry ${index + 1} of ${key} is set aside. ${reason} ${consequence}`
    : `Entry ${index + 1} of ${key} is ${shownValue(given)} and can't be understood; ${key} must be ${settingExpectation(key)}. ${consequence}`;
