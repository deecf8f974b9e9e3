import type { Decider, Incident } from '../../app/history/incident.ts';
import type { JobId } from '../../app/jobs/model/job.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import { confirmTwice, sightingOf } from './confirm-twice.ts';
import { planFor } from './plan.ts';
import type { ReaperProgress } from './progress.ts';
import type { Reaper } from './reaper.ts';

/** Why a job was not even taken up when the user asked for its end. */
export type Refusal =
  /** It is not there (any more). */
  | { readonly kind: 'not-found' }
  /**
   * It was not there at the look before, or hung on another process: what the user saw is not what
   * is there now.
   */
  | { readonly kind: 'changed' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unrecordable'; readonly problem: Error }
  /** Curfew itself is ending. */
  | { readonly kind: 'stopping' };

/** What came at once of the user's order to end a job. */
export type PersonalReap =
  | Refusal
  /** Recorded, and its processes were asked to end; `incident` is the id. */
  | { readonly kind: 'begun'; readonly incident: string }
  /** Over already: a veto spared it, or it had ended by itself. */
  | { readonly kind: 'ended'; readonly incident: Incident }
  /** Given up; nothing was signalled, or nothing more. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** A job of a look, or an agent that the user may end at that look. */
const endableIn = (look: Look | null, id: JobId): JudgedJob | undefined =>
  look?.jobs.get(id) ?? (look?.agents?.some(({ job }) => job === id) === true ? look.agentJobs?.get(id) : undefined);

/**
 * A job that two looks found with the same process as its root, or why what the user saw can't be
 * ended.
 */
export const confirmRequested = (
  id: JobId,
  before: Look | null,
  now: Look,
): Refusal | { readonly kind: 'confirmed'; readonly judged: JudgedJob } => {
  const judged = endableIn(now, id);
  if (judged === undefined) return { kind: 'not-found' };
  const earlier = endableIn(before, id);
  // The user has looked at the first of the two: that it is a moment ago doesn't matter.
  const isSeenTwice =
    before !== null && earlier !== undefined && confirmTwice(sightingOf(before, earlier), now, judged, 0);
  return isSeenTwice ? { kind: 'confirmed', judged } : { kind: 'changed' };
};

/**
 * Takes a job up for the user, or for the session that it belongs to: only one that was seen at two
 * looks with the same process as its root, and of which a record can be kept. Vetoes are the
 * reaper's to ask, whatever decided.
 */
export const takeUp = (
  id: JobId,
  before: Look | null,
  now: Look,
  tools: {
    readonly reaper: Reaper;
    readonly settings: () => Settings;
    readonly journalProblem: () => Error | null;
    /** Left out: the user. */
    readonly decidedBy?: Extract<Decider, 'person' | 'agent'>;
  },
): Refusal | { readonly kind: 'taken'; readonly judged: JudgedJob } => {
  if (tools.reaper.inProgress.some(({ order }) => order.job === id) && endableIn(now, id) !== undefined)
    return { kind: 'busy' };
  const seen = confirmRequested(id, before, now);
  if (seen.kind !== 'confirmed') return seen;
  const { judged } = seen;
  const problem = tools.journalProblem();
  if (problem !== null) return { kind: 'unrecordable', problem };
  const { decidedBy = 'person' } = tools;
  const order = { job: id, decidedBy, plan: planFor(judged.job, tools.settings()) };
  return tools.reaper.start(order, judged) ? { kind: 'taken', judged } : { kind: 'busy' };
};

/** What came of the order to end one of several jobs: its reaping has not begun yet. */
export type TakenUp = ReturnType<typeof takeUp>;

/** What came of an order that was taken up, after its first pass. */
export const cameOf = (id: JobId, { ended, failed }: ReaperProgress, reaper: Reaper): PersonalReap => {
  const incident = ended.find(({ job }) => job === id);
  const reaping = reaper.inProgress.find(({ order }) => order.job === id);
  if (reaping?.intent != null) return { kind: 'begun', incident: reaping.intent.id };
  if (incident !== undefined) return { kind: 'ended', incident };
  return { kind: 'failed', error: failed.find(({ job }) => job === id)?.error };
};
