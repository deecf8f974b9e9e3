import { incidentToldOf, lastLines, proofView, toldText, workView } from '../../../app/mcp/own-work.ts';
import { type ToolInput, toolLimits, type ToolOutput } from '../../../app/mcp/tools.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import type { Engine } from '../../engine/engine.ts';
import { outputPart } from '../../output/output-part.ts';
import { lookForSession, ownJob, ownJobs, Refused } from './desk.ts';
import { SessionKeeps } from './session-keeps.ts';

/** Lists what is of the asking session, the worst first. */
export const listWork = (engine: Engine): ToolOutput<'list_my_background_work'> => {
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
export const readTail = (
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
export const whyEnded = (engine: Engine, { job }: ToolInput<'why_was_it_ended'>): ToolOutput<'why_was_it_ended'> => {
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

/** Says which of the user's processes listens on a port, and whether it is the session's. */
export const portHolder = (engine: Engine, { port }: ToolInput<'who_holds_port'>): ToolOutput<'who_holds_port'> => {
  const sight = lookForSession(engine);
  const { table } = sight.look;
  const rows = [...table.rows.values()].filter(({ uid, kernelThread }) => uid === table.uid && !kernelThread);
  const facts = engine.source.facts(rows);
  const jobs = ownJobs(sight);
  const holders = rows
    .filter(({ pid }) => facts.get(pid)?.ports.includes(port) === true)
    .map((row) => {
      const of = jobs.find(({ job }) => job.members.some(({ row: { pid } }) => pid === row.pid));
      return {
        pid: Number(row.pid),
        // Its name only: what another session or the user runs is not told here.
        program: toldText(row.comm),
        own: of !== undefined,
        job: of?.job.id ?? null,
        command: of === undefined ? null : toldText(of.job.command),
      };
    });
  const inUse = holders.length > 0 ? true : (engine.source.portsInUse?.().has(port) ?? null);
  return { port, inUse, holders };
};
