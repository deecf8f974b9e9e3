import { writeSync } from 'node:fs';
import { portView } from '../../../app/documents/port.ts';
import { formatLimit } from '../../../app/format/age.ts';
import { messageOf } from '../../../app/format/error-message.ts';
import { moment } from '../../../app/format/moment.ts';
import type { Incident } from '../../../app/history/incident.ts';
import { putOff } from '../../../app/judge/putting-off.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import { type ToolCall, type WorkerAnswer, toolCallSchema } from '../../../app/mcp/worker-protocol.ts';
import { incidentToldOf, lastLines, proofView, toldPort, toldText, workView } from '../../../app/mcp/own-work.ts';
import { stillRuns, toolTexts } from '../../../app/mcp/texts.ts';
import { type ToolInput, type ToolName, type ToolOutput, toolForms, toolLimits } from '../../../app/mcp/tools.ts';
import { isWitnessed } from '../../../app/model/proof.ts';
import { sayShortfall } from '../../../app/text/outcomes.ts';
import { sayRefusal } from '../../../app/text/refusals.ts';
import { inEnglish } from '../../../app/text/say.ts';
import { endConfirmed } from '../../ending/end.ts';
import { thisMachine } from '../../ending/this-machine.ts';
import { type Asked, askedJob, seeTwice } from '../../ending/two-looks.ts';
import { type Engine, type EngineOptions, openEngine } from '../../engine/engine.ts';
import type { JudgedJob } from '../../observing/look.ts';
import { readBounded } from '../../os/files/bounded-read.ts';
import { outputPart } from '../../output/output-part.ts';
import { readPort } from '../../ports/port-holders.ts';
import { waitForJob } from '../../waiting/wait-for-job.ts';
import { planFor } from '../../reaping/plan.ts';
import { refuseForeign } from '../refuse-foreign.ts';
import { Refused, SessionKeeps, lookForSession, noSuchJob, ownJob, ownJobs, provedSession } from './desk.ts';
import { z } from 'zod';

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

/**
 * A program of the user can carry the marks of a session (from a `.env`): they end nothing for it.
 * @throws Refused
 */
const requireWitness = ({ job: { id, proof } }: JudgedJob): void => {
  if (isWitnessed(proof)) return;
  throw new Refused(`Only marks say that job ${id} is of this session, so it is not ended. The user can end it.`);
};

