import { readFileSync } from 'node:fs';

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
