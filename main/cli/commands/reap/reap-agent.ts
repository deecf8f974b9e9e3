import { setTimeout as pause } from 'node:timers/promises';
import { refuseEnd } from '../../../../app/text/reach.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { AgentSighting, JudgedJob, Look } from '../../../observing/look.ts';
import { apartShare, confirmTwice, sightingOf } from '../../../reaping/confirm-twice.ts';
import { NotDone, WrongCall } from '../../common/exit-status.ts';
import { betweenSightingsMs } from './reap-selection.ts';

/**
 * Returns the agent that this process is a part of.
 * @throws WrongCall where there is none
 */
export const agentOf = (look: Look, pid: number): AgentSighting => {
  const found = look.agents?.find(({ parts }) => parts.some((part) => Number(part.pid) === pid));
  if (found === undefined)
    throw new WrongCall(`process ${pid} is no running agent of this user; \`curfew scan\` lists those out of reach`);
  return found;
};

/** The agent as what may be ended; throws NotDone with the reason where it may not be. */
const endableOf = (look: Look, pid: number): JudgedJob => {
  const seen = agentOf(look, pid);
  const judged = seen.job === null ? undefined : look.agentJobs?.get(seen.job);
  if (judged !== undefined) return judged;
  throw new NotDone(`process ${pid}: ${refuseEnd(seen.reach, null) ?? 'it can not be ended from here.'}`);
};

/**
 * The agent with this process, where two looks find that no user can reach it.
 * @throws WrongCall where there is no such agent, NotDone where it may not be ended
 */
export const confirmAgent = async (
  engine: Pick<Engine, 'observer'>,
  pid: number,
): Promise<{ readonly look: Look; readonly due: readonly JudgedJob[] }> => {
  const first = engine.observer.look();
  const sighting = sightingOf(first, endableOf(first, pid));
  await pause(betweenSightingsMs);
  const look = engine.observer.look();
  const judged = endableOf(look, pid);
  if (!confirmTwice(sighting, look, judged, (betweenSightingsMs / 1000) * apartShare))
    throw new NotDone(`process ${pid} is not what it was a moment ago, so nothing was signalled.`);
  return { look, due: [judged] };
};
