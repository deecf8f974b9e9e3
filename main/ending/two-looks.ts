import { setTimeout as pause } from 'node:timers/promises';
import type { EndRefusal } from '../../app/ending/refusal.ts';
import type { JobId } from '../../app/model/job.ts';
import { identityKey } from '../../app/process/identity.ts';
import { awakeSeconds, identityOf } from '../../app/process/table.ts';
import type { JudgedJob, Look } from '../observing/look.ts';

/** Milliseconds between two looks at what a command, a session or the user asks for. */
export const betweenLooksMs = 1000;

/** Share of the wanted pause that two looks must be apart: timers are never exact. */
export const apartShare = 0.8;

/** Seconds awake that must lie between two looks with this pause. */
const apartSeconds = (pauseMs: number): number => (pauseMs / 1000) * apartShare;

/** Something as one look found it. */
export interface FirstLook {
  /** What must be the same at the second look: its name, and the identity of its process. */
  readonly is: string;
  /** When, in ticks of the machine's clock since its boot. */
  readonly atTicks: number;
}

/** What a job is, for `FirstLook`. */
const jobIs = ({ table }: Look, { job }: JudgedJob): string => `${job.id} ${identityKey(identityOf(table, job.root))}`;

/** Notes a job as this look finds it. */
export const firstLookOf = (look: Look, judged: JudgedJob): FirstLook => ({
  is: jobIs(look, judged),
  atTicks: look.table.nowTicks,
});

/**
 * Whether a second look confirms what a first one saw (contract 3): the same thing, with the same
 * process as its root, a time awake after it. One look can catch an agent between two
 * states. All that ends something asks this; how long a job must have been due in between differs,
 * and is the caller's.
 */
export const confirmTwice = (
  first: FirstLook | undefined,
  { table }: Pick<Look, 'table'>,
  second: Pick<FirstLook, 'is'>,
  seconds: number,
): boolean => first?.is === second.is && awakeSeconds(table, first.atTicks) >= seconds;

export type Asked<Thing> =
  | EndRefusal
  | { readonly kind: 'found'; readonly is: string; readonly thing: Thing; readonly look: Look };

/** The same, confirmed by a second look. */
export type SeenTwice<Thing> = EndRefusal | { readonly kind: 'confirmed'; readonly thing: Thing; readonly look: Look };

/** Looks twice at one thing. Rejects with what `find` throws. */
export const seeTwice = async <Thing>(find: () => Asked<Thing> | Promise<Asked<Thing>>): Promise<SeenTwice<Thing>> => {
  const first = await find();
  if (first.kind !== 'found') return first;
  await pause(betweenLooksMs);
  const second = await find();
  if (second.kind !== 'found') return second;
  const { look, thing } = second;
  const before = { is: first.is, atTicks: first.look.table.nowTicks };
  return confirmTwice(before, look, second, apartSeconds(betweenLooksMs))
    ? { kind: 'confirmed', thing, look }
    : { kind: 'changed' };
};

/** A job for `seeTwice`. */
export const askedJob = (look: Look, judged: JudgedJob): Asked<JudgedJob> => ({
  kind: 'found',
  is: jobIs(look, judged),
  thing: judged,
  look,
});

/**
 * The jobs that are chosen at each of two looks.
 * @param pauseMs between them, by what the first look chose
 */
export const seeAllTwice = async (
  lookNow: () => Look | Promise<Look>,
  choose: (look: Look) => readonly JudgedJob[],
  pauseMs: (chosen: readonly JudgedJob[]) => number = () => betweenLooksMs,
): Promise<{ readonly look: Look; readonly due: readonly JudgedJob[] }> => {
  const first = await lookNow();
  const chosen = choose(first);
  if (chosen.length === 0) return { look: first, due: [] };
  const before = new Map<JobId, FirstLook>(chosen.map((judged) => [judged.job.id, firstLookOf(first, judged)]));
  const waitMs = pauseMs(chosen);
  await pause(waitMs);
  const look = await lookNow();
  const isSeenTwice = (judged: JudgedJob): boolean =>
    confirmTwice(before.get(judged.job.id), look, firstLookOf(look, judged), apartSeconds(waitMs));
  return { look, due: choose(look).filter(isSeenTwice) };
};
