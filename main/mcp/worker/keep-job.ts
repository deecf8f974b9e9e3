import { formatLimit } from '../../../app/format/age.ts';
import { putOff } from '../../../app/judge/putting-off.ts';
import { moment } from '../../../app/format/moment.ts';
import { toldText } from '../../../app/mcp/own-work.ts';
import type { ToolInput, ToolOutput } from '../../../app/mcp/tools.ts';
import type { Engine } from '../../engine/engine.ts';
import { lookForSession, ownJob, provedSession, Refused } from './desk.ts';
import { SessionKeeps } from './session-keeps.ts';

/**
 * Keeps a job of the asking session, at most to its hard cap, as the user's Keep does; not one that
 * the user keeps. The reason goes to the record of keeps and to the log.
 * @throws Refused
 */
export const keepJob = (
  engine: Engine,
  { job: id, minutes, reason }: ToolInput<'keep_my_job'>,
): ToolOutput<'keep_my_job'> => {
  const sight = lookForSession(engine);
  const session = provedSession(sight);
  const { job } = ownJob(sight, id);
  const { table } = sight.look;
  const put = putOff(job, { table, settings: engine.settings() }, { seconds: minutes * 60, by: 'session' });
  if (put.kind === 'past-cap')
    throw new Refused(`Job ${id} is past its hard cap of ${formatLimit(put.capSeconds)}, which can’t be extended.`);
  const now = Date.now();
  const untilMs = Math.round(now + put.keep.seconds * 1000);
  const keeps = new SessionKeeps(engine.places);
  // Else the user's keep would become the session's, which does not keep it from ending the job.
  if (job.keptUntilMs !== null && job.keptBy !== 'session')
    throw new Refused(`The user keeps job ${id} already, until ${moment(job.keptUntilMs)}.`);
  const { agent, ids } = session;
  keeps.add({ job: id, untilMs, reason, agent, session: [...ids].at(-1) ?? null }, now);
  engine.keep(job, table, put.keep);
  engine.log.info('kept by its session', { job: id, command: job.command, until: moment(untilMs), reason });
  return { job: id, keptUntil: moment(untilMs), atHardCap: put.atHardCap, reason: toldText(reason) };
};
