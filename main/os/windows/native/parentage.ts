import type { KernelRow } from '../kernel/process-rows.ts';

export interface SeenProcess {
  readonly pid: number;
  readonly startTicks: number;
}

export interface LivingRows {
  readonly rows: ReadonlyMap<number, KernelRow>;
  /** Every process is among them. */
  readonly complete: boolean;
  /** The moment of the look, in the unit of starts. */
  readonly nowTicks: number;
  /** What the clock gained on the time awake, see `gainedTicks`; null: unknown. */
  readonly gainedTicks: number | null;
  /** The most that it had gained before in this boot: it was set back by what it lost since. */
  readonly maxGainedTicks: number;
}

/**
 * Returns the row of the parent; null where the process that has its number is younger: Windows
 * never changes a parent id, and hands the number out again.
 */
export const validParent = (row: KernelRow, { rows }: LivingRows): KernelRow | null => {
  const parent = rows.get(row.parent);
  return parent !== undefined && parent.pid !== row.pid && parent.startTicks <= row.startTicks ? parent : null;
};

/** Returns the row of the parent that was seen before; null where it has ended. */
export const stillThere = (parent: SeenProcess | null, { rows }: LivingRows): KernelRow | null => {
  const row = parent === null ? undefined : rows.get(parent.pid);
  return row !== undefined && row.startTicks === parent?.startTicks ? row : null;
};

/** The clock of a look and that of a start may differ by so much: 2 s. */
const toleranceTicks = 20_000_000;

/**
 * Whether the parent of a process is known for certain. `unread`: it may be among the rows that
 * could not be read. `clock`: the clock was set back, so that "older" means nothing.
 */
export type ParentDoubt = 'none' | 'unread' | 'clock';

/** Returns by how much the clock was set back, as far as it is known. */
const setBackTicks = ({ gainedTicks, maxGainedTicks }: LivingRows): number =>
  gainedTicks === null ? 0 : Math.max(0, maxGainedTicks - gainedTicks);

/** True if it says it began before a look that missed it, by the clocks of then and now. */
const beganUnseen = (row: KernelRow, now: LivingRows, whole: LivingRows): boolean => {
  const moved = now.gainedTicks === null || whole.gainedTicks === null ? 0 : now.gainedTicks - whole.gainedTicks;
  return row.startTicks < Math.min(whole.nowTicks, whole.nowTicks + moved) - toleranceTicks;
};

/**
 * Returns whether the parent that was found, or that there is none, is certain.
 * @param whole the look before, where this process is new and that look listed all
 */
export const doubtOf = (
  row: KernelRow,
  parent: KernelRow | null,
  living: LivingRows,
  whole: LivingRows | null,
): ParentDoubt => {
  const { rows, complete, nowTicks } = living;
  if (row.startTicks > nowTicks + toleranceTicks) return 'clock';
  if (whole !== null && beganUnseen(row, living, whole)) return 'clock';
  const listed = parent === null ? rows.get(row.parent) : undefined;
  const setBack = setBackTicks(living);
  // What has the parent's number is younger, and may only look so.
  if (
    listed !== undefined &&
    setBack > toleranceTicks &&
    listed.startTicks - row.startTicks <= setBack + toleranceTicks
  )
    return 'clock';
  return parent === null && row.parent !== 0 && !complete ? 'unread' : 'none';
};
