import { cpuPercentSince, probeOf, secondsSince, sumOf, type Finder, type Subject } from './subject.ts';
import type { SpinWatch } from './watch.ts';

/** From this share of one core on a job burns processor time, percent. */
const burning = 50;
/** Share for one that never yielded: on a busy machine a loop gets no more than its turn. */
const crowdedOut = 15;
/** On a machine where dozens wait for their turn it is less still, percent. */
const minPercent = 1;

/**
 * All that a process at work changes sooner or later, as one text: bytes read and written, output,
 * memory touched for the first time, which processes belong to the job. null where a part of it
 * can't be read: then a silent computation can't be told from a loop.
 */
const stillness = (subject: Subject): string | null => {
  const { ioBytes, outputBytes, members, probe } = subject;
  if (probe === null || ioBytes === null) return null;
  const faults = sumOf(subject, ({ pid }) => probeOf(subject, pid)?.minorFaults ?? null);
  if (faults === null) return null;
  const who = members.reduce((sum, { row }) => sum + row.pid + row.startTicks, 0);
  return [ioBytes, outputBytes ?? '-', faults, members.length, who].join(':');
};

const switchesOf = (subject: Subject): number | null =>
  sumOf(subject, ({ pid }) => probeOf(subject, pid)?.switches ?? null);

/** Least share of first threads in the processor time: only their switches are counted. */
const firstShare = 0.8;

/** Processor time of first threads; that of a process with one thread is all of it. */
const firstThreadsMs = (subject: Subject): number | null =>
  sumOf(subject, ({ pid, cpuMs }) => {
    const own = probeOf(subject, pid);
    return own === null ? null : own.threads > 1 ? own.firstThreadCpuMs : cpuMs;
  });

/** True where no member yielded the processor since the last look; only first threads tell. */
const wasGreedy = (subject: Subject, before: SpinWatch, switches: number | null, firstMs: number | null): boolean => {
  if (switches === null || switches !== before.lastSwitches || firstMs === null || before.lastFirstMs === null)
    return false;
  return firstMs - before.lastFirstMs >= (subject.cpuMs - before.lastCpuMs) * firstShare;
};

/**
 * What is remembered after this look. A stretch breaks when anything but processor time changed, or
 * when too little of that was used.
 */
export const advanceSpin = (subject: Subject, before: SpinWatch | null): SpinWatch | null => {
  const still = stillness(subject);
  if (still === null) return null;
  const lastSwitches = switchesOf(subject);
  const lastFirstMs = firstThreadsMs(subject);
  const now = { lastTicks: subject.table.nowTicks, lastCpuMs: subject.cpuMs, lastSwitches, lastFirstMs, still };
  const fresh = { sinceTicks: subject.table.nowTicks, cpuMs: subject.cpuMs, greedy: true, ...now };
  if (before === null || before.still !== still) return fresh;
  const greedy = wasGreedy(subject, before, lastSwitches, lastFirstMs);
  const share = cpuPercentSince(subject, before.lastTicks, before.lastCpuMs);
  // Runnable with no voluntary context switch means starved, however little CPU it got.
  const waitsForTurn = greedy && subject.members.some(({ row }) => row.state === 'R');
  if (!waitsForTurn && share < (greedy ? crowdedOut : burning)) return fresh;
  return { ...before, ...now, greedy: before.greedy && greedy };
};

const hasConnection = ({ members, probe }: Subject): boolean =>
  members.some(({ row }) => (probe?.processes.get(row.pid)?.connections.length ?? 0) > 0);

/**
 * Minutes of processor time in which not a byte was read or written, no memory was touched for the
 * first time and no process came or went. A computation that only goes over what it has looks the
 * same, so it is called probable. What pauses in between and has a connection may be talking
 * through it: what goes over sockets with send(2) and recv(2) is counted for no process.
 */
export const findSpinning: Finder = (subject, { spin }) => {
  if (spin === null) return null;
  const seconds = secondsSince(subject, spin.sinceTicks);
  const cpuPercent = cpuPercentSince(subject, spin.sinceTicks, spin.cpuMs);
  // What wanted all of it the whole time got what others left.
  if (seconds < subject.patienceSeconds || cpuPercent < (spin.greedy ? minPercent : burning)) return null;
  if (!spin.greedy && hasConnection(subject)) return null;
  const busiest = subject.members.reduce<Subject['members'][number] | null>(
    (best, member) => (best === null || member.row.cpuMs > best.row.cpuMs ? member : best),
    null,
  );
  return {
    code: 'spinning',
    figures: {
      ...(busiest === null ? {} : { pid: busiest.row.pid }),
      cpuPercent: Math.round(cpuPercent),
      seconds,
      doubt: 1,
    },
  };
};
