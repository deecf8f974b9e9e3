import type { ProcessState } from '../../../../app/process/row.ts';
import { consoleNumber } from '../kernel/process-rows.ts';

/**
 * The column names that differ between versions of `ps`. Apple's are documented at
 * https://ss64.com/mac/ps.html; the source of its output is adv_cmds/ps/print.c. Only our tests
 * read procps.
 */
export interface PsDialect {
  /**
   * Kernel session. Apple's `sess` prints 0 for every process since 10.13 at the latest
   * (https://github.com/dalance/procs/issues/359).
   */
  readonly session: string;
  readonly terminal: string;
}

/** Columns of fixed form, which no process can write into. */
export const fieldColumns = (dialect: PsDialect): readonly string[] => [
  'pid',
  'ppid',
  'pgid',
  dialect.session,
  dialect.terminal,
  'uid',
  'stat',
  'lstart',
  'time',
  'rss',
];

export interface PsFields {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  /** 0 if ps does not report it. */
  readonly session: number;
  readonly sessionLeader: boolean;
  readonly tty: number;
  readonly uid: number;
  readonly state: ProcessState;
  readonly started: string;
  /** Milliseconds since the epoch; whole seconds. */
  readonly startMs: number;
  readonly cpuMs: number;
  readonly rssBytes: number;
}

/** "Thu Nov 21 03:35:00 2026", what lstart prints in the C locale. */
export const lstart = String.raw`\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}`;

const columns = String.raw`^\s*(?<pid>\d+)\s+(?<ppid>\d+)\s+(?<pgid>-?\d+)\s+(?<session>[0-9a-f]+|-)\s+(?<tty>\S+)\s+(?<uid>-?\d+)\s+(?<state>\S+)\s+(?<started>${lstart})\s+(?<time>[\d:.-]+)\s+(?<rss>\d+)`;
const line = new RegExp(String.raw`${columns}\s*$`);

/** Apple's letters: I sleeps for long, U waits uninterruptibly. */
const states: Readonly<Record<string, ProcessState>> = {
  R: 'R',
  S: 'S',
  I: 'S',
  U: 'D',
  D: 'D',
  T: 'T',
  t: 't',
  Z: 'Z',
};

/** An X after the state: a debugger or tracer holds the process (ps(1) of macOS and FreeBSD). */
const stateOf = (text: string): ProcessState => {
  const state = states[text.charAt(0)] ?? '?';
  return state !== 'Z' && text.slice(1).includes('X') ? 't' : state;
};

/**
 * Returns the milliseconds of a CPU time, `12:34.56` (Apple: minutes, seconds) or `1-02:03:04`
 * (procps: days, hours, minutes, seconds); null for another form.
 */
export const cpuTimeMs = (text: string): number | null => {
  const match = /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d{2})(?:\.(\d{2}))?$/.exec(text);
  if (match === null) return null;
  const [days, hours, minutes, seconds, hundredths] = match.slice(1).map((part) => Number(part ?? 0));
  return (
    ((((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1_000 + (hundredths ?? 0) * 10
  );
};

/** Returns a terminal as a number: device "16/3" as its own, another name as 1, none ("??") 0. */
export const terminalNumber = (text: string): number => {
  const device = /^(\d+)\/(\d+)$/.exec(text);
  if (device !== null) return Number(device[1]) * 2 ** 24 + Number(device[2]) || consoleNumber;
  return /^(\?+|-)$/.test(text) ? 0 : 1;
};

/** uids are unsigned; ps of macOS prints the user `nobody` as -2. */
const unsigned = (uid: number): number => (uid < 0 ? uid + 2 ** 32 : uid);

/** Reads one line of fields, printed with LC_ALL=C and TZ=UTC; null when it has another form. */
export const fieldsIn = (text: string): PsFields | null => {
  const groups = line.exec(text)?.groups;
  if (groups === undefined) return null;
  const {
    pid = '',
    ppid = '',
    pgid = '',
    session = '',
    tty = '',
    uid = '',
    state = '',
    started = '',
    time = '',
    rss = '',
  } = groups;
  const startMs = Date.parse(`${started} UTC`);
  const cpuMs = cpuTimeMs(time);
  if (Number.isNaN(startMs) || cpuMs === null) return null;
  return {
    pid: Number(pid),
    ppid: Number(ppid),
    pgid: Number(pgid),
    // Apple prints a nonzero session as a hexadecimal address; only a plain pid is useful.
    session: /^\d+$/.test(session) && Number(session) <= 2 ** 22 ? Number(session) : 0,
    sessionLeader: state.slice(1).includes('s'),
    tty: terminalNumber(tty),
    uid: unsigned(Number(uid)),
    state: stateOf(state),
    started,
    startMs,
    cpuMs,
    rssBytes: Number(rss) * 1_024,
  };
};
