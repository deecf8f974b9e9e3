import { messageOf } from '../../../app/format/error-message.ts';
import type { Incident } from '../../../app/history/incident.ts';
import { toldText } from '../../../app/mcp/own-work.ts';
import type { ToolInput, ToolOutput } from '../../../app/mcp/tools.ts';
import { sayShortfall } from '../../../app/text/outcomes.ts';
import { inEnglish } from '../../../app/text/say.ts';
import { sayRefusal } from '../../../app/text/refusals.ts';
import { endConfirmed } from '../../ending/end.ts';
import { thisMachine } from '../../ending/this-machine.ts';
import { askedJob, type Asked, seeTwice } from '../../ending/two-looks.ts';
import type { Engine } from '../../engine/engine.ts';
import type { JudgedJob } from '../../observing/look.ts';
import { planFor } from '../../reaping/plan.ts';
import { lookForSession, ownJob, provedSession, Refused } from './desk.ts';

const ended = new Set<Incident['outcome']>(['reaped', 'killed', 'vanished']);

/**
 * What the user said of a job counts for more than what its session asks for.
 * @throws Refused
 */
const respectUser = ({ job, verdict }: JudgedJob): void => {
  if (verdict.reasons.some(({ code }) => code === 'exempt'))
    throw new Refused(`The user has exempted job ${job.id}, so it is not ended.`);
  if (job.keptUntilMs === null || job.keptBy === 'session') return;
  throw new Refused(`The user keeps job ${job.id}, so it is not ended. The user can end it, or stop keeping it.`);
};

/** A job that may be ended for the asking session, as one look shows it. */
const endable = (engine: Engine, id: string): Asked<JudgedJob> => {
  const seen = lookForSession(engine);
  provedSession(seen);
  const judged = ownJob(seen, id);
  respectUser(judged);
  return askedJob(seen.look, judged);
};

/**
 * Ends a job of the asking session and waits for the confirmed end: whose it is is proved at two
 * looks, a second apart, and vetoes, journal and identity are those of `curfew reap`.
 * @throws Refused
 */
export const endJob = async (
  engine: Engine,
  { job: id }: ToolInput<'end_my_job'>,
): Promise<ToolOutput<'end_my_job'>> => {
  if (engine.trust.unproved !== null) throw new Refused(`${engine.trust.unproved} So nothing is ended for an agent.`);
  const seen = await seeTwice(() => endable(engine, id));
  if (seen.kind !== 'confirmed') throw new Refused(`Job ${id}: ${inEnglish(sayRefusal(seen))}`);
  const { look, thing } = seen;
  engine.log.info('reaping for its session', { job: id, command: thing.job.command });
  const came = await endConfirmed(thisMachine(engine), { look, due: [thing] }, ({ job }) => ({
    job: job.id,
    decidedBy: 'agent',
    plan: planFor(job, engine.settings()),
  }));
  if (came.kind !== 'done') throw new Refused(`Job ${id}: ${inEnglish(sayRefusal(came))}`);
  const { incidents, failed } = came;
  const incident = incidents.find(({ job }) => job === id);
  if (incident === undefined)
    throw new Refused(`Job ${id} was not ended: ${failed.map(({ error }) => messageOf(error)).join('; ')}`);
  const { outcome, freed, survivors } = incident;
  engine.log.info('ended', { job: id, incident: incident.id, outcome, decidedBy: 'agent' });
  const shortfall = sayShortfall(incident);
  return {
    job: id,
    ended: ended.has(outcome),
    outcome,
    why: shortfall === '' ? [] : [toldText(shortfall)],
    freedProcesses: freed.processes,
    freedBytes: freed.rssBytes,
    freedPorts: [...freed.ports],
    survivors: survivors.map(({ pid }) => pid),
    incident: incident.id,
  };
};
