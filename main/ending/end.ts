import type { EndRefusal, Unrecordable } from '../../app/ending/refusal.ts';
import type { Incident } from '../../app/history/incident.ts';
import type { JobId } from '../../app/model/job.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import type { ReaperProgress, ReapingFailure } from '../reaping/drive.ts';
import type { Reaping, ReapingOrder } from '../reaping/reaping.ts';
import { confirmTwice, firstLookOf } from './two-looks.ts';

/**
 * Ends that are begun at one look. A mistake in a rule or a registry must not sweep a machine empty
 * at once; on another machine a look costs more, so there are fewer.
 */
const maxEnds = { here: 500, elsewhere: 50 } as const;

/** What ends jobs on one machine. */
export interface Ender {
  /** Jobs that are being ended now. */
  readonly inProgress: readonly Reaping[];
  /** Takes a reaping up; null if the job is being ended, or an automatic end lacks its notice. */
  readonly start: (order: ReapingOrder, judged: JudgedJob, look: Look) => Reaping | null;
}

export interface EndingMachine {
  readonly where: keyof typeof maxEnds;
  readonly reaper: Ender;
  /** Null when an incident can be recorded; else why not. */
  readonly journalProblem: () => Error | null;
}

/** A machine on which ends are seen through, where no supervisor does. */
export interface PassMachine extends EndingMachine {
  /** Completes the records that a Curfew left open which has ended. */
  readonly completeRecords: (look: Look) => void;
  /** Drives all that was begun to its end. */
  readonly finish: (look: Look, progressed: (progress: ReaperProgress) => void) => Promise<void>;
}

/** A record can be kept, so ends may begin. */
export interface Recordable {
  readonly kind: 'recordable';
  readonly begin: ReaperStart;
}

type ReaperStart = Ender['start'];

/** Asks whether what is ended can be recorded; nothing is begun without that (contract 8). */
export const unrecordable = ({ journalProblem }: Pick<EndingMachine, 'journalProblem'>): Unrecordable | null => {
  const problem = journalProblem();
  return problem === null ? null : { kind: 'unrecordable', problem };
};

/** The same, with what begins where it can. */
export const recordable = (machine: Pick<EndingMachine, 'reaper' | 'journalProblem'>): Recordable | Unrecordable =>
  unrecordable(machine) ?? {
    kind: 'recordable',
    begin: (order, judged, look) => machine.reaper.start(order, judged, look),
  };

/**
 * The first of what one look found due, at most as many as may be ended at it. Every end by rule
 * goes through this; the rest is due at the next look.
 */
export const endsOfOneLook = <One>(due: readonly One[], where: EndingMachine['where']): readonly One[] =>
  due.slice(0, maxEnds[where]);

/** A job of a look, or an agent or older set that the user may end at that look. */
const endableIn = (look: Look | null, id: JobId): JudgedJob | undefined =>
  look?.jobs.get(id) ??
  (look?.olderSets?.has(id) === true || look?.agents?.some(({ job }) => job === id) === true
    ? look.agentJobs?.get(id)
    : undefined);

/** A job that the user asked for and that may be ended, unless a veto says otherwise. */
export interface Accepted {
  readonly kind: 'accepted';
  readonly judged: JudgedJob;
  readonly begin: ReaperStart;
}

/**
 * Accepts what the user asked for: only a job that was seen at two looks with the same process as
 * its root, and of which a record can be kept. Vetoes are the reaper's to ask, whatever decided.
 */
export const acceptRequest = (
  id: JobId,
  before: Look | null,
  now: Look,
  machine: Pick<EndingMachine, 'reaper' | 'journalProblem'>,
): EndRefusal | Accepted => {
  const judged = endableIn(now, id);
  if (judged === undefined) return { kind: 'not-found' };
  if (machine.reaper.inProgress.some(({ order }) => order.job === id)) return { kind: 'busy' };
  const earlier = endableIn(before, id);
  // The user has looked at the first of the two: that it is a moment old doesn't matter.
  const isSeenTwice =
    before !== null &&
    earlier !== undefined &&
    confirmTwice(firstLookOf(before, earlier), now, firstLookOf(now, judged), 0);
  if (!isSeenTwice) return { kind: 'changed' };
  const record = recordable(machine);
  return record.kind === 'unrecordable' ? record : { kind: 'accepted', judged, begin: record.begin };
};

/** What came at once of the user's order to end a job. */
export type EndResult =
  | EndRefusal
  /** Recorded, and its processes were asked to end; `incident` is the id. */
  | { readonly kind: 'begun'; readonly incident: string }
  /** Over already: a veto spared it, or it had ended by itself; or given up. */
  | NonNullable<Reaping['came']>;

/** What came of an order that was taken up; null while it has no record yet. */
export const resultOf = ({ intent, came }: Pick<Reaping, 'intent' | 'came'>): EndResult | null =>
  came ?? (intent === null ? null : { kind: 'begun', incident: intent.id });

/** What came of jobs that were ended in a pass. */
export interface Ended {
  readonly kind: 'done';
  readonly incidents: readonly Incident[];
  readonly failed: readonly ReapingFailure[];
}

/**
 * Ends what two looks confirmed, and resolves when all is over. Records that an earlier Curfew left
 * open are completed first, also where nothing is due.
 * @param progressed is told what came to its end, as it does
 */
export const endConfirmed = async (
  machine: PassMachine,
  { look, due }: { readonly look: Look; readonly due: readonly JudgedJob[] },
  orderOf: (judged: JudgedJob) => ReapingOrder,
  progressed: (progress: ReaperProgress) => void = () => undefined,
): Promise<Ended | Unrecordable> => {
  const record = recordable(machine);
  const incidents: Incident[] = [];
  const failed: ReapingFailure[] = [];
  if (record.kind === 'unrecordable') return due.length > 0 ? record : { kind: 'done', incidents, failed };
  machine.completeRecords(look);
  for (const judged of due) record.begin(orderOf(judged), judged, look);
  await machine.finish(look, (progress) => {
    incidents.push(...progress.ended);
    failed.push(...progress.failed);
    progressed(progress);
  });
  return { kind: 'done', incidents, failed };
};
