import type { AgentId } from '../agents/common/agent-id.ts';
import type { Idle, Reach, ReachState } from '../model/reach.ts';
import type { AgentSession, SessionStatus } from '../model/session.ts';
import type { Pid } from '../process/identity.ts';
import type { ProcessRow } from '../process/row.ts';
import type { ProcessTable } from '../process/table.ts';
import { relationsOf } from '../process/tree.ts';

/** What may be done about an agent in one state. */
export interface ReachActions {
  /** The user may end it by the button and by `curfew reap --agent-pid`. */
  readonly button: boolean;
  /** Whether Curfew may end it by itself: never, or where the user chose that. */
  readonly automatic: 'never' | 'opt-in';
  /** Listed in a section of its own; the rest only where all agents are listed. */
  readonly shown: boolean;
}

/**
 * The whole truth table. A state without a proof has no button: a process that may be in use is not
 * ended.
 */
export const reachActions: Readonly<Record<ReachState, ReachActions>> = {
  unreachable: { button: true, automatic: 'opt-in', shown: true },
  finishing: { button: false, automatic: 'never', shown: true },
  'closed-lately': { button: false, automatic: 'never', shown: true },
  'cut-off': { button: true, automatic: 'never', shown: true },
  held: { button: true, automatic: 'never', shown: true },
  detached: { button: true, automatic: 'never', shown: true },
  headless: { button: false, automatic: 'never', shown: false },
  service: { button: false, automatic: 'never', shown: true },
  idle: { button: true, automatic: 'opt-in', shown: true },
  reachable: { button: false, automatic: 'never', shown: false },
  unknown: { button: false, automatic: 'never', shown: false },
};

/** Whether the user may end an agent in this state. */
export const canEnd = ({ state }: Reach): boolean => reachActions[state].button;

/** What is known of an agent that says whether it is in use. */
export interface InUse {
  readonly reach: Reach;
  readonly idle: Idle;
  readonly session: string | null;
}

/**
 * Whether its user, or what holds its ends, can come back to it, and it is in use. A daemon without
 * a session moves bytes of its own: what counts is what it runs.
 */
export const isUsed = ({ reach: { state }, idle, session }: InUse): boolean =>
  idle.state === 'in-use' &&
  (['reachable', 'headless', 'held', 'detached'].includes(state) ||
    (state === 'service' && (session !== null || idle.why === 'command')));

/**
 * Whether Curfew may end it by itself where the user chose that: only what was seen to be out of
 * reach and quiet for the whole time.
 */
export const mayEndByItself = (reach: Reach): boolean =>
  reachActions[reach.state].automatic === 'opt-in' && reach.state === 'unreachable' && reach.settled && !reach.spinning;

/** An agent as one program: a launcher and what it runs again as itself are one. */
export interface AgentUnit {
  readonly agent: AgentId;
  readonly top: ProcessRow;
  /** `top`, and below it the same program with the same standard input. */
  readonly parts: readonly ProcessRow[];
}

/**
 * Gathers agents' processes into agents. Gemini CLI 0.61 runs itself a second time (observed), a
 * package of npm starts the program that it brings. A process with another standard input is an
 * agent of its own: an SDK that was started in a tool call.
 * @param sameInput whether two processes have the same file as standard input
 */
export const agentUnits = (
  table: ProcessTable,
  agents: readonly { readonly agent: AgentId; readonly row: ProcessRow }[],
  sameInput: (parent: Pid, child: Pid) => boolean,
): readonly AgentUnit[] => {
  const agentOf = new Map(agents.map(({ agent, row }) => [row.pid, agent]));
  const { children } = relationsOf(table.rows);
  const isPart = (agent: AgentId, parent: Pid, child: ProcessRow): boolean =>
    agentOf.get(child.pid) === agent && sameInput(parent, child.pid);
  const partsOf = (agent: AgentId, row: ProcessRow): readonly ProcessRow[] => [
    row,
    ...children(row.pid)
      .filter((child) => isPart(agent, row.pid, child))
      .flatMap((child) => partsOf(agent, child)),
  ];
  return agents
    .filter(({ agent, row }) => agentOf.get(row.ppid) !== agent || !sameInput(row.ppid, row.pid))
    .map(({ agent, row }) => ({ agent, top: row, parts: partsOf(agent, row) }));
};

/**
 * Returns the sessions of an agent, those of a registry before what hooks told alone, which may be
 * of an earlier conversation. An entry that was left behind names a process by a pid that another
 * one has now, of another agent too.
 */
export const sessionsOf = ({ agent, parts }: AgentUnit, sessions: readonly AgentSession[]): readonly AgentSession[] => {
  const own = sessions.filter(
    ({ agent: of, pid, process, state }) =>
      of === agent &&
      state !== 'gone' &&
      parts.some((part) => part.pid === pid && (process === null || process.startTicks === part.startTicks)),
  );
  const registered = own.filter(({ claimant }) => claimant !== true);
  return registered.length > 0 ? registered : own;
};

/** The first one that any session says counts. */
const byUse: readonly (SessionStatus | undefined)[] = ['answer', 'command', 'busy', 'other', undefined, 'idle'];

/** Returns what the sessions of one process say together; null without any. */
export const togetherOf = (
  sessions: readonly Pick<AgentSession, 'status' | 'statusAtMs' | 'remote'>[],
): Pick<AgentSession, 'status' | 'statusAtMs' | 'remote'> | null => {
  if (sessions.length === 0) return null;
  const status = byUse.find((one) => sessions.some((session) => session.status === one));
  const times = sessions.flatMap(({ statusAtMs }) => statusAtMs ?? []);
  return {
    ...(status === undefined ? {} : { status }),
    ...(times.length === 0 ? {} : { statusAtMs: Math.max(...times) }),
    ...(sessions.some(({ remote }) => remote === true) ? { remote: true } : {}),
  };
};
