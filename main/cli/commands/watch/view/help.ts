import type { Line } from './details.ts';

const keys: readonly (readonly [string, string])[] = [
  ['j k, arrows', 'select; PgUp, PgDn, g and G go further'],
  ['Enter', 'everything about the selected job, and back'],
  ['r', 'end it, after a question; once more during the wait: KILL now'],
  ['K', 'keep it 30 min (at most to the hard cap), or undo that'],
  ['/', 'search for words of command, project, agent, host or job id; Esc shows all again'],
  ['s, S', 'sort by urgency, age, memory, CPU, project, agent; S turns the order round'],
  ['a', 'show protected jobs and servers that are only shown, too'],
  ['q, Ctrl-C', 'stop watching; what is being ended is seen through first'],
];

const states: readonly (readonly [string, string])[] = [
  ['ends in …', 'it is ended then, unless you keep it'],
  ['left over', 'its session has ended, and it still runs'],
  ['probably left over', 'only marks say that an agent started it; ended by you alone'],
  ['overdue', 'older than its limit'],
  ['past the hard cap', 'older than the hard cap, which ends every job'],
  ['running', 'within its limits; nothing to do'],
  ['kept', 'kept by you, by an exemption, or because something uses it'],
  ['protected', 'never signalled; its details say why'],
];

const width = 18;

const lines = (entries: readonly (readonly [string, string])[]): readonly Line[] =>
  entries.map(([key, text]) => ({ text: `  ${key.padEnd(width)} ${text}`, tone: 'quiet', heading: false }));

/** The keys and the words of the view. */
export const helpLines: readonly Line[] = [
  { text: 'Keys', tone: 'quiet', heading: true },
  ...lines(keys),
  { text: '', tone: 'quiet', heading: false },
  { text: 'States', tone: 'quiet', heading: true },
  ...lines(states),
];
