import { jobIdPattern } from '../../../app/jobs/job-id.ts';
import { asJobId } from '../../../app/jobs/job.ts';
import { formatAge } from '../../../app/text/age.ts';
import { visibleText } from '../../../app/text/visible.ts';
import type { JudgedJob } from '../../supervisor/look.ts';
import type { Engine } from '../../supervisor/engine.ts';
import { openEngine } from '../../supervisor/engine.ts';
import type { ExitStatus } from '../exit-status.ts';
import { exitStatus, WrongCall } from '../exit-status.ts';
import type { Output } from '../output.ts';
import { writeJson } from '../output.ts';

const jobOf = (engine: Engine, id: string): JudgedJob => {
  const judged = jobIdPattern.test(id) ? engine.observer.look().jobs.get(asJobId(id)) : undefined;
  if (judged !== undefined) return judged;
  throw new WrongCall(`no job ${JSON.stringify(id)}; \`curfew scan\` lists those there are`);
};

/** `curfew keep JOB [--for D]`: puts the job's limit off, at most to its hard cap. Throws WrongCall for an unknown job. */
export const keep = async (
  id: string,
  options: { readonly json: boolean; readonly forSeconds: number; readonly uid: number | null },
  output: Output,
): Promise<ExitStatus> => {
  const engine = openEngine({ uid: options.uid, warn: output.warn });
  try {
    const { job } = jobOf(engine, id);
    const capSeconds = job.run?.hardCapSeconds ?? engine.settings().backgroundMaxElapsedSecondsHardCap;
    const capMs = job.startedAtMs + capSeconds * 1000;
    const untilMs = Math.min(Date.now() + options.forSeconds * 1000, capMs);
    engine.keep(job.id, untilMs);
    const until = new Date(untilMs).toISOString();
    if (options.json)
      await writeJson(output, { schema: 1, job: job.id, keptUntil: until, atHardCap: untilMs === capMs });
    else {
      const left = formatAge(Math.max(0, (untilMs - Date.now()) / 1000));
      const why = untilMs === capMs ? ', its hard cap, which nothing puts off' : '';
      await output.write(`Kept for ${left}${why}: ${visibleText(job.command)}\n`);
    }
    return exitStatus.done;
  } finally {
    engine.close();
  }
};

/** `curfew unkeep JOB`: its limits count again. Throws WrongCall for an unknown job. */
export const unkeep = async (
  id: string,
  options: { readonly json: boolean; readonly uid: number | null },
  output: Output,
): Promise<ExitStatus> => {
  const engine = openEngine({ uid: options.uid, warn: output.warn });
  try {
    const { job } = jobOf(engine, id);
    engine.unkeep(job.id);
    if (options.json) await writeJson(output, { schema: 1, job: job.id, keptUntil: null });
    else await output.write(`Its limits count again: ${visibleText(job.command)}\n`);
    return exitStatus.done;
  } finally {
    engine.close();
  }
};
