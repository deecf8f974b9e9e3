import { redactCommand } from '../../../app/format/secrets/redact.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { jobIdPattern } from '../../../app/jobs/ledger/job-id.ts';
import { asJobId } from '../../../app/model/job.ts';
import { sayWaited } from '../../../app/text/waiting.ts';
import { withEngine } from '../../engine/engine.ts';
import { waitForJob, type WaitedJob } from '../../waiting/wait-for-job.ts';
import { type ExitStatus, exitStatus, wrongCall } from '../common/exit-status.ts';
import { type Output, writeJson } from '../common/output.ts';
import { words } from '../common/words.ts';

/** Options of `curfew wait`, checked. */
export interface WaitOptions {
  readonly jobs: readonly string[];
  readonly json: boolean;
  /** null: as long as it takes. */
  readonly timeoutSeconds: number | null;
}

const viewOf = ({ job, ended, exitCode, outcome }: WaitedJob) => ({
  job: job.id,
  command: redactCommand(job.command),
  ended,
  exitCode,
  outcome,
});

/**
 * `curfew wait JOB…`: blocks until the jobs have ended, or the time is over.
 * @throws WrongCall for an unknown job
 */
export const wait = ({ jobs, json, timeoutSeconds }: WaitOptions, output: Output): Promise<ExitStatus> =>
  withEngine({ uid: null, warn: output.warn, allServers: true, onlyLooks: true }, async (engine) => {
    const untilMs = timeoutSeconds === null ? Infinity : performance.now() + timeoutSeconds * 1000;
    const look = engine.observer.look();
    const unknown = jobs.find((id) => !jobIdPattern.test(id) || !look.jobs.has(asJobId(id)));
    if (unknown !== undefined)
      throw wrongCall('no job {ids}; run `curfew scan` to list jobs', { ids: JSON.stringify(unknown) });
    const waited = await Promise.all(
      [...new Set(jobs)].map(async (id) => {
        const done = await waitForJob(engine, look, asJobId(id), { untilMs });
        if (done !== null && !json) await output.write(`${visibleText(words(sayWaited(done)))}\n`);
        return done;
      }),
    );
    const done = waited.filter((one) => one !== null);
    if (json) await writeJson(output, { schema: 1, jobs: done.map(viewOf) });
    return done.every(({ ended }) => ended) ? exitStatus.done : exitStatus.notDone;
  });
