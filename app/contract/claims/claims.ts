import type { Connection } from '../bridge.ts';
import type { SnapshotJob, Snapshot } from '../views/snapshot.ts';

/** True if the judge wants the job ended or the user told: what tray, popover and notices count. */
export const needsLook = (job: SnapshotJob): boolean => job.verdict.action !== 'none';

/** True if Curfew ends jobs automatically now. Otherwise no end may be announced. */
export const endsByItself = ({ mode, pausedUntil, health, platform }: Snapshot): boolean =>
  mode === 'enforce' && pausedUntil === null && health.journalWritable && platform.canReap;

/** False for a `curfew run` past its hard cap: a button that is always refused is not shown. */
export const canKeep = ({ verdict, run }: Pick<SnapshotJob, 'verdict' | 'run'>): boolean =>
  verdict.state !== 'past-cap' || run === undefined;

/**
 * What Curfew does now, as far as this view can know, the most limiting first:
 * - `offline`: the engine can't be reached; the shown state is old
 * - `signed-out`: this browser may not ask
 * - `starting`: nothing was checked yet
 * - `stale`: the last check is too long ago
 * - `paused`: no automatic endings, no notifications
 * - `report-only`: this machine allows no safe signals
 * - `unrecorded`: history can't be written, so nothing is ended automatically
 * - `observing`: by choice, or until a mode is chosen
 * - `enforcing`: overdue jobs and leftovers are ended
 */
export type WatchState =
  | 'offline'
  | 'signed-out'
  | 'starting'
  | 'stale'
  | 'paused'
  | 'report-only'
  | 'unrecorded'
  | 'observing'
  | 'enforcing';

export interface Claims {
  readonly watch: WatchState;
  /** The counts are those of a recent check. */
  readonly current: boolean;
  /** Jobs that need a look. */
  readonly needing: number;
  /** Leftovers of closed sessions that need no look yet: each has a countdown. */
  readonly leftover: number;
  /** What only marks name and is probably left over: ended by the user alone. */
  readonly probable: number;
  /** Jobs of living or unknown sessions within their limits. */
  readonly within: number;
  readonly kept: number;
  readonly protectedOnes: number;
  /** Agents that no user may be able to reach. */
  readonly agents: number;
}

/** A check is overdue after this many intervals, and after at least `minStaleMs`. */
const staleIntervals = 8;
const minStaleMs = 60_000;

const isStale = ({ health, settings }: Snapshot, nowMs: number): boolean =>
  health.lastLookAt !== null &&
  nowMs - Date.parse(health.lastLookAt) >
    Math.max(minStaleMs, settings.values.scanIntervalSeconds * 1000 * staleIntervals);

const watchOf = (snapshot: Snapshot, connection: Connection, nowMs: number): WatchState => {
  if (connection === 'lost') return 'offline';
  if (connection === 'signed-out') return 'signed-out';
  if (snapshot.health.lastLookAt === null) return 'starting';
  if (isStale(snapshot, nowMs)) return 'stale';
  if (snapshot.pausedUntil !== null) return 'paused';
  if (!snapshot.platform.canReap) return 'report-only';
  if (endsByItself(snapshot)) return 'enforcing';
  return snapshot.health.journalWritable ? 'observing' : 'unrecorded';
};

/** True for a job that a closed session left, from the first check on that finds it closed. */
export const isLeftover = ({ owner, verdict }: SnapshotJob): boolean =>
  owner === 'gone' && (verdict.state === 'orphaned' || verdict.state === 'past-cap');

/** True for what only marks name and is probably left over: no end of it is ever announced. */
export const isProbable = ({ verdict }: Pick<SnapshotJob, 'verdict'>): boolean => verdict.state === 'probable';

/**
 * Returns what may be claimed of a snapshot. Popover, page, tray and window titles all ask here, so
 * that none of them reassures while nothing is watched, ended or recent.
 * @param nowMs the engine's wall clock
 */
export const claimsOf = (snapshot: Snapshot, connection: Connection, nowMs: number): Claims => {
  const watch = watchOf(snapshot, connection, nowMs);
  const counts = { needing: 0, leftover: 0, probable: 0, within: 0, kept: 0, protectedOnes: 0 };
  for (const job of snapshot.jobs) {
    if (needsLook(job)) counts.needing += 1;
    else if (isLeftover(job)) counts.leftover += 1;
    else if (isProbable(job)) counts.probable += 1;
    else if (job.verdict.state === 'kept') counts.kept += 1;
    else if (job.verdict.state === 'protected') counts.protectedOnes += 1;
    else counts.within += 1;
  }
  const current = watch !== 'offline' && watch !== 'signed-out' && watch !== 'starting' && watch !== 'stale';
  return { watch, current, ...counts, agents: snapshot.agents.length };
};
