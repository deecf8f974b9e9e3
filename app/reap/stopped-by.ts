import type { Decider } from '../history/incident.ts';
import type { Job, Owner } from '../model/job.ts';
import type { ServerReport } from '../model/server-state.ts';
import type { StopReason } from '../judge/stop-reason.ts';
import type { Verdict } from '../judge/verdict.ts';

/** A reaping in progress, as the latest look saw its job. */
interface InProgress {
  readonly job: Job;
  readonly verdict: Verdict;
  readonly decidedBy: Decider;
  readonly ownerAtStart: Owner['state'];
  /** It was begun as a server to which no process could speak any more. */
  readonly abandonedAtStart: boolean;
  /** Nothing is ended by itself at the moment. */
  readonly paused: boolean;
}

/**
 * What shows of a server that a process speaks to it. Other reports say what is left of it while it
 * ends: a part whose parent has ended has no channel any more, and what ends writes its last words.
 */
const speaking: ReadonlySet<ServerReport> = new Set<ServerReport>(['agent-lives', 'ends-open', 'connected']);

const isSpokenTo = ({ server }: Job): boolean =>
  server?.standing === 'living' ||
  server?.standing === 'replaced' ||
  (server?.standing === 'reported' && server.why.some((why) => speaking.has(why)));

/**
 * What stops a reaping wherever it stands, unless the job is past the hard cap: it was to be ended
 * as an orphan and its session turns out to live after all (a successor took it over), or a process
 * speaks to a server that was abandoned; or a rule or
 * a hook's word began it and the user has put it off, exempted it, paused Curfew or switched to
 * observing since (the latter two past the hard cap too). What the user began goes on. Null:
 * nothing stops it.
 */
export const stoppedBy = ({
  job,
  verdict,
  decidedBy,
  ownerAtStart,
  abandonedAtStart,
  paused,
}: InProgress): StopReason | null => {
  const byItself = decidedBy === 'rule' || decidedBy === 'hook';
  const observes = verdict.reasons.some(({ code }) => code === 'observe-mode');
  if (byItself && (paused || observes)) return 'put-off';
  if (decidedBy === 'person' || verdict.state === 'past-cap') return null;
  if (ownerAtStart === 'gone' && job.owner.state !== 'gone') return 'owner-returned';
  if (abandonedAtStart && isSpokenTo(job)) return 'spoken-to';
  // A server is also kept for what it does while it ends.
  const isPutOff = verdict.state === 'kept' && !verdict.reasons.some(({ code }) => code === 'server-reported');
  return byItself && isPutOff ? 'put-off' : null;
};
