import { tableViewOf } from '../../../app/jobs/lineage/table-view.ts';
import { asJobId } from '../../../app/model/job.ts';
import { emptySessionDirectory } from '../../../app/model/session.ts';
import { type AskingSession, isOwn, type Proof, proveOwn } from '../../../app/mcp/proof.ts';
import { asPid } from '../../../app/process/identity.ts';
import type { Engine } from '../../engine/engine.ts';
import type { JudgedJob, Look } from '../../observing/look.ts';

/** A call was refused; the message says why, for the model and the user. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** One look with what it proves of the process that asks. */
export interface SessionLook {
  readonly look: Look;
  readonly proof: Proof;
}

/** Scans and re-proves which session is asking; an earlier proof may be stale. */
export const lookForSession = (engine: Engine): SessionLook => {
  const look = engine.observer.look();
  const { table, tree, profileOf } = tableViewOf(look.table, engine.evidence);
  const { sessions } = look.directory ?? emptySessionDirectory;
  return { look, proof: proveOwn({ table, tree, profileOf, directory: { sessions }, asking: asPid(process.pid) }) };
};

/** True for the server of this very call, which is a server of the session, too. */
const isThisServer = ({ job }: JudgedJob): boolean =>
  job.members.some(({ row }) => Number(row.pid) === process.ppid || Number(row.pid) === process.pid);

/** The jobs that are the asking session's. */
export const ownJobs = ({ look, proof }: SessionLook): readonly JudgedJob[] =>
  proof.kind === 'none'
    ? []
    : [...look.jobs.values()].filter((judged) => isOwn(judged.job, proof.own) && !isThisServer(judged));

/**
 * A job of the asking session.
 * @throws Refused for any other, and where nothing is proved
 */
export const ownJob = (sight: SessionLook, id: string): JudgedJob => {
  if (sight.proof.kind === 'none') throw new Refused(`Nothing is known to be of this session: ${sight.proof.why}.`);
  const judged = ownJobs(sight).find(({ job }) => job.id === id);
  if (judged !== undefined) return judged;
  throw new Refused(
    sight.look.jobs.has(asJobId(id))
      ? `Job ${id} is not of this session, so it is not touched.`
      : `There is no job ${id} of this session; list_my_background_work lists them.`,
  );
};

/**
 * The session that asks, where it may change something.
 * @throws Refused where it is not proved which session that is
 */
export const provedSession = ({ proof }: SessionLook): AskingSession => {
  if (proof.kind === 'session') return proof.own;
  throw new Refused(`Only reading is possible: ${proof.why}.`);
};
