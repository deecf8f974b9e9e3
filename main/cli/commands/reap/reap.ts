import type { Incident } from '../../../../app/history/incident.ts';
import { hookFolders } from '../../../agents/hooks/form/folders.ts';
import { queueSessionNotice } from '../../../agents/hooks/inbox/notices.ts';
import type { Engine } from '../../../engine/engine.ts';
import { openEngine } from '../../../engine/engine.ts';
import type { JudgedJob, Look } from '../../../observing/look.ts';
import { finishReapings } from '../../../reaping/finish.ts';
import type { ReapingFailure } from '../../../reaping/progress.ts';
import { completeHere } from '../../../reaping/recovery.ts';
import type { ExitStatus } from '../../common/exit-status.ts';
import { exitStatus, NotDone, WrongCall } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';
import { agreedOn } from './reap-probable.ts';
import { printDryRun, printReaped } from './reap-output.ts';
import { byHand, planOf, confirmDue, termsOf, type ReapOptions } from './reap-selection.ts';
import { confirmAgent } from './reap-agent.ts';
import { reapElsewhere } from './reap-elsewhere.ts';
import { reapService, serviceToReap } from './reap-service.ts';
import { tellReaping } from './reap-progress.ts';

const carryOut = async (
  engine: Engine,
  look: Look,
  due: readonly JudgedJob[],
  options: ReapOptions,
): Promise<{ readonly incidents: readonly Incident[]; readonly failed: readonly ReapingFailure[] }> => {
  const { reaper, observer } = engine;
  const incidents: Incident[] = [];
  const failed: ReapingFailure[] = [];
  for (const judged of due) {
    reaper.start(
      { job: judged.job.id, decidedBy: 'command', plan: planOf(engine.settings(), judged, options) },
      judged,
    );
  }
  await finishReapings(
    reaper,
    look,
    () => observer.look(),
    (progress) => {
      incidents.push(...progress.ended);
      queueSessionNotice(hookFolders(engine.places), ...progress.ended);
      failed.push(...progress.failed);
    },
  );
  return { incidents, failed };
};

/** An agent is ended by itself, and only where its input and output can be looked into. */
const requireAlone = (options: ReapOptions): void => {
  if (options.host !== null) throw new WrongCall('--agent-pid works on this machine only');
  if (byHand({ ...options, agentPid: null }) || options.maxAgeSeconds !== null)
    throw new WrongCall('--agent-pid stands alone: without --job, --session, --snapshot and --max-age');
};

/** A pass on this machine: two sightings, the order of the user, the ends. */
export const reapHere = async (engine: Engine, options: ReapOptions, output: Output): Promise<ExitStatus> => {
  const { look, due: confirmed } =
    options.agentPid === null
      ? await confirmDue(() => engine.observer.look(), options)
      : await confirmAgent(engine, options.agentPid);
  const { due, left } = await agreedOn(look, confirmed, options, output);
  if (options.dryRun) {
    await printDryRun(engine, look, { due, left }, options, output);
    return exitStatus.done;
  }
  const problem = engine.journalProblem();
  if (problem === null) completeHere(engine, look.table);
  else if (due.length > 0) throw new NotDone(problem.message);
  const told = tellReaping(engine.reaper, due, output);
  const { incidents, failed } = await carryOut(engine, look, due, options).finally(told);
  return printReaped({ incidents, failed, left }, options, output);
};

/** `curfew reap`: one pass of reaping, two sightings included. */
export const reap = async (options: ReapOptions, output: Output): Promise<ExitStatus> => {
  const engine = openEngine({
    uid: options.uid,
    warn: output.warn,
    // Calling it is the decision; the mode is about what happens by itself.
    mode: 'enforce',
    terms: termsOf(options),
  });
  try {
    if (!byHand(options) && !options.dryRun && engine.trust.unproved !== null)
      throw new NotDone(`${engine.trust.unproved} Name jobs with --job to end them.`);
    if (!byHand(options) && !options.dryRun && engine.settingsForceObserve())
      throw new NotDone(
        'the settings could not be understood, so it is not known what you want spared; correct them, or name jobs with --job',
      );
    if (options.agentPid !== null) requireAlone(options);
    if (options.host !== null) return await reapElsewhere(engine, options.host, options, output);
    const service = options.agentPid === null ? null : serviceToReap(engine, options.agentPid);
    if (service !== null) return await reapService(engine, service, options, output);
    return await reapHere(engine, options, output);
  } finally {
    engine.close();
  }
};
