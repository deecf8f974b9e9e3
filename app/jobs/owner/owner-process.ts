import type { AgentId } from '../../agents/common/agent-id.ts';
import { isIdleSpare, signatureOf } from '../../agents/signatures.ts';
import type { Pid } from '../../process/identity.ts';
import { asPid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import { hasEnded, mayStillLive } from '../../process/row.ts';
import { identityOf } from '../../process/table.ts';
import type { Owner } from '../model/job.ts';
import type { LedgerEntry, ProcessRef } from '../ledger/ledger.ts';
import type { Root } from '../lineage/root.ts';
import type { TableView } from '../lineage/table-view.ts';
import type { SessionDirectory } from '../model/session.ts';
import { isBroker } from './broker.ts';

/** What an owner is worked out from. */
export interface OwnerInput extends Pick<TableView, 'table' | 'tree' | 'profileOf'> {
  readonly directory: SessionDirectory;
  /** Living agents' own processes, of every user, each with its agent. */
  readonly agents: readonly { readonly agent: AgentId; readonly row: ProcessRow }[];
  /** A living process which has this pid in a pid namespace of its own, see `Evidence`. */
  readonly namedInside: (pid: Pid) => Pid | null;
  /** True for agents that start each tool shell as the leader of a kernel session. */
  readonly leadsToolCalls: (agent: AgentId) => boolean;
  /**
   * True for an agent that no user can reach and that cannot have started a job which began then:
   * it must not shield the leftovers of later sessions for ever.
   */
  readonly cannotOwn?: (agent: ProcessRow, begunTicks: number) => boolean;
  /** See `possibleAgents`. */
  readonly possible: (agent: AgentId, session: string | null) => ProcessRow | null;
}

/** A living owner. */
export const live = (input: OwnerInput, row: ProcessRow, evidence: string): Owner => ({
  state: 'live',
  process: identityOf(input.table, row),
  evidence,
});
/** An owner that is known to have ended. */
export const gone = (evidence: string): Owner => ({ state: 'gone', sinceMs: null, evidence });
/** Nothing is known for certain. */
export const unknown = (evidence: string): Owner => ({ state: 'unknown', evidence });

/**
 * Returns the living owner where another process has taken the session over, or its registry shows
 * it alive; else null.
 */
export const successor = (input: OwnerInput, agent: AgentId, session: string | null): Owner | null => {
  if (session === null) return null;
  const adoption = input.directory.adoptions.find((one) => one.agent === agent && one.session === session);
  if (adoption !== undefined) return { state: 'live', process: adoption.by, evidence: adoption.evidence };
  const entry = input.directory.sessions.find(
    (one) => one.agent === agent && one.id === session && one.state === 'live',
  );
  return entry === undefined ? null : { state: 'live', process: entry.process, evidence: entry.source };
};

/**
 * The session's own registry says that it runs in another pid namespace or on another machine (a
 * container or cluster with the same home folder): then the pid in its marks means no process here.
 */
const isRegisteredElsewhere = (input: OwnerInput, agent: AgentId, session: string | null): boolean =>
  session !== null &&
  input.directory.sessions.some(
    (one) => one.agent === agent && one.id === session && one.state === 'unknown' && one.pid === null,
  );

/**
 * Start of the job in ticks: of its oldest known part. What a job forked while it was ended is
 * younger than its agent by far.
 */
export const begunTicksOf = (root: Root, entry: LedgerEntry | null): number =>
  Math.min(root.row.startTicks, entry?.root.startTicks ?? root.row.startTicks);

/**
 * What keeps a session whose process has ended from being gone for certain; null for nothing.
 * Another process may have resumed it, where
 *
 * - a part of the registry can't be read;
 * - an agent of its kind began after the job and is in no registry, so that its session is not
 *   known.
 */
export const unclearSession = (
  input: OwnerInput,
  agent: AgentId,
  session: string | null,
  begunTicks: number,
): string | null => {
  const { directory } = input;
  if (directory.opaqueFor.has(agent)) return 'another session, which may have taken it over, could not be looked into';
  const entry = directory.unclear.find(
    (one) => one.agent === agent && (one.session === null || session === null || one.session === session),
  );
  if (entry !== undefined) return `${entry.source}, which may name its session, can't be read`;
  // Which session a job without an id is of is not known, and agents that name none don't take
  // others' over.
  if (session === null) return null;
  const later = directory.sessions.find(
    (one) =>
      one.agent === agent &&
      one.id === null &&
      one.state === 'unknown' &&
      one.process !== null &&
      one.process.startTicks >= begunTicks &&
      !isIdleSpare(agent, input.table.rows.get(one.process.pid)?.argv ?? []),
  );
  return later === undefined ? null : `process ${later.pid}, which may have resumed its session, is in no registry`;
};

/**
 * Whether the process that has an owner's pid now is that owner. `maybe`: nothing speaks against it
 * but that it looks like no agent. `untold`: see `mayStillLive`.
 */
type Likeness = 'yes' | 'maybe' | 'untold' | 'no';

/**
 * The recorded process of an owner: the same process that was alive when the job began, or none.
 */
const ofProcess = (
  input: OwnerInput,
  agent: AgentId,
  session: string | null,
  pid: number,
  begunTicks: number,
  likenessOf: (row: ProcessRow) => Likeness,
): Owner => {
  const row = input.table.rows.get(asPid(pid));
  const likeness = row === undefined || hasEnded(row) ? 'no' : likenessOf(row);
  if (row !== undefined && likeness === 'yes') return live(input, row, `agent process ${pid} is running`);
  const next = successor(input, agent, session);
  if (next !== null) return next;
  if (row === undefined && !input.table.complete) return unknown('the machine does not show all processes');
  if (likeness === 'maybe')
    return unknown(`process ${pid}, which it names as its agent, is running and looks like none`);
  if (likeness === 'untold')
    return unknown(`process ${pid} may be its agent: another reader noted when that one started`);
  if (isRegisteredElsewhere(input, agent, session))
    return unknown('its session is registered in another pid namespace or on another machine');
  const unclear = unclearSession(input, agent, session, begunTicks);
  if (unclear !== null) return unknown(unclear);
  return gone(`agent process ${pid} is gone`);
};

/**
 * What the owner had started and the job still hangs below: the agent itself under a name that no
 * signature knows, where the program that users call is only its launcher (Qwen Code 0.24 runs
 * `node …/cli.js` below `qwen`; observed, and it goes on when the launcher is killed). What adopts
 * orphans is an ancestor of the owner, so it is older.
 */
const starterBetween = (root: Root, recorded: ProcessRef, isPart: (row: ProcessRow) => boolean): ProcessRow | null =>
  root.lineage.chain.find((row) => row.startTicks > recorded.startTicks && !hasEnded(row) && !isPart(row)) ?? null;

/** Of a process that was seen to be the owner. `isPart`: known to be a part of the job itself. */
export const ofRecorded = (
  input: OwnerInput,
  agent: AgentId,
  session: string | null,
  recorded: ProcessRef,
  root: Root,
  begunTicks: number,
  isPart: (row: ProcessRow) => boolean,
): Owner => {
  const owner = ofProcess(input, agent, session, recorded.pid, begunTicks, (row) =>
    row.startTicks === recorded.startTicks ? 'yes' : mayStillLive(row, recorded) ? 'untold' : 'no',
  );
  const starter = owner.state === 'gone' ? starterBetween(root, recorded, isPart) : null;
  return starter === null ? owner : unknown(`process ${starter.pid}, which its agent had started, is running above it`);
};

/**
 * A living server of that agent which runs the commands of sessions that other processes show,
 * older than the job.
 */
const serverOf = (input: OwnerInput, agent: AgentId, root: Root): ProcessRow | null => {
  const { sharedServer } = signatureOf(agent);
  if (sharedServer === 'none') return null;
  const isServer = (row: ProcessRow): boolean => row.startTicks <= root.row.startTicks && sharedServer(row.argv);
  return input.agents.find((one) => one.agent === agent && isServer(one.row))?.row ?? null;
};

/**
 * The process that a marker names, of any user: a command can change its user (`sudo -E`). Its pid
 * can be another's by now: of one that is younger than the job for certain, of an older one where
 * the job's oldest process left was itself started late. What is no agent by its name could be one
 * that no signature knows, and a pid that was never an agent's in this pid namespace (a kernel
 * thread's) is of another one.
 *
 * That it has ended counts only where the pid can be of this pid namespace: no process in a
 * namespace of its own goes by it there, and no broker for commands from sandboxes is above the
 * job.
 */
export const ofNamed = (
  input: OwnerInput,
  agent: AgentId,
  session: string | null,
  pid: Pid,
  root: Root,
  begunTicks: number,
): Owner => {
  const owner = ofProcess(input, agent, session, pid, begunTicks, (row) => {
    if (row.startTicks > root.row.startTicks) return 'no';
    return input.profileOf(row).program === agent ? 'yes' : 'maybe';
  });
  if (owner.state !== 'gone') return owner;
  const inside = input.namedInside(pid);
  if (inside !== null) return unknown(`process ${inside} is process ${pid} in a pid namespace of its own`);
  const broker = root.lineage.chain.find(isBroker);
  if (broker !== undefined) return unknown(`process ${broker.pid} runs commands for sandboxes`);
  const server = serverOf(input, agent, root);
  return server === null ? owner : unknown(`process ${server.pid} runs the commands of many sessions and could own it`);
};
