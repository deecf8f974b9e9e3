import { visibleLines } from '../../../../app/format/visible.ts';
import type { Incident } from '../../../../app/history/incident.ts';
import { asJobId } from '../../../../app/jobs/model/job.ts';
import type { InstalledCurfew } from '../../../remote/installed-curfew.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { ReapingFailure } from '../../../reaping/progress.ts';
import type { ExitStatus } from '../../common/exit-status.ts';
import { exitStatus, NotDone } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';
import { tellReaping, tellWaiting } from './reap-progress.ts';
import { agreedOn } from './reap-probable.ts';
import { printDryRun, printReaped } from './reap-output.ts';
import { planOf, confirmDue, termsOf, type ReapOptions } from './reap-selection.ts';
import { withHost } from '../../common/with-host.ts';

const argumentsOf = (options: ReapOptions): readonly string[] => [
  ...(options.dryRun ? ['--dry-run'] : []),
  ...(options.maxAgeSeconds === null ? [] : [`--max-age=${options.maxAgeSeconds}s`]),
  ...options.jobs.map((job) => `--job=${job}`),
  ...(options.session === null ? [] : [`--session=${options.session}`]),
  ...(options.snapshot === null ? [] : [`--snapshot=${options.snapshot}`]),
  ...(options.probable ? ['--probable'] : []),
  ...(options.yes ? ['--yes'] : []),
  ...options.kinds.map((kind) => `--kind=${kind}`),
  ...(options.graceSeconds === null ? [] : [`--grace=${options.graceSeconds}s`]),
  ...(options.signal === null ? [] : [`--signal=${options.signal}`]),
];

/** Through the Curfew that is installed over there. */
const reapThrough = async (
  host: string,
  installed: InstalledCurfew,
  engine: Engine,
  options: ReapOptions,
  output: Output,
): Promise<ExitStatus> => {
  const args = argumentsOf(options);
  if (options.dryRun && !options.json) {
    await output.write(visibleLines(await installed.text(['reap', ...args])));
    return exitStatus.done;
  }
  const problem = options.dryRun ? null : engine.journalProblem();
  if (problem !== null) throw new NotDone(problem.message);
  const told = options.dryRun ? () => undefined : tellWaiting(host, output);
  const incidents = await installed.reap(args, engine).finally(told);
  return printReaped({ incidents, failed: [], left: [] }, options, output);
};

/**
 * `curfew reap --host`: the same pass on another machine. Throws NotDone when it is out of reach.
 */
export const reapElsewhere = (
  engine: Engine,
  host: string,
  options: ReapOptions,
  output: Output,
): Promise<ExitStatus> => {
  const terms = termsOf(options);
  return withHost(engine, host, terms === null ? {} : { terms }, async (remote, hosts) => {
    const installed = await hosts.installed(host);
    if (installed !== null) return reapThrough(host, installed, engine, options, output);
    const { look, due: confirmed } = await confirmDue(() => remote.look(), options);
    const { due, left } = await agreedOn(look, confirmed, options, output);
    if (options.dryRun) {
      await printDryRun(engine, look, { due, left }, options, output);
      return exitStatus.done;
    }
    const problem = engine.journalProblem();
    if (problem !== null && due.length > 0) throw new NotDone(problem.message);
    // Also when nothing is due: what an earlier pass could not see to its end is gone by now, or is
    // found again.
    if (problem === null) hosts.completeRecords(host, look.table);
    const reaper = hosts.reaper(host);
    const attempts = due.map(async (judged): Promise<Incident | ReapingFailure> => {
      const plan = planOf(engine.settings(), judged, options);
      try {
        return await reaper.reap({ job: judged.job.id, decidedBy: 'command', plan }, judged, look);
      } catch (error) {
        return { job: asJobId(judged.job.id), error, intent: null, left: judged.job.members.length };
      }
    });
    const told = tellReaping(reaper, due, output);
    const ended = await Promise.all(attempts).finally(told);
    return printReaped(
      {
        incidents: ended.filter((one) => 'id' in one),
        failed: ended.filter((one) => 'error' in one),
        left,
      },
      options,
      output,
    );
  });
};
