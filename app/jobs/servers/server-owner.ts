import type { AgentId } from '../../agents/common/agent-id.ts';
import type { Pid } from '../../process/identity.ts';
import { asPid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import { hasEnded } from '../../process/row.ts';
import { identityOf } from '../../process/table.ts';
import { signatureOf } from '../../agents/signatures.ts';
import { lineageOf } from '../lineage/lineage.ts';
import type { TableView } from '../lineage/table-view.ts';
import { livingOf, type Witness } from '../lineage/witness.ts';
import type { Owner } from '../model/job.ts';
import type { SessionDirectory } from '../model/session.ts';
import { isBroker } from '../owner/broker.ts';
import { gone, unknown } from '../owner/owner-process.ts';
import { olderOf, type AgentMark, type Suspect } from './suspects.ts';

/** What the owner of a server is worked out from. */
export interface ServerOwnerInput extends TableView {
  readonly directory: SessionDirectory;
  readonly before: readonly Witness[];
}

const live = (input: ServerOwnerInput, row: ProcessRow): Owner => ({
  state: 'live',
  process: identityOf(input.table, row),
  evidence: `agent process ${row.pid} is running`,
});

/** When an earlier look saw the agent alive: the wall clock of its end, as observed. */
const sinceOf = ({ table, before }: ServerOwnerInput, pid: number, startTicks: number | null): number | null => {
  const seen = before.find(
    (one) => one.kind === 'agent' && one.pid === pid && (startTicks === null || one.startTicks === startTicks),
  );
  if (seen?.kind !== 'agent') return null;
  const endedTicks = seen.endedTicks ?? table.nowTicks;
  return Math.round(table.takenAtMs - ((table.nowTicks - endedTicks) / table.ticksPerSecond) * 1000);
};

const goneSince = (evidence: string, sinceMs: number | null): Owner => ({ state: 'gone', sinceMs, evidence });

const hiddenTable = 'the machine does not show all processes';

/** A living server of that agent which keeps the servers of many sessions, older than this one. */
const sharedServerOf = (input: ServerOwnerInput, agent: AgentId, row: ProcessRow): ProcessRow | null => {
  const { sharedServer } = signatureOf(agent);
  if (sharedServer === 'none') return null;
  for (const one of input.table.rows.values())
    if (input.profileOf(one).program === agent && one.startTicks <= row.startTicks && sharedServer(one.argv))
      return one;
  return null;
};

/**
 * The session is registered in another pid namespace or on another machine: its pid means no
 * process here.
 */
const isElsewhere = ({ directory }: ServerOwnerInput, { agent, mark }: AgentMark): boolean =>
  mark.session !== null &&
  directory.sessions.some(
    (one) => one.agent === agent && one.id === mark.session && one.state === 'unknown' && one.pid === null,
  );

/**
 * By the pid in a mark. A process that is younger than the server has the pid of another by now.
 */
const byPid = (input: ServerOwnerInput, row: ProcessRow, one: AgentMark, pid: Pid): Owner => {
  const older = olderOf(input, pid, row.startTicks);
  if (older !== null)
    return input.profileOf(older).program === one.agent
      ? live(input, older)
      : unknown(`process ${pid}, which it names as its agent, is running and looks like none`);
  if (!input.table.complete) return unknown(hiddenTable);
  const inside = input.evidence.namedInside?.(pid) ?? null;
  if (inside !== null) return unknown(`process ${inside} is process ${pid} in a pid namespace of its own`);
  const broker = lineageOf(input, row).chain.find(isBroker);
  if (broker !== undefined) return unknown(`process ${broker.pid} runs commands for sandboxes`);
  if (isElsewhere(input, one))
    return unknown('its session is registered in another pid namespace or on another machine');
  const server = sharedServerOf(input, one.agent, row);
  if (server !== null) return unknown(`process ${server.pid} runs the servers of many sessions and could own it`);
  return goneSince(`agent process ${pid} is gone`, sinceOf(input, pid, null));
};

/** What the agent's own records say of the session that a mark names; null for nothing. */
const byRecord = ({ directory }: ServerOwnerInput, { agent, mark }: AgentMark): 'live' | 'unknown' | 'gone' | null => {
  if (mark.session === null) return null;
  const states = directory.sessions.flatMap((one) =>
    one.agent === agent && one.id === mark.session ? [one.state] : [],
  );
  for (const state of ['live', 'unknown', 'gone'] as const) if (states.includes(state)) return state;
  return null;
};

/**
 * By the process group that the agent, or its launcher, led: no pid is given out while it names a
 * living group, so a leader that isn't there has ended.
 */
const byGroup = (input: ServerOwnerInput, row: ProcessRow, one: AgentMark): Owner => {
  const { table, tree, profileOf } = input;
  const recorded = byRecord(input, one);
  if (recorded === 'live' || recorded === 'unknown') return unknown('its session may still be running');
  if (!table.complete) return unknown(hiddenTable);
  const isAgent = (mate: ProcessRow): boolean =>
    !hasEnded(mate) && profileOf(mate).program === one.agent && mate.startTicks <= row.startTicks;
  const other = [...tree.group(row.pgid), ...(Number(row.sid) === Number(row.pid) ? [] : tree.session(row.sid))].find(
    isAgent,
  );
  if (other !== undefined) return unknown(`process ${other.pid} of the same agent is running and could own it`);
  if (recorded === 'gone') return gone('its session has ended by the record of its agent');
  const leader = tree.row(asPid(Number(row.pgid)));
  if (Number(row.pgid) <= 1) return unknown('its process group is of another pid namespace');
  if (leader !== undefined && !hasEnded(leader))
    return unknown(`process ${leader.pid}, which leads its process group, is running`);
  return gone('the process that led the group of its agent is gone');
};

const byMark = (input: ServerOwnerInput, row: ProcessRow, one: AgentMark): Owner =>
  one.mark.ownerPid === null ? byGroup(input, row, one) : byPid(input, row, one, one.mark.ownerPid);

const aliveness = { live: 2, unknown: 1, gone: 0 } as const;

/** Of several answers the one under which the fewest processes are ended. */
export const safestOwner = (owners: readonly Owner[]): Owner =>
  owners.reduce<Owner>(
    (best, owner) => (aliveness[owner.state] > aliveness[best.state] ? owner : best),
    owners[0] ?? unknown('nothing tells which agent started it'),
  );

/**
 * Whose a server is that no living agent is above. An agent that was seen above it counts by its
 * identity; else the pid that the marks name, never their session, which another process can have
 * resumed; else the process group.
 */
export const ownerOfServer = (input: ServerOwnerInput, { row, marks, witness, above }: Suspect): Owner => {
  if (above !== null) return live(input, above);
  if (witness !== null) {
    const owner = livingOf(input.tree, witness.owner);
    if (owner !== undefined) return live(input, owner);
    if (!input.table.complete) return unknown(hiddenTable);
    const since = sinceOf(input, witness.owner.pid, witness.owner.startTicks);
    return goneSince(`agent process ${witness.owner.pid} is gone`, since);
  }
  const telling = marks.filter(({ mark }) => mark.role === 'server' || mark.role === 'shared');
  if (telling.length > 0) return safestOwner(telling.map((one) => byMark(input, row, one)));
  const named = marks.filter(({ mark }) => mark.ownerPid !== null);
  return named.length === 0
    ? unknown('its marks name no session')
    : safestOwner(named.map((one) => byMark(input, row, one)));
};

/**
 * A group or session whose number was given out after the agent began and not after this process.
 */
const isBetween = (id: number, ownerPid: number, pid: number): boolean =>
  ownerPid < pid ? id > ownerPid && id <= pid : id > ownerPid || id <= pid;

/**
 * True for what made a kernel session or a process group of its own, or is in one that was made
 * below its agent: a deliberate daemon, a hook, what a user started in a terminal that a server
 * opened. Servers share those of their agent. A dead leader is told by its number: pids are given
 * out in order.
 */
export const isApart = (view: TableView, { row, marks, witness }: Suspect): boolean => {
  // What stands for a session on Windows is also led by what has lost its parent, and its numbers
  // have no order: detached is what gave up its console.
  if (view.evidence.sessions === 'apparent')
    return Number(row.sid) === Number(row.pid) && row.windows?.console === false;
  // A look saw it below its agent, which held its ends: some agents give each server a session.
  if (witness !== null && !witness.inner && witness.sid === Number(row.sid)) return false;
  if (Number(row.sid) === Number(row.pid)) return true;
  if (witness !== null && !witness.inner) return false;
  const leader = view.tree.row(asPid(Number(row.sid)));
  if (leader !== undefined && !hasEnded(leader)) {
    const { program, claims } = view.profileOf(leader);
    if (program === null && ((view.evidence.serverMarks?.(leader) ?? []).length > 0 || claims.length > 0)) return true;
  }
  const owner = marks.find(({ mark }) => mark.ownerPid !== null)?.mark.ownerPid ?? witness?.owner.pid ?? null;
  if (owner === null || Number(row.sid) <= 0) return Number(row.sid) <= 0;
  return isBetween(row.sid, owner, row.pid) || isBetween(row.pgid, owner, row.pid);
};
