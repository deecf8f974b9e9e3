import { join } from 'node:path';
import { once } from '../../../app/format/once.ts';
import { redactCommand } from '../../../app/format/secrets/redact.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { jobIdPattern } from '../../../app/jobs/ledger/job-id.ts';
import { tableViewOf } from '../../../app/jobs/lineage/table-view.ts';
import { type AskingSession, type Proof, isOwn, proveOwn } from '../../../app/mcp/proof.ts';
import { type Job, asJobId } from '../../../app/model/job.ts';
import { emptySessionDirectory } from '../../../app/model/session.ts';
import { asPid } from '../../../app/process/identity.ts';
import type { Engine } from '../../engine/engine.ts';
import type { JudgedJob, Look } from '../../observing/look.ts';
import { readJsonFile } from '../../store/files/json-file.ts';
import { writeWholeFile } from '../../store/files/whole-file.ts';
import type { Places } from '../../store/places.ts';
import { z } from 'zod';

const keepSchema = z.object({
  job: z.string().regex(jobIdPattern),
  untilMs: z.number(),
  /** Redacted. */
  reason: z.string(),
  agent: z.string(),
  session: z.string().nullable(),
});

/** A job that its own session keeps, and why. */
export type SessionKeep = z.infer<typeof keepSchema>;

const schema = once(() => z.object({ version: z.literal(1), keeps: z.array(keepSchema) }));

const maxKeeps = 200;

/** Why sessions keep things. The keep itself, and whose it is, stands in `SparedFile`. */
export class SessionKeeps {
  readonly #path: string;

  constructor({ state }: Pick<Places, 'state'>) {
    this.#path = join(state, 'session-keeps.json');
  }

  #read(): readonly SessionKeep[] {
    const file = readJsonFile(this.#path);
    const parsed = schema().safeParse(file.kind === 'value' ? file.value : null);
    return parsed.success ? parsed.data.keeps : [];
  }

  /** Why a session keeps a job; null: it is the user's keep, or the reason was lost. */
  of({ id, keptBy }: Pick<Job, 'id' | 'keptBy'>): SessionKeep | null {
    return keptBy === 'session' ? (this.#read().find(({ job }) => job === id) ?? null) : null;
  }

  /**
   * Records a keep; those that are over are forgotten.
   * @throws the file system's error
   */
  add(keep: SessionKeep, nowMs: number): void {
    const others = this.#read().filter(({ job, untilMs }) => job !== keep.job && untilMs > nowMs);
    const reason = visibleText(redactCommand(keep.reason));
    const keeps = [...others.slice(1 - maxKeeps), { ...keep, reason }];
    writeWholeFile(this.#path, `${JSON.stringify({ version: 1, keeps })}\n`);
  }
}

/** Of what has ended there is no job any more. */
export const noSuchJob = (id: string): string =>
  `There is no job ${id} of this session now. If you had it from list_my_background_work, it has ended.`;

/** A call was refused; the message says why, for the model and the user. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

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
    sight.look.jobs.has(asJobId(id)) ? `Job ${id} is not of this session, so it is not touched.` : noSuchJob(id),
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
