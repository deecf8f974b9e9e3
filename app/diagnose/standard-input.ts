import type { MemberFacts } from '../process/facts.ts';
import { hasEnded, type ProcessRow } from '../process/row.ts';
import { probeOf, type Finder, type Subject } from './subject.ts';
import { waitedSeconds } from './waits.ts';

/** What a file is, for users. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^\/dev\/(?:pts\/\d+|tty|console)/u, 'a terminal'],
  [/^pipe:/u, 'a pipe'],
  [/^socket:/u, 'a socket'],
];

/**
 * The device number of a pseudo terminal as field 7 of stat prints it; null for what is none. Major
 * numbers 136 to 143, 256 terminals each: https://docs.kernel.org/admin-guide/devices.html
 */
const terminalNumber = (path: string): number | null => {
  const index = /^\/dev\/pts\/(\d{1,4})$/u.exec(path)?.[1];
  return index === undefined ? null : (136 + Math.floor(Number(index) / 256)) * 256 + (Number(index) % 256);
};

/** A terminal that only the job uses was made for it; at any other the user may yet type. */
const isOwnTerminal = ({ table, members }: Subject, path: string): boolean => {
  const tty = terminalNumber(path);
  if (tty === null) return false;
  const own = new Set(members.map(({ row }) => row.pid));
  return [...table.rows.values()].every((row) => row.tty !== tty || own.has(row.pid) || hasEnded(row));
};

/** Whether another member holds that file, not as input: then the reader waits for that one. */
const isFedByJob = ({ members, facts }: Subject, reader: ProcessRow, input: string): boolean =>
  members.some(
    ({ row }) =>
      row.pid !== reader.pid && facts.get(row.pid)?.openFiles?.some(({ fd, target }) => fd !== 0 && target === input),
  );

/**
 * Whether a process is blocked reading its standard input. Where the machine tells only that it
 * reads, not of what (Yama keeps system calls from all but one's own descendants), it is so when it
 * has nothing else that it could read in that way.
 */
const readsInput = (subject: Subject, row: ProcessRow, own: MemberFacts): boolean => {
  if (own.blockedReading !== null) return own.blockedReading === 0;
  const probe = probeOf(subject, row.pid);
  if (probe?.wait?.kind !== 'read' || probe.wait.fd !== null) return false;
  const readable = probe.pipes.filter(({ access }) => access !== 'write');
  return readable.length > 0 && readable.every(({ fd }) => fd === 0);
};

const inputOf = (subject: Subject, row: ProcessRow): string | null => {
  const own = subject.facts.get(row.pid);
  if (own === undefined || !readsInput(subject, row, own)) return null;
  return own.openFiles?.find(({ fd }) => fd === 0)?.target ?? null;
};

/** The standard input that a member is blocked reading and that no member writes; null for none. */
export const awaitedInput = (subject: Subject, row: ProcessRow): string | null => {
  const input = inputOf(subject, row);
  if (input === null) return null;
  if (input.startsWith('/dev/')) return isOwnTerminal(subject, input) ? input : null;
  return isFedByJob(subject, row, input) ? null : input;
};

/**
 * A member that is blocked reading its standard input, where no member writes what it waits for:
 * `sleep 9 | cat` waits for its own sleep, and that is no waiting on input. A terminal outside the
 * job is none either. Never a server, which waits there for the next request of its agent.
 */
export const findStandardInput: Finder = (subject, watch) => {
  if (subject.serves) return null;
  for (const { row } of subject.members) {
    const input = awaitedInput(subject, row);
    if (input === null) continue;
    const seconds = waitedSeconds(subject, watch, row);
    return {
      code: 'waiting-on-stdin',
      figures: {
        pid: row.pid,
        file: input,
        kind: kinds.find(([form]) => form.test(input))?.[1] ?? 'a named pipe or file',
        ...(seconds === null || seconds === 0 ? {} : { seconds }),
      },
    };
  }
  return null;
};
