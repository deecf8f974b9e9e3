import type { ProcessRow } from '../../../app/process/row.ts';
import { asGroupId, asKernelSessionId, asPid } from '../../../app/process/identity.ts';
import { argumentKey, argumentTextsIn, shortName, splitArguments, unvis } from '../darwin/ps/ps-arguments.ts';
import { fieldColumns, fieldsIn, lstart } from '../darwin/ps/ps-fields.ts';
import type { ObservedProcess } from './observed-process.ts';

/**
 * Start times that ps tells are in microseconds, in whole seconds, as on a Mac that is looked at
 * from itself. They and the present are told by the clock over there: ours doesn't matter, but
 * macOS keeps the time of day at which a process began, so one that began before that clock was put
 * forward seems older.
 */
export const psTicksPerSecond = 1_000_000;

/** The columns that ps is asked for; the script knows the name that `sess` has there. */
export const psColumns = fieldColumns({ session: '"$curfew_session="', terminal: 'tty' });

const started = new RegExp(String.raw`^\s*(?:(?<pid>\d+) +)?(?<started>${lstart})\s*$`, 'u');

/** The start time in what ps prints for `lstart`, in `psTicksPerSecond`; null when it is none. */
export const psStartTicksIn = (text: string): number | null => {
  const told = started.exec(text)?.groups?.['started'];
  const startMs = told === undefined ? Number.NaN : Date.parse(`${told} UTC`);
  return Number.isNaN(startMs) ? null : startMs * 1_000;
};

/** The start time in a line of ps, as the script reads it again: one word. */
export const psStartWord = (line: string): string | null =>
  fieldsIn(line)?.started.trim().replaceAll(/ +/gu, '_') ?? null;

export interface PsLines {
  readonly fields: readonly string[];
  readonly commands: readonly string[];
  /** Pids of the processes that seem to carry CURFEW_KEEP=1. */
  readonly kept: readonly string[];
  /** Pids and starts once more, at the end. */
  readonly started: readonly string[];
}

type ByPid = (pid: string) => ObservedProcess | null;

/**
 * Sorts what ps printed to its processes. Of environments only CURFEW_KEEP=1 is known, where a
 * process seems to carry it. Nothing is known of open files, control groups and ports.
 */
export const takePsLines = ({ fields, commands, kept, started: again }: PsLines, of: ByPid): void => {
  const texts = argumentTextsIn(commands.join('\n'));
  for (const line of fields) {
    const told = fieldsIn(line);
    if (told === null || told.pid === 0) continue;
    const process = of(String(told.pid));
    if (process === null) continue;
    process.uid = told.uid;
    process.stat = line;
    const text = texts.get(argumentKey(told.pid, told.started));
    if (text !== undefined) process.arguments.push(text);
  }
  for (const pid of kept) {
    const process = of(pid);
    if (process === null) continue;
    process.environment.push('CURFEW_KEEP=1');
    process.environmentReadable = true;
  }
  for (const line of again) {
    const pid = started.exec(line)?.groups?.['pid'];
    const process = pid === undefined || pid === '0' ? null : of(pid);
    if (process !== null) process.startAfter = line;
  }
};

/** A process's row as ps told it; null when it is none, or what it carries out is not told. */
export const psRow = (process: ObservedProcess): ProcessRow | null => {
  const fields = fieldsIn(process.stat ?? '');
  if (fields?.pid !== process.pid) return null;
  const text = unvis(Buffer.from(process.arguments[0] ?? '', 'latin1').toString('utf8'));
  const { pid, pgid, session, sessionLeader, state } = fields;
  const known = session > 0 ? session : pgid;
  return {
    pid: asPid(pid),
    ppid: asPid(fields.ppid),
    pgid: asGroupId(pgid),
    // Where the session is not told, the group stands for it, as on a Mac that is looked at from
    // itself.
    sid: asKernelSessionId(sessionLeader ? pid : known),
    tty: fields.tty,
    state,
    startTicks: fields.startMs * 1_000,
    cpuMs: fields.cpuMs,
    rssBytes: fields.rssBytes,
    uid: fields.uid,
    comm: shortName(text),
    argv: state === 'Z' ? [] : splitArguments(text),
    kernelThread: false,
  };
};
