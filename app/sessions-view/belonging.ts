import { programOf } from '../agents/signatures.ts';
import type { Job } from '../model/job.ts';
import type { AgentSession } from '../model/session.ts';
import type { Pid } from '../process/identity.ts';
import { type ProcessRow, hasEnded } from '../process/row.ts';
import { rowOf, type ProcessTable } from '../process/table.ts';
import { descendants, relationsOf } from '../process/tree.ts';

export interface SessionGroup {
  readonly session: AgentSession;
  /** Its own processes: the agent with its launcher; empty when they have ended. */
  readonly agents: readonly ProcessRow[];
  readonly jobs: readonly Job[];
  /** All its living processes, each in one group only. */
  readonly rows: readonly ProcessRow[];
}

/** Returns the process of a session where it lives. */
const processOf = ({ process, state }: AgentSession, table: ProcessTable): ProcessRow | null => {
  const row = process === null || state === 'gone' ? null : rowOf(table, process);
  return row === null || hasEnded(row) ? null : row;
};

const isOf = (job: Job, session: AgentSession): boolean => {
  if (job.agent !== session.agent) return false;
  if (job.session !== null && session.id !== null) return job.session === session.id;
  if (job.owner.state !== 'live') return false;
  const { process } = job.owner;
  return process !== null && process.pid === session.pid && process.startTicks === session.process?.startTicks;
};

/** A session that is known only by its jobs. */
const impliedBy = (job: Job): AgentSession => ({
  agent: job.agent,
  id: job.session,
  process: null,
  pid: null,
  state: job.owner.state,
  project: job.project,
  source: `job ${job.id}`,
});

const impliedKey = ({ agent, session, project, owner }: Job): string =>
  [agent, session ?? `${project} ${owner.state}`].join('\0');

/**
 * Returns the sessions of a look with their processes: the agent, its launcher, its descendants,
 * and the members of its jobs wherever they are. A session below another (an agent that an agent
 * started) keeps its own. Jobs whose session is not listed make one up. Pure.
 */
export const sessionGroups = (
  table: ProcessTable,
  sessions: readonly AgentSession[],
  jobs: readonly Job[],
): readonly SessionGroup[] => {
  const ofAgents = jobs.filter(({ run }) => run === undefined);
  const ownerOf = new Map<Job, AgentSession>();
  const implied = new Map<string, AgentSession>();
  for (const job of ofAgents) {
    // A living entry before one that a killed process left under the same id.
    const own = sessions.filter((session) => isOf(job, session));
    const found = own.find(({ state }) => state === 'live') ?? own[0] ?? implied.get(impliedKey(job)) ?? impliedBy(job);
    ownerOf.set(job, found);
    if (own.length === 0) implied.set(impliedKey(job), found);
  }
  const all = [...sessions, ...implied.values()];
  const tree = relationsOf(table.rows);
  const roots = new Map<Pid, AgentSession>();
  for (const session of all) {
    const row = processOf(session, table);
    if (row !== null && !roots.has(row.pid)) roots.set(row.pid, session);
  }
  const taken = new Set<Pid>();
  const take = (rows: readonly ProcessRow[]): readonly ProcessRow[] =>
    rows.filter((row) => {
      if (hasEnded(row) || taken.has(row.pid)) return false;
      taken.add(row.pid);
      return true;
    });
  const members = new Map(
    all.map((session) => {
      const own = ofAgents.filter((job) => ownerOf.get(job) === session);
      return [session, { own, rows: take(own.flatMap((job) => job.members.map(({ row }) => row))) }] as const;
    }),
  );
  return all.map((session): SessionGroup => {
    const { own: jobsOf = [], rows: memberRows = [] } = members.get(session) ?? {};
    const root = processOf(session, table);
    if (root === null || roots.get(root.pid) !== session)
      return { session, agents: [], jobs: jobsOf, rows: memberRows };
    const isPart = (row: ProcessRow): boolean => programOf(row) === session.agent && !roots.has(row.pid);
    const launchers: ProcessRow[] = [];
    for (const parent of tree.ancestors(root.pid)) {
      if (!isPart(parent)) break;
      launchers.push(parent);
    }
    const below = descendants(tree, root.pid, (row) => !roots.has(row.pid));
    const agents = take([root, ...launchers, ...below.filter(isPart)]);
    return { session, agents, jobs: jobsOf, rows: [...agents, ...take(below), ...memberRows] };
  });
};