/** A job that may be ended for the asking session, as one look shows it. */
const endable = (engine: Engine, id: string): Asked<JudgedJob> => {
  const seen = lookForSession(engine);
  provedSession(seen);
  const judged = ownJob(seen, id);
  respectUser(judged);
  requireWitness(judged);
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

/**
 * Keeps a job of the asking session, at most to its hard cap, as the user's Keep does; not one that
 * the user keeps. The reason goes to the record of keeps and to the log.
 * @throws Refused
 */
const keepJob = (engine: Engine, { job: id, minutes, reason }: ToolInput<'keep_my_job'>): ToolOutput<'keep_my_job'> => {
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

/** Lists what is of the asking session, the worst first. */
const listWork = (engine: Engine): ToolOutput<'list_my_background_work'> => {
  const sight = lookForSession(engine);
  const keeps = new SessionKeeps(engine.places);
  const jobs = worstFirst(ownJobs(sight));
  const shown = jobs.slice(0, toolLimits.work);
  return {
    proof: proofView(sight.proof),
    work: shown.map((judged) => {
      const kept = keeps.of(judged.job);
      return workView(judged, sight.look.table, kept?.reason ?? null);
    }),
    leftOut: jobs.length - shown.length,
  };
};

/**
 * Reads the end of a job's output.
 * @throws Refused
 */
const readTail = (
  engine: Engine,
  { job: id, lines: wanted }: ToolInput<'read_output_tail'>,
): ToolOutput<'read_output_tail'> => {
  const { job } = ownJob(lookForSession(engine), id);
  const part = job.output === null ? null : outputPart(job.output, engine.uid, null, Date.now());
  if (part === null) throw new Refused(`Job ${id} has no output file that could be read.`);
  const { text, lines, cut } = lastLines(part.text, wanted, toolLimits.textBytes);
  return { job: id, output: text, lines, cut: cut || part.fromByte > 0, fileBytes: part.fileBytes };
};

/**
 * Says what was ended of the asking session, newest first.
 * @throws Refused where no session is proved, or its agent names none
 */
const whyEnded = (engine: Engine, { job }: ToolInput<'why_was_it_ended'>): ToolOutput<'why_was_it_ended'> => {
  const { proof } = lookForSession(engine);
  if (proof.kind === 'none') throw new Refused(`Nothing is known to be of this session: ${proof.why}.`);
  const { agent, ids } = proof.own;
  if (ids.size === 0)
    throw new Refused('The agent of this session gives it no id, so its records can’t be told from those of others.');
  const own = new Set<string>(ids);
  const incidents: ToolOutput<'why_was_it_ended'>['incidents'] = [];
  for (const incident of engine.history.query({ agent })) {
    if (incident.session === null || !own.has(incident.session)) continue;
    if (job !== undefined && incident.job !== job) continue;
    incidents.push(incidentToldOf(incident));
    if (incidents.length === toolLimits.incidents) break;
  }
  return { incidents };
};

/**
 * Waits until a job of the asking session has ended, or the time is over.
 * @throws Refused
 */
const waitFor = async (
  engine: Engine,
  { job: id, seconds = 0 }: ToolInput<'wait_for_my_job'>,
): Promise<ToolOutput<'wait_for_my_job'>> => {
  const sight = lookForSession(engine);
  const { job } = ownJob(sight, id);
  const beganMs = performance.now();
  // From the start of this process on: a first look takes seconds on a busy machine.
  const waited = await waitForJob(engine, sight.look, job.id, { untilMs: seconds * 1000 });
  if (waited === null) throw new Refused(noSuchJob(id));
  const { ended: isEnded, exitCode, outcome } = waited;
  return {
    job: id,
    ended: isEnded,
    exitCode,
    outcome,
    waitedSeconds: Math.floor((performance.now() - beganMs) / 1000),
    // Some clients show their model the fields alone.
    next: isEnded ? null : stillRuns,
  };
};

/** Says which of the user's processes listens on a port, and whether it is the session's. */
const portHolder = (engine: Engine, { port }: ToolInput<'who_holds_port'>): ToolOutput<'who_holds_port'> => {
  const sight = lookForSession(engine);
  const found = readPort(sight.look, engine.source, port);
  return toldPort(portView(found, sight.look.table), new Set(ownJobs(sight).map(({ job }) => job.id)));
};

/** Calling is the decision, as with `curfew reap`: the mode is about what happens by itself. */
const engineOptions: Readonly<Record<ToolName, Partial<EngineOptions>>> = {
  list_my_background_work: { onlyLooks: true },
  read_output_tail: { onlyLooks: true },
  wait_for_my_job: { onlyLooks: true },
  end_my_job: { mode: 'enforce' },
  keep_my_job: { onlyLooks: true },
  why_was_it_ended: { onlyLooks: true },
  who_holds_port: { onlyLooks: true },
};

/** A tool: what it gives, and that in a short text. */
type Answerer = (engine: Engine, input: unknown) => Promise<WorkerAnswer>;

const told = <Name extends ToolName>(name: Name, result: ToolOutput<Name>): WorkerAnswer => ({
  ok: true,
  structured: toolForms()[name].output.parse(result),
  text: toolTexts[name](result),
});

/** Every tool; its input is checked here. By hand: a generic list needs as many casts. */
const answerers: Readonly<Record<ToolName, Answerer>> = {
  list_my_background_work: async (engine, input) => {
    toolForms().list_my_background_work.input.parse(input);
    return told('list_my_background_work', listWork(engine));
  },
  read_output_tail: async (engine, input) =>
    told('read_output_tail', readTail(engine, toolForms().read_output_tail.input.parse(input))),
  wait_for_my_job: async (engine, input) =>
    told('wait_for_my_job', await waitFor(engine, toolForms().wait_for_my_job.input.parse(input))),
  end_my_job: async (engine, input) =>
    told('end_my_job', await endJob(engine, toolForms().end_my_job.input.parse(input))),
  keep_my_job: async (engine, input) =>
    told('keep_my_job', keepJob(engine, toolForms().keep_my_job.input.parse(input))),
  why_was_it_ended: async (engine, input) =>
    told('why_was_it_ended', whyEnded(engine, toolForms().why_was_it_ended.input.parse(input))),
  who_holds_port: async (engine, input) =>
    told('who_holds_port', portHolder(engine, toolForms().who_holds_port.input.parse(input))),
};

/**
 * Does one call of a tool, with an engine of its own. Never throws: a refusal and a failure are
 * answers, too.
 * @param warn is told of problems of settings and stores
 */
const answerCall = async (call: ToolCall, warn: (text: string) => void): Promise<WorkerAnswer> => {
  try {
    const engine = openEngine({
      uid: null,
      allServers: true,
      warn: (said) => warn(inEnglish(said)),
      ...engineOptions[call.tool],
    });
    try {
      await engine.source.refresh?.();
      return await answerers[call.tool](engine, call.input);
    } finally {
      engine.close();
    }
  } catch (error) {
    if (error instanceof z.ZodError) return { ok: false, text: z.prettifyError(error) };
    if (!(error instanceof Refused)) warn(`curfew: ${call.tool}: ${messageOf(error)}`);
    return { ok: false, text: messageOf(error) };
  }
};

/** Of a call, bytes. The server takes no longer message. */
const maxCall = 16 * 1024 * 1024;

const warn = (text: string): void => {
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // The server has ended; there is no other place to say it.
  }
};

const answered = async (): Promise<WorkerAnswer> => {
  try {
    const call = toolCallSchema().parse(JSON.parse(readBounded(0, maxCall)?.toString('utf8') ?? ''));
    return await answerCall(call, warn);
  } catch (error) {
    return { ok: false, text: messageOf(error) };
  }
};

/**
 * Does the call on standard input and writes its answer. What a call began is carried through also
 * where the server that asked has ended meanwhile.
 */
export const work = async (): Promise<void> => {
  refuseForeign();
  const answer = await answered();
  const bytes = Buffer.from(JSON.stringify(answer));
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
  } catch (error) {
    warn(`curfew mcp: the answer was not taken: ${messageOf(error)}`);
  }
};
