import { say } from '../../../../app/text/say.ts';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ProcessRow } from '../../../../app/process/row.ts';
import type { ProcessTable } from '../../../../app/process/table.ts';
import { ProcessTableUnreadable } from '../../processes/source.ts';
import { noWindow } from '../../programs/child-window.ts';
import { passedOn } from '../../programs/passed-on.ts';
import type { ProcReader } from './proc-reader.ts';
import { StatFields, readStat } from './stat.ts';

/** By how much the clocks of our time namespace are ahead of those of process 1, in seconds. */
export interface ClockOffsets {
  readonly bootSeconds: number;
  readonly monotonicSeconds: number;
}

/** Returns the offsets in the text of /proc/PID/timens_offsets: time_namespaces(7). */
export const offsetsIn = (text: string): ClockOffsets => {
  const of = (clock: string): number => {
    const [, seconds, nanoseconds] = new RegExp(`^${clock}\\s+(-?\\d+)\\s+(\\d+)$`, 'mu').exec(text) ?? [];
    return seconds === undefined || nanoseconds === undefined ? 0 : Number(seconds) + Number(nanoseconds) / 1e9;
  };
  return { bootSeconds: of('boottime'), monotonicSeconds: of('monotonic') };
};

const offsetsOf = (pid: number | 'self'): ClockOffsets => {
  try {
    return offsetsIn(readFileSync(`/proc/${pid}/timens_offsets`, 'latin1'));
  } catch {
    // A kernel without time namespaces (before 5.6): nothing differs.
    return offsetsIn('');
  }
};

let known: ClockOffsets | null = null;

/**
 * Returns by how much our clocks are ahead of those of the machine or container, whose first
 * process is pid 1. The kernel tells the start of a process by the clock of the reader: without
 * this, a Curfew in a time namespace of its own would take every process for another than the one
 * that was remembered, and what the user keeps for what they don't.
 */
export const clockOffsets = (): ClockOffsets => {
  if (known !== null) return known;
  const [own, first] = [offsetsOf('self'), offsetsOf(1)];
  known = {
    bootSeconds: own.bootSeconds - first.bootSeconds,
    monotonicSeconds: own.monotonicSeconds - first.monotonicSeconds,
  };
  return known;
};

/** Seconds that the clock and a start known to be now may differ: Node may start slowly. */
const toleranceSeconds = 2;

/**
 * Returns the ticks in the text of /proc/uptime ("350735.47 234388.90"), or null. Its resolution is
 * a tick at 100 ticks a second, as everywhere but on alpha.
 */
export const uptimeTicks = (text: string, ticksPerSecond: number): number | null => {
  const match = /^(\d+)\.(\d\d)\s/.exec(text);
  return match === null
    ? null
    : Number(match[1]) * ticksPerSecond + Math.floor((Number(match[2]) * ticksPerSecond) / 100);
};

const startTicksIn = (stat: Buffer, length: number): number | null => {
  const fields = new StatFields();
  return readStat(stat, length, fields) ? fields.startTicks : null;
};

/** Returns a new process's start: the present in start times, whatever a container fakes. */
const startOfNewProcess = (): number => {
  const stat = execFileSync('cat', ['/proc/self/stat'], { env: passedOn(['PATH']), timeout: 10_000, ...noWindow });
  const start = startTicksIn(stat, stat.length);
  if (start === null) throw new Error('cat /proc/self/stat printed no start time');
  return start;
};

/**
 * The present in the unit of start times (field 22 of stat: ticks since boot, suspended time
 * included). /proc/uptime counts the same clock in the same time namespace, but lxcfs replaces it
 * in containers by the age of the container (https://github.com/lxc/lxcfs, proc_uptime_read), while
 * start times stay the host's. So it is compared with our own start time first; if the two differ,
 * with the start of a process started for the purpose.
 */
export class BootClock {
  readonly #reader: ProcReader;
  readonly #ticksPerSecond: number;
  /** Ticks by which /proc/uptime is behind. */
  #offset = 0;

  /** @throws ProcessTableUnreadable when there is no /proc/uptime */
  constructor(reader: ProcReader, ticksPerSecond: number) {
    this.#reader = reader;
    this.#ticksPerSecond = ticksPerSecond;
    // A shell that waited before it exec'ed us passes on its older start time, and a suspended
    // machine does not count in our uptime. A difference therefore only triggers the second
    // comparison.
    const length = reader.read('/proc/self/stat');
    const start = length === -1 ? null : startTicksIn(reader.bytes, length);
    const expected = start === null ? null : start + Math.round(process.uptime() * ticksPerSecond);
    if (expected === null || Math.abs(this.#uptime() - expected) > this.#tolerance) this.#calibrate();
  }

  /**
   * Returns the ticks since boot, by the clock of process 1.
   * @throws ProcessTableUnreadable when /proc/uptime can't be read
   */
  now(): number {
    return this.#uptime() + this.#offset - Math.round(clockOffsets().bootSeconds * this.#ticksPerSecond);
  }

  /** Give the latest start time of a table: one in the future proves the clock wrong. */
  check(latestStart: number): void {
    if (latestStart > this.now() + this.#tolerance) this.#calibrate();
  }

  /**
   * Returns the present as a scan with these rows tells it, corrected by them where it is behind.
   * CLOCK_BOOTTIME counts suspended time, CLOCK_MONOTONIC, which is Node's hrtime, does not
   * (clock_gettime(2)).
   */
  moment(rows: Iterable<ProcessRow>): Pick<ProcessTable, 'nowTicks' | 'suspendedTicks'> {
    let latest = 0;
    for (const row of rows) if (row.startTicks > latest) latest = row.startTicks;
    this.check(latest);
    const nowTicks = this.now();
    const awakeSeconds = Number(process.hrtime.bigint()) / 1e9 - clockOffsets().monotonicSeconds;
    return { nowTicks, suspendedTicks: Math.max(0, Math.round(nowTicks - awakeSeconds * this.#ticksPerSecond)) };
  }

  /** Sets the clock by the start time of a new process. Takes some milliseconds. */
  #calibrate(): void {
    try {
      const offset = startOfNewProcess() - this.#uptime();
      this.#offset = Math.abs(offset) > this.#tolerance ? offset : 0;
    } catch (error) {
      throw new ProcessTableUnreadable(
        say(
          'The age of processes is unknown: /proc/uptime does not match the start times of processes, and no process could be started to compare with.',
        ),
        { cause: error },
      );
    }
  }

  get #tolerance(): number {
    return toleranceSeconds * this.#ticksPerSecond;
  }

  #uptime(): number {
    const length = this.#reader.read('/proc/uptime', 64);
    const ticks =
      length === -1 ? null : uptimeTicks(this.#reader.bytes.toString('latin1', 0, length), this.#ticksPerSecond);
    if (ticks === null)
      throw new ProcessTableUnreadable(say('/proc/uptime can not be read, so the age of processes is unknown.'));
    return ticks;
  }
}
