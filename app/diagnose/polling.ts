import { commandOf } from './lock.ts';
import { loopConditionOf, searchedProcess } from './loop-condition.ts';
import { cpuPercentSince, probeOf, secondsSince, sumOf, type Finder, type Subject } from './subject.ts';
import type { PollWatch } from './watch.ts';

/** Up to this share of one core a job only asks, percent. */
const idle = 5;
/** Pauses that make a habit. */
const minPauses = 3;

/** Which pauses go on: a child or process that sleeps. The same text is the same pause. */
const pauseOf = (subject: Subject): string =>
  subject.members
    .flatMap(({ row }) => {
      if (row.comm === 'sleep') return [`${row.pid}:${row.startTicks}`];
      const probe = probeOf(subject, row.pid);
      return probe?.wait?.kind === 'sleep' && probe.switches !== null ? [`${row.pid}:${probe.switches}`] : [];
    })
    .slice(0, 8)
    .join(' ');

/** Bytes of all output files; null where none can be seen, so that nothing can be said. */
const outputOf = ({ probe }: Subject): number | null =>
  probe === null || probe.outputs.length === 0 ? null : probe.outputs.reduce((sum, { bytes }) => sum + bytes, 0);

/** Bytes that members write, without the sleeping ones; null where not all can be seen. */
const writtenOf = (subject: Subject): number | null =>
  sumOf(subject, ({ comm, pid }) => (comm === 'sleep' ? 0 : (probeOf(subject, pid)?.writtenBytes ?? null)));

const shareOf = (subject: Subject, { sinceTicks, cpuMs }: PollWatch): number =>
  cpuPercentSince(subject, sinceTicks, cpuMs);

/** What a look leaves. A stretch breaks when output came or the job did more than ask. */
export const advancePoll = (subject: Subject, before: PollWatch | null): PollWatch | null => {
  const outputBytes = outputOf(subject);
  if (outputBytes === null) return null;
  const pause = pauseOf(subject);
  const goesOn = before !== null && before.outputBytes === outputBytes && shareOf(subject, before) < idle;
  if (!goesOn) {
    const { table, cpuMs } = subject;
    const written = pause === '' ? null : writtenOf(subject);
    return { sinceTicks: table.nowTicks, cpuMs, outputBytes, pause, pauses: 0, written, wrote: false };
  }
  if (pause === '' || pause === before.pause) return before;
  // Compared from pause to pause, when only sleeping members are there.
  const written = writtenOf(subject);
  const wrote = before.wrote || (written !== null && before.written !== null && written > before.written);
  return { ...before, pause, pauses: before.pauses + 1, written: written ?? before.written, wrote };
};

/** Who is in a polled lock file: a living process, or one that ended and won't remove it. */
const lockFigures = (subject: Subject): Readonly<Record<string, number | string>> => {
  const lock = subject.probe?.lockFile ?? null;
  if (lock === null) return {};
  if (lock.pid === null) return { file: lock.path };
  const command = commandOf(subject, lock.pid);
  return { file: lock.path, holder: lock.pid, ...(command === '' ? { holderGone: 1 } : { command }) };
};

const findsItself = (subject: Subject, condition: string): boolean => {
  const searched = searchedProcess(condition);
  return (
    searched !== null &&
    subject.members.some(({ row }) => row.comm !== 'pgrep' && row.argv.join(' ').includes(searched))
  );
};

/**
 * A job that goes to sleep again and again and writes nothing in between. What serves requests, and
 * a loop that is made to run for ever, are no polling; where the condition can't be read it is
 * called probable, and not said of what writes anything between its pauses. One that asks for a
 * lock file waits for a lock.
 */
export const findPolling: Finder = (subject, { poll }) => {
  if (poll === null || poll.pauses < minPauses) return null;
  const seconds = secondsSince(subject, poll.sinceTicks);
  if (seconds < subject.patienceSeconds) return null;
  if (subject.members.some(({ row }) => (subject.facts.get(row.pid)?.ports.length ?? 0) > 0)) return null;
  const condition = loopConditionOf(subject.command);
  if (condition.kind === 'regular' || (condition.kind === 'hidden' && poll.wrote)) return null;
  const lock = lockFigures(subject);
  if ('holder' in lock) return { code: 'waiting-for-lock', figures: { seconds, polls: 1, ...lock } };
  return {
    code: 'polling',
    figures: {
      seconds,
      ...(condition.kind === 'asked' ? { condition: condition.text } : {}),
      ...(condition.kind === 'hidden' ? { doubt: 1 } : {}),
      ...(condition.kind === 'asked' && findsItself(subject, condition.text) ? { itself: 1 } : {}),
      ...lock,
    },
  };
};
