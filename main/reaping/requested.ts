import type { Incident } from '../../app/history/incident.ts';
import type { JobId } from '../../app/jobs/model/job.ts';
import { identityKey } from '../../app/process/identity.ts';
import { identityOf } from '../../app/process/table.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import { planFor } from './plan.ts';
import type { Reaper } from './reaper.ts';

/** Why a job was not even taken up when a person asked for its end. */
export type Refusal =
  /** It is not there (any more). */
  | { readonly kind: 'not-found' }
  /** It was not there at the look before, or hung on another process: what the person saw is not what is there now. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unrecordable'; readonly problem: Error }
  /** Curfew itself is ending. */
  | { readonly kind: 'stopping' };

/** What came at once of a person's order to end a job. */
export type PersonalReap =
  | Refusal
  /** Recorded, and its processes were asked to end; `incident` is the id. */
  | { readonly kind: 'begun'; readonly incident: string }
  /** Over already: a veto spared it, or it had ended by itself. */
  | { readonly kind: 'ended'; readonly incident: Incident }
  /** Given up; nothing was signalled, or nothing more. */
  | { readonly kind: 'failed'; readonly error: unknown };

const rootOf = (look: Look, { job }: JudgedJob): string => identityKey(identityOf(look.table, job.root));

/** A job that was seen at two looks with the same process as its root, or why what the person saw can't be ended. */
export const seenTwice = (
  id: JobId,
  before: Look | null,
  now: Look,
): Refusal | { readonly kind: 'seen'; readonly judged: JudgedJob } => {
  const judged = now.jobs.get(id);
  if (judged === undefined) return { kind: 'not-found' };
  const earlier = before?.jobs.get(id);
  if (before === null || earlier === undefined || rootOf(before, earlier) !== rootOf(now, judged))
    return { kind: 'changed' };
  return { kind: 'seen', judged };
};

/**
 * Takes a job up for a person: only one that was seen at two looks with the same process as its root, and of which a record can be kept.
 * Vetoes are the reaper's to ask, whoever decided.
 */
export const takeUp = (
  id: JobId,
  before: Look | null,
  now: Look,
  tools: {
    readonly reaper: Reaper;
    readonly settings: () => Settings;
    readonly journalProblem: () => Error | null;
  },
): Refusal | { readonly kind: 'taken'; readonly judged: JudgedJob } => {
  if (tools.reaper.inProgress.some(({ order }) => order.job === id) && now.jobs.has(id)) return { kind: 'busy' };
  const seen = seenTwice(id, before, now);
  if (seen.kind !== 'seen') return seen;
  const { judged } = seen;
  const problem = tools.journalProblem();
  if (problem !== null) return { kind: 'unrecordable', problem };
  const order = { job: id, decidedBy: 'person', plan: planFor(judged.job, tools.settings()) } as const;
  return tools.reaper.start(order, judged) ? { kind: 'taken', judged } : { kind: 'busy' };
};
