import type { SessionCosts, SessionList } from '../../app/contract/views/session-costs.ts';
import { type Said, withTexts } from '../../app/format/said.ts';
import { safeName } from '../../app/format/secrets/safe-view.ts';
import { sessionGroups } from '../../app/sessions-view/belonging.ts';
import { olderSets } from '../../app/jobs/servers/older-sets.ts';
import { idleView } from '../../app/documents/agents.ts';
import { type CostsInput, sessionCosts } from '../../app/sessions-view/costs.ts';
import { localHost } from '../../app/remote/host-list.ts';
import { isResting } from '../../app/reach/idle.ts';
import { idleSaid, reachSaid } from '../../app/text/reach.ts';
import { inEnglish } from '../../app/text/say.ts';
import { processMemory } from '../os/process-memory.ts';
import { inputChannels } from '../os/session-probes.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { Look } from './look.ts';

type Seen = Pick<Look, 'table' | 'sessions' | 'jobs' | 'agents' | 'servers' | 'agentJobs' | 'olderSets'>;

/** Why no user can reach the agents of a look, by process. */
const unreachedIn = ({ agents }: Seen): ReadonlyMap<number, Said> =>
  new Map(
    (agents ?? []).flatMap(({ parts, reach }) =>
      reach.state === 'unreachable' ? parts.map(({ pid }) => [pid, reachSaid(reach)] as const) : [],
    ),
  );

/** Of the agents of a look whether they are idle, by process. */
const idleIn = ({ agents, table }: Seen): CostsInput['idle'] =>
  new Map(
    (agents ?? []).flatMap(({ parts, idle, job, ownEnd, session }) => {
      // An idle session alone: a daemon is no session, and an unreachable one has its own line.
      const own = session !== null && isResting(idle) ? (ownEnd?.id ?? null) : null;
      return parts.map(({ pid }) => [pid, { idle: idleView(idle, table), end: job, ownEnd: own }] as const);
    }),
  );

/** What is asked whose pipes are whose. */
type Asked = Pick<ProcessSource, 'channels'>;

/**
 * Works out what every session of a look costs.
 * @param memoryOf what is read of the memory of processes
 * @throws ProcessTableUnreadable
 */
const costsOf = (look: Seen, source: Asked, memoryOf: typeof processMemory): SessionCosts => {
  const { table, sessions } = look;
  // An agent that is to be ended is a session and no job of one.
  const jobs = [...look.jobs.values()].map(({ job }) => job).filter(({ reach }) => reach === undefined);
  const groups = sessionGroups(table, sessions, jobs);
  const pids = groups.flatMap(({ rows }) => rows.map(({ pid }) => pid));
  const agents = new Set<number>(groups.flatMap((group) => group.agents.map(({ pid }) => pid)));
  return sessionCosts({
    host: localHost,
    table,
    sessions,
    jobs,
    memory: memoryOf(pids),
    inputs: inputChannels(source, pids, agents),
    idle: idleIn(look),
    olderSets: olderSets(table, look.servers ?? []),
    olderJobs: new Map(
      [...(look.agentJobs?.values() ?? [])]
        .filter(({ job }) => look.olderSets?.has(job.id) === true)
        .map(({ job }) => [Number(job.root.pid), job.id]),
    ),
    unreachable: new Map([...unreachedIn(look)].map(([pid, said]) => [pid, inEnglish(said)] as const)),
  });
};

/**
 * Reads what every session of a look costs. Reads the memory of each of their processes, 0.2 to 10
 * ms each: only for a command or an open window, never for a scan.
 * @throws ProcessTableUnreadable
 */
export const readSessionCosts = (look: Seen, source: Asked): SessionCosts => costsOf(look, source, processMemory);

/**
 * The same for a window.
 * @throws ProcessTableUnreadable
 */
export const readSessionList = (look: Seen, source: Asked): SessionList => {
  const costs = readSessionCosts(look, source);
  const unreached = unreachedIn(look);
  const saidOf = (pid: number | null): Said | null => {
    const said = pid === null ? undefined : unreached.get(pid);
    return said === undefined ? null : withTexts(said, safeName);
  };
  const idleSaidOf = (pid: number | null): Said | null => {
    const agent = look.agents?.find(({ parts }) => parts.some((part) => Number(part.pid) === pid));
    return agent === undefined ? null : withTexts(idleSaid(agent.idle, look.table.takenAtMs), safeName);
  };
  const sessions = costs.sessions.map((one) => ({
    ...one,
    unreachableSaid: saidOf(one.pid),
    idleSaid: idleSaidOf(one.pid),
  }));
  return { ...costs, sessions };
};

/**
 * The same with the memory that the process table tells anyway, the resident size, for a scan.
 * @throws ProcessTableUnreadable
 */
export const sessionCostsOfScan = (look: Seen, source: Asked): SessionCosts => costsOf(look, source, () => new Map());
