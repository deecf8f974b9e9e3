import { formatLimit } from '../../../app/format/age.ts';
import { moment } from '../../../app/format/moment.ts';
import { toldText } from '../../../app/mcp/own-work.ts';
import type { ToolInput, ToolOutput } from '../../../app/mcp/tools.ts';
import type { Engine } from '../../engine/engine.ts';
import { lookAround, ownJob, provedSession, Refused } from './desk.ts';
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
  const sight = lookAround(engine);
  const session = provedSession(sight);
  const { job } = ownJob(sight, id);
  const cap = job.run?.hardCapSeconds ?? engine.settings().backgroundMaxElapsedSecondsHardCap;
  const now = Date.now();
  const capMs = Math.round(job.startedAtMs + cap * 1000);
  const untilMs = Math.min(now + minutes * 60_000, capMs);
  if (untilMs <= now)
    throw new Refused(`Job ${id} is past its hard cap of ${formatLimit(cap)}, which can’t be extended.`);
  const keeps = new SessionKeeps(engine.places);
  // Else the user's keep would become the session's, which does not keep it from ending the job.
  if (job.keptUntilMs !== null && job.keptUntilMs > now && keeps.of(id, job.keptUntilMs) === null)
    throw new Refused(`The user keeps job ${id} already, until ${moment(job.keptUntilMs)}.`);
  const { agent, ids } = session;
  // The reason first: a keep without one counts as the user's.
  keeps.add({ job: id, untilMs, reason, agent, session: [...ids].at(-1) ?? null }, now);
  engine.keep(job.id, untilMs);
  engine.log.info('kept by its session', { job: id, command: job.command, until: moment(untilMs), reason });
  return { job: id, keptUntil: moment(untilMs), atHardCap: untilMs === capMs, reason: toldText(reason) };
};
