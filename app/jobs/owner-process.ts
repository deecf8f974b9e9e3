import type { AgentId } from '../agents/agent-id.ts';
import { isOpencodeServer } from '../agents/opencode.ts';
import { asPid } from '../process/identity.ts';
import type { ProcessRow } from '../process/row.ts';
import { hasEnded } from '../process/row.ts';
import type { ProcessTable } from '../process/table.ts';
import { identityOf } from '../process/table.ts';
import type { ProcessTree } from '../process/tree.ts';
import type { Owner } from './job.ts';
import type { ProcessMark } from './ledger.ts';
import type { Origin } from './origin.ts';
import type { Root } from './root.ts';
import type { SessionDirectory } from './session.ts';

/** What an owner is worked out from. */
export interface OwnerInput {
  readonly table: ProcessTable;
  readonly tree: ProcessTree;
  readonly originOf: (row: ProcessRow) => Origin;
  readonly directory: SessionDirectory;
  /** Living agents' own processes, each with its agent. */
  readonly agents: readonly { readonly agent: AgentId; readonly row: ProcessRow }[];
  /** See `possibleAgents`. */
  readonly possible: (agent: AgentId, session: string | null) => ProcessRow | null;
}

/** A living owner. */
export const live = (input: OwnerInput, row: ProcessRow, evidence: string): Owner => ({
  state: 'live',
  process: identityOf(input.table, row),
  evidence,
});
/** An owner of whom it is known that it has ended. */
export const gone = (evidence: string): Owner => ({ state: 'gone', sinceMs: null, evidence });
/** Nobody knows. */
export const unknown = (evidence: string): Owner => ({ state: 'unknown', evidence });

/** Somebody living has taken the session over, or its registry still shows it alive; null for nobody. */
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
 * The session's own registry says that it runs in another pid namespace or on another machine (a container or cluster with the same home
 * folder): then the pid in its marks means nobody here.
 */
const isRegisteredElsewhere = (input: OwnerInput, agent: AgentId, session: string | null): boolean =>
  session !== null &&
  input.directory.sessions.some(
    (one) => one.agent === agent && one.id === session && one.state === 'unknown' && one.pid === null,
  );

/** Whether the process that has an owner's pid now is that owner. `maybe`: nothing speaks against it but that it looks like no agent. */
type Likeness = 'yes' | 'maybe' | 'no';

/** The recorded process of an owner: the same process that was alive when the job began, or nobody. */
const ofProcess = (
  input: OwnerInput,
  agent: AgentId,
  session: string | null,
  pid: number,
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
  if (isRegisteredElsewhere(input, agent, session))
    return unknown('its session is registered in another pid namespace or on another machine');
  if (input.directory.opaqueFor.has(agent))
    return unknown('another session, which may have taken it over, could not be looked into');
  return gone(`agent process ${pid} is gone`);
};

/**
 * What the owner had started and the job still hangs below: the agent itself under a name that no signature knows, where the program that
 * people call is only its launcher (Qwen Code 0.24 runs `node …/cli.js` below `qwen`; observed, and it goes on when the launcher is killed).
 * Whoever adopts orphans is an ancestor of the owner, so that it is older.
 */
const starterBetween = (root: Root, recorded: ProcessMark, isPart: (row: ProcessRow) => boolean): ProcessRow | null =>
  root.lineage.chain.find((row) => row.startTicks > recorded.startTicks && !hasEnded(row) && !isPart(row)) ?? null;

/** Of a process that was seen to be the owner. `isPart`: known to be a part of the job itself. */
export const ofRecorded = (
  input: OwnerInput,
  agent: AgentId,
  session: string | null,
  recorded: ProcessMark,
  root: Root,
  isPart: (row: ProcessRow) => boolean,
): Owner => {
  const owner = ofProcess(input, agent, session, recorded.pid, (row) =>
    row.startTicks === recorded.startTicks ? 'yes' : 'no',
  );
  const starter = owner.state === 'gone' ? starterBetween(root, recorded, isPart) : null;
  return starter === null ? owner : unknown(`process ${starter.pid}, which its agent had started, is running above it`);
};

/** A living server of that agent which runs the commands of sessions that other processes show, older than the job. */
const serverOf = (input: OwnerInput, agent: AgentId, root: Root): ProcessRow | null =>
  agent !== 'opencode'
    ? null
    : (input.agents.find(
        (one) =>
          one.agent === agent &&
          one.row.uid === input.table.uid &&
          one.row.startTicks <= root.row.startTicks &&
          isOpencodeServer(one.row.argv),
      )?.row ?? null);

/**
 * The process that a marker names. Its pid can be another's by now: of one that is younger than the job for certain, of an older one
 * where the job's oldest process left was itself started late. What is no agent by its name could be one that no signature knows.
 */
export const ofNamed = (input: OwnerInput, agent: AgentId, session: string | null, pid: number, root: Root): Owner => {
  const owner = ofProcess(input, agent, session, pid, (row) => {
    if (row.startTicks > root.row.startTicks || row.kernelThread || row.pid === 1) return 'no';
    return input.originOf(row).program === agent && row.uid === input.table.uid ? 'yes' : 'maybe';
  });
  const server = owner.state === 'gone' ? serverOf(input, agent, root) : null;
  return server === null ? owner : unknown(`process ${server.pid} runs the commands of many sessions and could own it`);
};
