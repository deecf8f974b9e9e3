import { boundingModes, defaultGuard, guardModes, guardTimeoutRange } from '../guard/settings.ts';
import { firstSignalNames } from '../process/signal.ts';
import type { SettingRows } from './row.ts';

/** The settings of the guard, a part of `settingRows`. */
const guardRows = {
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

/** The largest hard cap, seconds: 24 h. Compiled in, so that no file lifts the limit. */
export const hardCapCeilingSeconds = 86_400;

/**
 * Every setting, once. The type `Settings`, the schema, the parser, the view in the contract, the
 * fields of the window, the command line, its completion, the manual page and docs/settings.md
 * follow from here. The order is the order in which they are shown.
 *
 * The defaults of the four rows with `inClaudeBlock` are those of the original proposal
 * (anthropics/claude-code#51932). A max elapsed and a hard cap of zero are refused: users write 0
 * for "no limit", and it would mean "at once".
 */
export const settingRows = {
  // Not chosen (null) behaves as observe, and Curfew says so.
  mode: {
    kind: 'choice',
    choices: ['enforce', 'observe'],
    default: null,
    ifBad: { value: 'observe' },
    forcesObserve: true,
    text: 'Whether Curfew ends overdue jobs on its own (enforce) or only tells you (observe).',
  },
  backgroundMaxElapsedSeconds: {
    kind: 'number',
    unit: 'seconds',
    range: { min: 1, max: hardCapCeilingSeconds },
    default: 1800,
    ifBad: 'shorter',
    inClaudeBlock: true,
    field: { label: 'Overdue after', step: 300 },
    text: 'From this age on, a job of an open session is overdue.',
  },
  backgroundMaxElapsedSecondsHardCap: {
    kind: 'number',
    unit: 'seconds',
    range: { min: 60, max: hardCapCeilingSeconds },
    default: 14_400,
    ifBad: 'shorter',
    inClaudeBlock: true,
    field: { label: 'Hard cap', step: 1800 },
    text: 'Every job that may be signalled is ended at this age, exempt or not (see inUseAtHardCap).',
  },
  orphanGraceSeconds: {
    kind: 'number',
    unit: 'seconds',
    range: { min: 0, max: hardCapCeilingSeconds },
    default: 600,
    ifBad: 'shorter',
    field: { label: 'Orphan grace', step: 60 },
    text: 'How long a job may go on once its session is closed. Time asleep does not count.',
  },
  noticeSeconds: {
    kind: 'number',
    unit: 'seconds',
    range: { min: 0, max: 3600 },
    default: 60,
    ifBad: 'fallback',
    field: { label: 'Notice', step: 10 },
    text: 'Warning time before Curfew ends a job on its own. Jobs of a session that reported its own end get none.',
  },
  atMaxElapsed: {
    kind: 'choice',
    choices: ['reap-silent', 'reap', 'notify'],
    default: 'reap-silent',
    // Of the three this ends the fewest jobs.
    ifBad: { value: 'notify' },
    text: 'Which overdue jobs of open sessions are ended: idle ones (reap-silent), all but servers (reap), none (notify).',
  },
  inUseAtHardCap: {
    kind: 'choice',
    choices: ['ask', 'end'],
    default: 'ask',
    ifBad: { value: 'ask' },
    text: 'What becomes of a job at its hard cap while a program of yours is connected to it: you are asked and it goes on until you answer (ask), or it is ended (end).',
  },
  unreachableAgents: {
    kind: 'choice',
    choices: ['show', 'end'],
    default: 'show',
    ifBad: { value: 'show' },
    text: 'Whether agents that no user can reach any more are only shown, or ended once they were quiet for 15 min.',
  },
  idleAgentDays: {
    kind: 'number',
    unit: 'days',
    range: { min: 0, max: 365 },
    default: 0,
    ifBad: { value: 0 },
    text: 'After how many days awake an agent is ended that says itself that it is idle, and was watched to be. 0: never.',
  },
  sessionServers: {
    kind: 'choice',
    choices: ['end', 'show'],
    default: 'end',
    ifBad: { value: 'show' },
    text: 'What becomes of MCP and language servers that a closed session left behind: ended like its commands (end), or only listed (show).',
  },
  backgroundKillSignal: {
    kind: 'choice',
    choices: firstSignalNames,
    default: 'TERM',
    ifBad: 'fallback',
    inClaudeBlock: true,
    text: 'Signal sent first.',
  },
  backgroundKillGraceSeconds: {
    kind: 'number',
    unit: 'seconds',
    range: { min: 0, max: 300 },
    default: 10,
    ifBad: 'fallback',
    inClaudeBlock: true,
    field: { label: 'Wait before KILL', step: 5 },
    text: 'Time between the first signal and KILL.',
  },
  scanIntervalSeconds: {
    kind: 'number',
    unit: 'seconds',
    range: { min: 0.2, max: 300 },
    default: 5,
    ifBad: 'fallback',
    text: 'How often Curfew looks at the processes.',
  },
  exemptions: {
    kind: 'exemptions',
    default: [],
    ifBad: 'without-entry',
    forcesObserve: true,
    text: 'Projects, commands and ports that are spared below the hard cap.',
  },
  rules: {
    kind: 'rules',
    default: [],
    ifBad: 'without-entry',
    text: 'Your own descriptions of commands whose agent Curfew does not know.',
  },
  hosts: {
    kind: 'hosts',
    default: [],
    ifBad: 'without-entry',
    text: 'Other machines to look at, by the names that ssh knows.',
  },
  historyDays: {
    kind: 'number',
    unit: 'days',
    range: { min: 1, max: 3650 },
    default: 90,
    ifBad: 'fallback',
    text: 'How long the record of what was ended is kept.',
  },
  incidentLines: {
    kind: 'choice',
    choices: ['off', 'journald'],
    default: 'off',
    ifBad: 'fallback',
    text: 'Whether each announcement, end and failure is told to systemd’s journal as one structured record, for log collectors.',
  },
  'notifications.overdue': {
    kind: 'switch',
    default: true,
    ifBad: 'fallback',
    text: 'Tell me when a command overstays or was left behind.',
  },
  'notifications.beforeReap': {
    kind: 'switch',
    default: true,
    ifBad: 'fallback',
    text: 'Tell me before a command is ended.',
  },
  'notifications.afterReap': {
    kind: 'switch',
    default: true,
    ifBad: 'fallback',
    text: 'Tell me after a command was ended.',
  },
  'notifications.sound': {
    kind: 'switch',
    default: false,
    ifBad: 'fallback',
    text: 'Play a sound with notifications.',
  },
  'notifications.digest': {
    kind: 'switch',
    default: true,
    ifBad: 'fallback',
    text: 'Tell me once a week, by one quiet notification and above the jobs, what was freed and what repeats.',
  },
  appearance: {
    kind: 'choice',
    choices: ['system', 'light', 'dark'],
    default: 'system',
    ifBad: 'fallback',
    text: 'Light, dark, or as the system has it.',
  },
  language: {
    kind: 'choice',
    choices: ['system', 'en', 'de'],
    default: 'system',
    ifBad: 'fallback',
    text: 'The language of windows, notifications and command line; as the system has it there on a terminal only. JSON stays English.',
  },
  shortcut: {
    kind: 'choice',
    choices: [
      'off',
      'CommandOrControl+Alt+C',
      'CommandOrControl+Alt+J',
      'CommandOrControl+Shift+Y',
      'Alt+Shift+C',
      'Alt+Shift+J',
    ],
    // A shortcut that the user did not choose would take keys from other programs.
    default: 'off',
    ifBad: 'fallback',
    text: 'The keys that open the popover of the desktop app from everywhere. CommandOrControl is ⌘ on macOS.',
  },
  ...guardRows,
} as const satisfies SettingRows;
