import type { KernelRow } from '../kernel/process-rows.ts';

/** A process that was seen. */
export interface SeenProcess {
  readonly pid: number;
  readonly startTicks: number;
}

/** The rows of one look. */
export interface LivingRows {
  readonly rows: ReadonlyMap<number, KernelRow>;
  /** Every process is among them. */
  readonly complete: boolean;
  /** The moment of the look, in the unit of starts. */
  readonly nowTicks: number;
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
 * could not be read. `clock`: the start lies in the future, so that the clock was set back and
 * "older" means nothing.
 */
export type ParentDoubt = 'none' | 'unread' | 'clock';

/** Returns whether the parent that was found, or that there is none, is certain. */
export const doubtOf = (row: KernelRow, parent: KernelRow | null, { complete, nowTicks }: LivingRows): ParentDoubt => {
  if (row.startTicks > nowTicks + toleranceTicks) return 'clock';
  return parent === null && row.parent !== 0 && !complete ? 'unread' : 'none';
};
