import { setTimeout as pause } from 'node:timers/promises';
import type { Incident, Outcome } from '../../app/history/incident.ts';
import type { Job } from '../../app/model/job.ts';
import { type Pid, asRunId } from '../../app/process/identity.ts';
import { hasEnded } from '../../app/process/row.ts';
import type { Engine } from '../engine/engine.ts';
import type { Look } from '../observing/look.ts';
import { RunFolder } from '../run/record/run-folder.ts';

/** How the waiting for a job ended. */
export interface WaitedJob {
  readonly job: Pick<Job, 'id' | 'command'>;
  readonly ended: boolean;
  /** The status of its command, where Curfew started it; else no other process is told. */
  readonly exitCode: number | null;
  /** How Curfew ended it; null: it ended by itself, or goes on. */
  readonly outcome: Outcome | null;
}

/** One process is asked for so often: that costs a read of its row. Milliseconds. */
const lookEveryMs = 250;
/** Most such readings before the job is looked at whole: it may have got more processes. */
const maxWithoutLook = 20;

/** The processes of a job by pid and start: it goes on while one of them, or a later one, does. */
type Members = ReadonlyMap<Pid, number>;

const membersIn = (look: Look, id: Job['id']): Members =>
  new Map((look.jobs.get(id)?.job.members ?? []).map(({ row }) => [row.pid, row.startTicks]));

const isThere = (engine: Engine, members: Members): boolean =>
  [...members].some(([pid, startTicks]) => {
    const row = engine.source.read(pid);
    return row !== null && row.startTicks === startTicks && !hasEnded(row);
  });

/** A run writes its status last; of another program's child no status is told. */
const exitCodeOf = (engine: Engine, { run }: Pick<Job, 'run'>): number | null =>
  run === undefined ? null : (new RunFolder(engine.places.runs, asRunId(run.id)).read()?.end?.exitCode ?? null);

const incidentOf = (engine: Engine, { id }: Pick<Job, 'id'>, sinceMs: number): Incident | null => {
  for (const incident of engine.history.query({ sinceMs })) if (incident.job === id) return incident;
  return null;
};

/** Its processes are gone before the Curfew that ends them has confirmed and recorded that. */
const maxRecordLooks = 20;

const outcomeOf = async (engine: Engine, job: Pick<Job, 'id'>, sinceMs: number): Promise<Outcome | null> => {
  for (let look = 0; ; look += 1) {
    const incident = incidentOf(engine, job, sinceMs);
    if (incident === null || incident.outcome !== null || look >= maxRecordLooks) return incident?.outcome ?? null;
    await pause(lookEveryMs);
  }
};

/**
 * Waits until a job has ended, or the time is over. A process that is there by its identity counts,
 * also where the job is not found as such any more.
 * @param look that shows the job
 * @throws ProcessTableUnreadable
 */
export const waitForJob = async (
  engine: Engine,
  look: Look,
  id: Job['id'],
  { untilMs, signal }: { readonly untilMs: number; readonly signal?: AbortSignal },
): Promise<WaitedJob | null> => {
  const judged = look.jobs.get(id);
  if (judged === undefined) return null;
  const { job } = judged;
  const beganMs = Date.now();
  let members = membersIn(look, id);
  for (let turn = 1; ; turn += 1) {
    if (!isThere(engine, members) || turn % maxWithoutLook === 0) {
      const now = engine.observer.look();
      const more = membersIn(now, id);
      members = more.size > 0 ? more : members;
      if (more.size === 0 && !isThere(engine, members)) {
        const outcome = await outcomeOf(engine, job, beganMs);
        return { job, ended: true, exitCode: exitCodeOf(engine, job), outcome };
      }
    }
    if (performance.now() >= untilMs || signal?.aborted === true)
      return { job, ended: false, exitCode: null, outcome: null };
    await pause(Math.max(0, Math.min(lookEveryMs, untilMs - performance.now())));
  }
};
