import type { ReachWitness, Totals } from '../jobs/lineage/witness.ts';
import { awakeSeconds, type ProcessTable } from '../process/table.ts';

/** Seconds awake for which an agent must be seen out of reach and quiet. */
export const reachPatienceSeconds = 15 * 60;

/** Looks that are closer are not compared: processor time has a grain of 10 ms. */
const minIntervalSeconds = 0.8;
/** After a longer time without a look a short burst would not show, so less counts as work. */
const maxIntervalSeconds = 120;
/**
 * Idle agents used 0 to 1 % of a core, Gemini CLI and opencode 2 to 4 (measured). A share is of one
 * core.
 */
const busyShare = { watched: 0.05, unwatched: 0.01 };
/** An idle event loop reads eight bytes a wake-up; one line of a transcript is longer than this. */
const workBytes = 1024;
/** An idle Claude Code with a terminal or a client moves 800 bytes a minute (2.1.330, measured). */
const reachableBytes = 4096;
/** Bytes in a whole still stretch; any tool call reads and writes more. */
const stillBytes = 512;
const stillShare = 0.01;
const stillCpuMs = 100;
/** A moment of work is noted this far ahead, so that the next looks have nothing to write. */
const aheadSeconds = 60;

/** What one look measured of an agent's process. */
export interface ReachMeasure {
  readonly pid: number;
  readonly startTicks: number;
  readonly ends: ReachWitness['ends'];
  readonly totals: Totals;
}

type Clock = Pick<ProcessTable, 'awake' | 'nowTicks' | 'ticksPerSecond' | 'clockIsSet'>;

const isBusy = (before: Totals, now: Totals, seconds: number): boolean => {
  const share = seconds > maxIntervalSeconds ? busyShare.unwatched : busyShare.watched;
  return (now.cpuMs - before.cpuMs) / 1000 > share * seconds;
};

/** What could not be read may be work. */
const movedBytes = (before: Totals, now: Totals, seconds: number, bytes: number): boolean =>
  before.ioBytes === null ||
  now.ioBytes === null ||
  now.ioBytes - before.ioBytes > bytes * Math.max(1, seconds / maxIntervalSeconds);

const isStill = (from: Totals, now: Totals, seconds: number): boolean =>
  from.ioBytes !== null &&
  now.ioBytes !== null &&
  now.ioBytes - from.ioBytes <= stillBytes &&
  now.cpuMs - from.cpuMs <= stillCpuMs + stillShare * seconds * 1000;

/**
 * What is remembered of an agent after one more look, and what the next look is to be compared
 * with. Pure.
 * @param before what earlier looks remember of it; null: nothing, or it is another process
 * @param latest what this process compared with last; null: it has seen it for the first time
 */
export const observeReach = (
  before: ReachWitness | null,
  latest: Totals | null,
  { totals, ...now }: ReachMeasure,
  clock: Clock,
): { readonly witness: ReachWitness; readonly latest: Totals } => {
  const { nowTicks, ticksPerSecond } = clock;
  if (before === null || before.ends !== now.ends || before.sinceTicks > nowTicks)
    return {
      witness: {
        kind: 'reach',
        ...now,
        sinceTicks: nowTicks,
        // What it did under another state still counts as done.
        workTicks: before?.workTicks ?? null,
        busyTicks: before?.busyTicks ?? null,
        measured: totals,
        still: totals,
      },
      latest: totals,
    };
  const from = latest ?? before.measured;
  const seconds = awakeSeconds(clock, from.atTicks);
  if (seconds < minIntervalSeconds) return { witness: before, latest: from };
  const worked = movedBytes(from, totals, seconds, now.ends === 'other' ? reachableBytes : workBytes);
  const busy = isBusy(from, totals, seconds);
  const aheadTicks = nowTicks + aheadSeconds * ticksPerSecond;
  const noted = (known: number | null): number => (known !== null && known >= nowTicks ? known : aheadTicks);
  const still = isStill(before.still, totals, awakeSeconds(clock, before.still.atTicks));
  const changed = (worked && (before.workTicks ?? -1) < nowTicks) || (busy && (before.busyTicks ?? -1) < nowTicks);
  const stillAhead = before.still.atTicks > nowTicks;
  if (!changed && (still || stillAhead)) return { witness: before, latest: totals };
  return {
    witness: {
      ...before,
      workTicks: worked ? noted(before.workTicks) : before.workTicks,
      busyTicks: busy ? noted(before.busyTicks) : before.busyTicks,
      measured: totals,
      still: still || stillAhead ? before.still : { ...totals, atTicks: aheadTicks },
    },
    latest: totals,
  };
};

/** Seconds awake since a moment; none for one that lies ahead. */
export const secondsSince = (clock: Clock, ticks: number): number =>
  ticks >= clock.nowTicks ? 0 : awakeSeconds(clock, ticks);

/**
 * Whether an agent that is proved to be out of reach cannot have started a job: it was seen so
 * before the job began, and nothing that a tool call reads, writes or computes was seen of it
 * since.
 */
export const cannotHaveStarted = (witness: ReachWitness, begunTicks: number): boolean =>
  witness.ends !== 'other' && witness.sinceTicks < begunTicks && witness.still.atTicks < begunTicks;
