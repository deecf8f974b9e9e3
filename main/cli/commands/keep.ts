import { jobIdPattern } from '../../../app/jobs/ledger/job-id.ts';
import { asJobId } from '../../../app/jobs/model/job.ts';
import { formatAge } from '../../../app/format/age.ts';
import { terminalSafeJson } from '../../../app/format/json.ts';
import { visibleLines, visibleText } from '../../../app/format/visible.ts';
import type { JudgedJob, Look } from '../../observing/look.ts';
import type { Engine } from '../../engine/engine.ts';
import { openEngine } from '../../engine/engine.ts';
import type { ExitStatus } from '../common/exit-status.ts';
import { exitStatus, WrongCall } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';
import { writeJson } from '../common/output.ts';
import { withHost } from '../common/with-host.ts';

/** Options of `curfew keep` and `curfew unkeep`, checked. */
interface KeepOptions {
  readonly json: boolean;
  readonly uid: number | null;
  /** Another machine; null: this one. */
  readonly host: string | null;
}

const inLook = (look: Look, id: string): JudgedJob => {
  const judged = jobIdPattern.test(id) ? look.jobs.get(asJobId(id)) : undefined;
  if (judged !== undefined) return judged;
  throw new WrongCall(`no job ${JSON.stringify(id)}; run \`curfew scan\` to list jobs`);
};

/**
 * Returns the job, here or on another machine. Null: the Curfew installed on that machine has done
 * it, and its answer is printed.
 * @throws WrongCall for an unknown job, NotDone for an unreachable machine
 */
const jobOf = async (
  engine: Engine,
  id: string,
  { host, json }: KeepOptions,
  call: readonly string[],
  output: Output,
): Promise<JudgedJob | null> => {
  if (host === null) return inLook(engine.observer.look(), id);
  return withHost(engine, host, {}, async (remote, hosts) => {
    const installed = await hosts.installed(host);
    if (installed === null) return inLook(await remote.look(), id);
    if (!jobIdPattern.test(id)) throw new WrongCall(`no job ${JSON.stringify(id)}`);
    const said = await installed.text([...call, id, ...(json ? ['--json'] : [])]);
    await output.write(json ? terminalSafeJson(said) : visibleLines(said));
    return null;
  });
};

/**
 * `curfew keep JOB [--for D]`: puts off the job's limit, at most to its hard cap.
 * @throws WrongCall for an unknown job
 */
export const keep = async (
  id: string,
  options: KeepOptions & { readonly forSeconds: number },
  output: Output,
): Promise<ExitStatus> => {
  const engine = openEngine({ uid: options.uid, warn: output.warn });
  try {
    const judged = await jobOf(engine, id, options, ['keep', `--for=${options.forSeconds}s`], output);
    if (judged === null) return exitStatus.done;
    const { job } = judged;
    const capSeconds = job.run?.hardCapSeconds ?? engine.settings().backgroundMaxElapsedSecondsHardCap;
    const capMs = job.startedAtMs + capSeconds * 1000;
    const untilMs = Math.min(Date.now() + options.forSeconds * 1000, capMs);
    engine.keep(job.id, untilMs);
    const until = new Date(untilMs).toISOString();
    if (options.json)
      await writeJson(output, { schema: 1, job: job.id, keptUntil: until, atHardCap: untilMs === capMs });
    else {
      const left = formatAge(Math.max(0, (untilMs - Date.now()) / 1000));
      const why = untilMs === capMs ? ' (the hard cap limits it)' : '';
      await output.write(`Kept for ${left}${why}: ${visibleText(job.command)}\n`);
    }
    return exitStatus.done;
  } finally {
    engine.close();
  }
};

/**
 * `curfew unkeep JOB`: undoes a keep.
 * @throws WrongCall for an unknown job
 */
export const unkeep = async (id: string, options: KeepOptions, output: Output): Promise<ExitStatus> => {
  const engine = openEngine({ uid: options.uid, warn: output.warn });
  try {
    const judged = await jobOf(engine, id, options, ['unkeep'], output);
    if (judged === null) return exitStatus.done;
    const { job } = judged;
    engine.unkeep(job.id);
    if (options.json) await writeJson(output, { schema: 1, job: job.id, keptUntil: null });
    else await output.write(`No longer kept: ${visibleText(job.command)}\n`);
    return exitStatus.done;
  } finally {
    engine.close();
  }
};
