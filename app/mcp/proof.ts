import type { AgentId, AgentSessionId } from '../agents/common/agent-id.ts';
import { dossiers } from '../agents/dossiers.ts';
import { nameOf } from '../agents/names.ts';
import { signatureOf } from '../agents/signatures.ts';
import { lineageOf } from '../jobs/lineage/lineage.ts';
import type { TableView } from '../jobs/lineage/table-view.ts';
import type { Job } from '../model/job.ts';
import type { AgentSession, SessionDirectory } from '../model/session.ts';
import type { Pid, ProcessIdentity } from '../process/identity.ts';
import { type ProcessRow, hasEnded } from '../process/row.ts';
import { identityOf } from '../process/table.ts';

/** The session that asks, as the process table and its registry show it. */
export interface AskingSession {
  readonly agent: AgentId;
  /** What it was called, the latest included; empty for agents that name no sessions. */
  readonly ids: ReadonlySet<AgentSessionId>;
  /** The agent's own processes: the one that started the server, and its launchers. */
  readonly processes: readonly ProcessIdentity[];
  readonly pid: Pid;
}

/**
 * What is proved of the process that asks.
 *
 * - `session`: an agent started it, and its registry knows that agent's session.
 * - `agent`: an agent started it, and which of its sessions it is can't be told. It may read what
 *   hangs on that very process, and change nothing.
 * - `none`: nothing is its own.
 */
export type Proof =
  | { readonly kind: 'session'; readonly own: AskingSession }
  | { readonly kind: 'agent'; readonly own: AskingSession; readonly why: string }
  | { readonly kind: 'none'; readonly why: string };

export interface ProofInput extends Pick<TableView, 'table' | 'tree' | 'profileOf'> {
  readonly directory: Pick<SessionDirectory, 'sessions'>;
  readonly asking: Pid;
}

const none = (why: string): Proof => ({ kind: 'none', why });

/** A parent began before its child: a younger one has been given the pid of another. */
const isInOrder = (rows: readonly ProcessRow[]): boolean =>
  rows.every((row, at) => {
    const parent = rows[at + 1];
    return parent === undefined || parent.startTicks <= row.startTicks;
  });

/**
 * True for a process that runs the commands of many sessions: which of them asks can't be told. A
 * background session of its own has an end of its own.
 */
const servesMany = (agent: AgentId, { argv }: ProcessRow, session: AgentSessionId | null): boolean => {
  const { sharedServer } = signatureOf(agent);
  const { service } = dossiers[agent];
  if (sharedServer !== 'none' && sharedServer(argv)) return true;
  return service !== 'none' && service.is(argv) && service.end(argv, session)?.ends !== 'session';
};

const entriesOf = ({ table, directory }: ProofInput, agent: AgentId, row: ProcessRow): readonly AgentSession[] =>
  directory.sessions.filter(
    ({ agent: of, process, state }) =>
      of === agent &&
      state !== 'gone' &&
      process?.bootId === table.bootId &&
      process.pid === row.pid &&
      process.startTicks === row.startTicks,
  );

/** The agent's process that has the session: the nearest one, else a launcher right above it. */
const withEntries = (
  input: ProofInput,
  agent: AgentId,
  nearest: ProcessRow,
): { readonly parts: readonly ProcessRow[]; readonly entries: readonly AgentSession[] } => {
  const parts: ProcessRow[] = [nearest];
  for (const row of [nearest, ...input.tree.ancestors(nearest.pid)]) {
    if (row !== nearest) {
      if (input.profileOf(row).program !== agent || hasEnded(row)) break;
      parts.push(row);
    }
    const entries = entriesOf(input, agent, row);
    if (entries.length > 0) return { parts, entries };
  }
  return { parts: [nearest], entries: [] };
};

/**
 * Proves whose server asks, from its own process up the chain of its parents to the agent, and from
 * there to the agent's session. Nothing that the process says of itself (its environment, what it
 * asks) counts. Pure.
 */
export const proveOwn = (input: ProofInput): Proof => {
  const { table, tree } = input;
  const row = tree.row(input.asking);
  if (row === undefined) return none('this server is not in the process table');
  const { chain, end } = lineageOf(input, row);
  if (end === null) return none('no agent is among the processes that started this server');
  const agent = end.program;
  const name = `process ${end.row.pid} (${end.row.comm})`;
  if (agent === null) return none(`${name}, a program of the user, stands between this server and any agent`);
  if (!isInOrder([row, ...chain, end.row]) || hasEnded(end.row))
    return none('the chain of processes that started this server is broken');
  if (table.uid !== end.row.uid) return none(`${name} belongs to another user`);
  const { parts, entries } = withEntries(input, agent, end.row);
  const ids = new Set(entries.flatMap(({ id }) => (id === null ? [] : [id])));
  const [id = null] = ids;
  if (servesMany(agent, end.row, ids.size === 1 ? id : null))
    return none(`${name} serves many sessions of ${nameOf(agent)}, and which of them asks can't be told`);
  const own: AskingSession = {
    agent,
    ids,
    processes: parts.map((part) => identityOf(table, part)),
    pid: end.row.pid,
  };
  if (entries.some(({ state }) => state === 'live')) return { kind: 'session', own };
  return { kind: 'agent', own, why: `${nameOf(agent)} has ${name} in no registry that could be read` };
};

/** True for a job whose living owner is that very agent, by identity. */
export const isOwn = ({ owner, reach }: Pick<Job, 'owner' | 'reach'>, { processes }: AskingSession): boolean =>
  reach === undefined &&
  owner.state === 'live' &&
  owner.process !== null &&
  processes.some(
    ({ bootId, pid, startTicks }) =>
      owner.process?.bootId === bootId && owner.process.pid === pid && owner.process.startTicks === startTicks,
  );
