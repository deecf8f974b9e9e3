import { boundingModes, defaultGuard, guardModes, guardTimeoutRange } from '../guard/settings.ts';
import type { SettingRows } from './row.ts';

/** The settings of the guard, a part of `settingRows`. */
export const guardRows = {
  'guard.enabled': {
    kind: 'switch',
    default: defaultGuard.enabled,
    ifBad: { value: false },
    text: 'Whether commands are read before an agent runs them; then install the hooks again.',
  },
  'guard.timeoutSeconds': {
    kind: 'number',
    unit: 'seconds',
    range: { min: guardTimeoutRange.least, max: guardTimeoutRange.most },
    default: defaultGuard.timeoutSeconds,
    ifBad: 'fallback',
    text: 'The time limit that rules set to rewrite give a command. Agents that take no changed command are warned instead.',
  },
  'guard.unjoinedLines': {
    kind: 'choice',
    choices: guardModes,
    default: defaultGuard.unjoinedLines,
    ifBad: { value: 'off' },
    text: 'Several commands on lines of their own in the background, without && or ; between them.',
  },
  'guard.noTimeout': {
    kind: 'choice',
    choices: boundingModes,
    default: defaultGuard.noTimeout,
    ifBad: { value: 'off' },
    text: 'Background programs that may never end, without a time limit: npx, node, ollama, wget, curl -N, python -u.',
  },
  'guard.neverEnds': {
    kind: 'choice',
    choices: boundingModes,
    default: defaultGuard.neverEnds,
    ifBad: { value: 'off' },
    text: 'Background programs that follow something for ever: tail -f, watch, inotifywait, less, ping, journalctl -f.',
  },
  'guard.swallowedCommand': {
    kind: 'choice',
    choices: guardModes,
    default: defaultGuard.swallowedCommand,
    ifBad: { value: 'off' },
    text: 'A redirection that swallows the next command as an argument.',
  },
  'guard.waitsOnInput': {
    kind: 'choice',
    choices: guardModes,
    default: defaultGuard.waitsOnInput,
    ifBad: { value: 'off' },
    text: 'A program that reads standard input, on which nothing will come.',
  },
  'guard.waitsForItself': {
    kind: 'choice',
    choices: guardModes,
    default: defaultGuard.waitsForItself,
    ifBad: { value: 'off' },
    text: 'A loop that waits until a process is gone and finds its own shell by the words it looks for.',
  },
  'guard.killsAgent': {
    kind: 'choice',
    choices: guardModes,
    default: defaultGuard.killsAgent,
    ifBad: { value: 'off' },
    text: 'A kill, pkill or killall that would end the agent or its own shell, or no process at all.',
  },
  'guard.sudoInBackground': {
    kind: 'choice',
    choices: guardModes,
    default: defaultGuard.sudoInBackground,
    ifBad: { value: 'off' },
    text: 'A sudo in the background, where its password can not be typed.',
  },
} as const satisfies SettingRows;
