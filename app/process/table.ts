import { awakeTicks, grainSeconds, type AwakeStretch } from './awake.ts';
import type { BootId, Pid, ProcessIdentity } from './identity.ts';
import type { ProcessRow } from './row.ts';

export interface ProcessTable {
  readonly bootId: BootId;
  /** Wall clock of the look, epoch milliseconds. For display and records; ages use ticks. */
  readonly takenAtMs: number;
  /** The moment of the look in the unit of `startTicks`. */
  readonly nowTicks: number;
  readonly ticksPerSecond: number;
  /** Ticks that this boot was suspended; null: unknown. Left out: it was not. */
  readonly suspendedTicks?: number | null;
  /**
   * Start times are of the wall clock, which can be set. Then `suspendedTicks` is all that this
   * clock gained on one that stands still in sleep, and less than none after a step back.
   */
  readonly clockIsSet?: boolean;
  /** Seconds awake since the boot at the look, see `ProcessRow`. Left out where it is not told. */
  readonly upSeconds?: number;
  /** When it was awake, as far as it was observed; left out: all the time. */
  readonly awake?: readonly AwakeStretch[];
  /** The user whose processes are candidates: the caller's, unless another was named. */
  readonly uid: number;
  readonly rows: ReadonlyMap<Pid, ProcessRow>;
  /** The process that took it, which is Curfew; left out where that is on another machine. */
  readonly self?: Pid;
  /** False when processes were hidden or a part unreadable: then absence proves nothing. */
  readonly complete: boolean;
  /** Rows that could not be read, or say too little. None if left out. */
  readonly unread?: number;
  /**
   * Listed but gone before they were read: a process that keeps forking and exiting hides there.
   * None if left out.
   */
  readonly missed?: number;
  /** What is known since this reader's last scan. Left out: nothing, and any pid may be reused. */
  readonly since?: {
    /** The moment of that scan, see `nowTicks`. */
    readonly nowTicks: number;
    /** False for a pid that the kernel has certainly not given out since. */
    readonly mayBeReused: (pid: number) => boolean;
  };
}

/** The identity of a row of this table. */
export const identityOf = (table: Pick<ProcessTable, 'bootId'>, row: ProcessRow): ProcessIdentity => ({
  bootId: table.bootId,
  pid: row.pid,
  startTicks: row.startTicks,
});

/** Age in seconds, with suspended time, never negative. For display: limits use `awakeSeconds`. */
export const ageSeconds = (table: ProcessTable, startTicks: number): number =>
  Math.max(0, (table.nowTicks - startTicks) / table.ticksPerSecond);

/**
 * Seconds that the machine was awake since a moment: what limits count, so that a night with the
 * lid closed ends nothing. Where that is not known exactly, the least that it can have been.
 */
export const awakeSeconds = (
  {
    awake = [],
    nowTicks,
    ticksPerSecond,
    clockIsSet,
  }: Pick<ProcessTable, 'awake' | 'nowTicks' | 'ticksPerSecond' | 'clockIsSet'>,
  sinceTicks: number,
): number =>
  awakeTicks(awake, sinceTicks, nowTicks, clockIsSet === true ? 2 * grainSeconds * ticksPerSecond : 0) / ticksPerSecond;

/**
 * Seconds that a process lived while the machine was awake: by its start on a clock that is never
 * set, where that is told, else as `awakeSeconds`.
 */
export const awakeAge = (
  table: Parameters<typeof awakeSeconds>[0] & Pick<ProcessTable, 'upSeconds'>,
  { startTicks, startUpSeconds }: Pick<ProcessRow, 'startTicks' | 'startUpSeconds'>,
): number =>
  startUpSeconds === undefined || table.upSeconds === undefined
    ? awakeSeconds(table, startTicks)
    : Math.max(0, table.upSeconds - startUpSeconds);

/** The moment of a wall clock in the unit of start times; never in the future. */
export const ticksAt = (table: Pick<ProcessTable, 'takenAtMs' | 'nowTicks' | 'ticksPerSecond'>, atMs: number): number =>
  table.nowTicks - (Math.max(0, table.takenAtMs - atMs) / 1000) * table.ticksPerSecond;

/** Wall clock of a start time, milliseconds since the epoch. */
export const startedAtMs = (table: ProcessTable, startTicks: number): number =>
  Math.round(table.takenAtMs - ageSeconds(table, startTicks) * 1000);

/** The row of an identity, or null when that process is gone or its pid now belongs to another. */
export const rowOf = (table: ProcessTable, identity: ProcessIdentity): ProcessRow | null => {
  const row = table.rows.get(identity.pid);
  return row !== undefined && row.startTicks === identity.startTicks && table.bootId === identity.bootId ? row : null;
};
