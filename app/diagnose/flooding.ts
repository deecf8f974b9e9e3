import type { OutputFile } from './probe.ts';
import type { Finder, Subject } from './subject.ts';
import type { FloodWatch } from './watch.ts';

/** Below this an output is only long; bytes. */
const minBytes = 64_000_000;
/** Too fast for any reader; bytes a second. */
const flood = 1_000_000;
/** Slower growth counts where the disk would be full within this time, seconds. */
const soonFullSeconds = 3600;

const largest = ({ probe }: Subject): OutputFile | null =>
  (probe?.outputs ?? []).reduce<OutputFile | null>(
    (best, file) => (best === null || file.bytes > best.bytes ? file : best),
    null,
  );

/**
 * What is remembered after this look: the rate is taken between one and two times the patience, so
 * a burst at the start is forgotten.
 */
export const advanceFlood = (subject: Subject, before: FloodWatch | null): FloodWatch | null => {
  const file = largest(subject);
  if (file === null) return null;
  const { nowTicks, ticksPerSecond } = subject.table;
  const now = { stepTicks: nowTicks, stepBytes: file.bytes, lastBytes: file.bytes };
  if (before === null || before.path !== file.path || file.bytes < before.lastBytes)
    return { path: file.path, fromTicks: nowTicks, fromBytes: file.bytes, ...now };
  if (nowTicks - before.stepTicks < subject.patienceSeconds * ticksPerSecond)
    return { ...before, lastBytes: file.bytes };
  return { path: file.path, fromTicks: before.stepTicks, fromBytes: before.stepBytes, ...now };
};

/**
 * Reports an output file that grows faster than any reader follows, or that will have filled the
 * disk within the hour.
 */
export const findFlooding: Finder = (subject, { flood: watch }) => {
  const file = largest(subject);
  if (file === null || watch === null || watch.path !== file.path || file.bytes < minBytes) return null;
  const seconds = (subject.table.nowTicks - watch.fromTicks) / subject.table.ticksPerSecond;
  if (seconds < subject.patienceSeconds) return null;
  const bytesPerSecond = Math.round((file.bytes - watch.fromBytes) / seconds);
  const fullInSeconds =
    file.freeBytes === null || bytesPerSecond <= 0 ? null : Math.round(file.freeBytes / bytesPerSecond);
  if (bytesPerSecond < flood && (fullInSeconds === null || fullInSeconds > soonFullSeconds)) return null;
  return {
    code: 'flooding-output',
    figures: {
      file: file.path,
      bytes: file.bytes,
      bytesPerSecond,
      ...(file.freeBytes === null ? {} : { freeBytes: file.freeBytes }),
      ...(fullInSeconds === null ? {} : { fullInSeconds }),
    },
  };
};
