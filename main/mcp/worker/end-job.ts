import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../../app/format/error-message.ts';
import type { Incident } from '../../../app/history/incident.ts';
import { toldText } from '../../../app/mcp/own-work.ts';
import type { ToolInput, ToolOutput } from '../../../app/mcp/tools.ts';
import { sayShortfall } from '../../../app/text/outcomes.ts';
import type { Engine } from '../../engine/engine.ts';
import type { JudgedJob } from '../../observing/look.ts';
import { finishReapings } from '../../reaping/finish.ts';
import { completeHere } from '../../reaping/recovery.ts';
import { type Refusal, takeUp } from '../../reaping/requested.ts';
import { lookAround, ownJob, provedSession, Refused, type Sight } from './desk.ts';

/** Between the two sightings, milliseconds; as `curfew reap` has it. */
const betweenSightingsMs = 1000;

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
const endable = (engine: Engine, id: string): { readonly sight: Sight; readonly judged: JudgedJob } => {
  const sight = lookAround(engine);
  provedSession(sight);
  const judged = ownJob(sight, id);
  respectUser(judged);
  return { sight, judged };
};

const refusalText = (id: string, refusal: Refusal): string => {
  switch (refusal.kind) {
    case 'not-found':
      return `Job ${id} has ended.`;
    case 'changed':
      return `Job ${id} is not what it was a moment ago, so nothing was signalled.`;
    case 'busy':
      return `Job ${id} is being ended already.`;
    case 'unrecordable':
      return `The record can’t be written, so nothing is signalled: ${refusal.problem.message}`;
    case 'stopping':
      return 'Curfew is ending and takes nothing new up.';
  }
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
  const { sight: before } = endable(engine, id);
  await pause(betweenSightingsMs);
  const { sight, judged } = endable(engine, id);
  const { reaper, observer, settings, journalProblem } = engine;
  if (journalProblem() === null) completeHere(engine, sight.look.table);
  const tools = { reaper, settings, journalProblem, decidedBy: 'agent' } as const;
  const taken = takeUp(judged.job.id, before.look, sight.look, tools);
  if (taken.kind !== 'taken') throw new Refused(refusalText(id, taken));
  engine.log.info('reaping for its session', { job: id, command: judged.job.command });
  const incidents: Incident[] = [];
  const failures: unknown[] = [];
  await finishReapings(
    reaper,
    sight.look,
    () => observer.look(),
    (progress) => {
      incidents.push(...progress.ended);
      failures.push(...progress.failed.map(({ error }) => error));
    },
  );
  const incident = incidents.find(({ job }) => job === id);
  if (incident === undefined) throw new Refused(`Job ${id} was not ended: ${failures.map(messageOf).join('; ')}`);
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
