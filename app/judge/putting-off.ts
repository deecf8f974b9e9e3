import type { Keep } from '../jobs/spared/spared.ts';
import type { Job } from '../model/job.ts';
import type { ProcessTable } from '../process/table.ts';
import type { Settings } from '../settings/settings.ts';

/** How long a job is to be put off, and by whom. */
export interface PuttingOff {
  readonly seconds: number;
  readonly by: Keep['by'];
}

/** A keep that may be written down, or the cap that leaves no room for one, seconds. */
export type PutOff =
  | { readonly kind: 'keep'; readonly keep: Keep; readonly atHardCap: boolean }
  | { readonly kind: 'past-cap'; readonly capSeconds: number };

/** The age at which the hard cap of a job lies now, seconds. */
const capOf = (job: Pick<Job, 'run' | 'capSeconds'>, settings: Settings): number =>
  job.run?.hardCapSeconds ?? Math.max(settings.backgroundMaxElapsedSecondsHardCap, job.capSeconds ?? 0);

/** The user was told that the cap ends it: its end is announced, or it is past the cap. */
const isToldOfCap = (
  { ageSeconds, announcedSeconds }: Pick<Job, 'ageSeconds' | 'announcedSeconds'>,
  capSeconds: number,
  { noticeSeconds }: Settings,
): boolean => ageSeconds >= capSeconds || (announcedSeconds !== null && capSeconds - ageSeconds <= noticeSeconds);

/**
 * How a job may be put off from a look on: to its hard cap at most. Once told of the cap the user
 * moves the cap of this one job, by one hard cap at most; a session never does, and a `curfew run`
 * is held to its own cap.
 */
export const putOff = (
  job: Pick<Job, 'run' | 'capSeconds' | 'ageSeconds' | 'announcedSeconds'>,
  { table, settings }: { readonly table: Pick<ProcessTable, 'nowTicks'>; readonly settings: Settings },
  { seconds, by }: PuttingOff,
): PutOff => {
  const capSeconds = capOf(job, settings);
  const moves = by === 'user' && job.run === undefined && isToldOfCap(job, capSeconds, settings);
  const cap = settings.backgroundMaxElapsedSecondsHardCap;
  const maxAge = moves ? Math.max(capSeconds, job.ageSeconds) + cap : capSeconds;
  const left = Math.min(seconds, maxAge - job.ageSeconds);
  if (left <= 0) return { kind: 'past-cap', capSeconds };
  // What was moved stays moved until it is taken back.
  const moved = moves ? Math.max(capSeconds, job.ageSeconds + left) : (job.capSeconds ?? null);
  const keep: Keep = { fromTicks: table.nowTicks, seconds: left, by, capSeconds: moved };
  return { kind: 'keep', keep, atHardCap: left < seconds };
};
