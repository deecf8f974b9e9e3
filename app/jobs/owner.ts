import type { AgentId } from '../agents/agent-id.ts';
import type { Claim } from '../agents/claim.ts';
import { asPid } from '../process/identity.ts';
import type { ProcessRow } from '../process/row.ts';
import { hasEnded } from '../process/row.ts';
import type { ProcessTable } from '../process/table.ts';
import { identityOf } from '../process/table.ts';
import type { ProcessTree } from '../process/tree.ts';
import { isAdopter } from './adopter.ts';
import type { Cluster } from './cluster.ts';
import type { Owner } from './job.ts';
import type { Origin } from './origin.ts';
import type { Root } from './root.ts';
import { ownerPidOf, sessionOf } from './claims.ts';
import type { AgentSession, SessionDirectory } from './session.ts';

/** What an owner is worked out from. */
export interface OwnerInput {
  readonly table: ProcessTable;
  readonly tree: ProcessTree;
  readonly originOf: (row: ProcessRow) => Origin;
  readonly directory: SessionDirectory;
  /** Living agents' own processes, each with its agent. */
  readonly agents: readonly { readonly agent: AgentId; readonly row: ProcessRow }[];
}

const live = (input: OwnerInput, row: ProcessRow | null, evidence: string): Owner => ({
  state: 'live',
  process: row === null ? null : identityOf(input.table, row),
  evidence,
});
const gone = (evidence: string): Owner => ({ state: 'gone', sinceMs: null, evidence });
const unknown = (evidence: string): Owner => ({ state: 'unknown', evidence });

/** Somebody living has taken the session over, or its registry still shows it alive. */
const successor = (input: OwnerInput, agent: AgentId, session: string | null): Owner | null => {
  if (session === null) return null;
  const adoption = input.directory.adoptions.find((one) => one.agent === agent && one.session === session);
  if (adoption !== undefined) return { state: 'live', process: adoption.by, evidence: adoption.evidence };
  const entry = input.directory.sessions.find(
    (one) => one.agent === agent && one.id === session && one.state === 'live',
  );
  return entry === undefined ? null : { state: 'live', process: entry.process, evidence: entry.source };
};

/** The recorded process of an owner: the same process that was alive when the job began, or nobody. */
const ofProcess = (
  input: OwnerInput,
  agent: AgentId,
  session: string | null,
  pid: number,
  isTheOne: (row: ProcessRow) => boolean,
): Owner => {
  const row = input.table.rows.get(asPid(pid));
  if (row !== undefined && !hasEnded(row) && isTheOne(row)) return live(input, row, `agent process ${pid} is running`);
  const next = successor(input, agent, session);
  if (next !== null) return next;
  if (row === undefined && !input.table.complete) return unknown('the machine does not show all processes');
  if (input.directory.opaqueFor.has(agent))
    return unknown('another session, which may have taken it over, could not be looked into');
  return gone(`agent process ${pid} is gone`);
};

/** Agents of this kind that live now and could have started the job: older than it, and not known to be busy with another session. */
const couldOwn = (input: OwnerInput, agent: AgentId, root: Root, accounted: ReadonlySet<number>): ProcessRow | null =>
  input.agents.find(
    (one) =>
      one.agent === agent &&
      one.row.uid === input.table.uid &&
      one.row.startTicks <= root.row.startTicks &&
      !accounted.has(one.row.pid),
  )?.row ?? null;

/** The parent that started it may still be there under a name that no signature knows: then nothing is gone. */
const hasStrangeParent = (input: OwnerInput, root: Root): boolean => {
  const parent = input.tree.row(root.row.ppid);
  return parent !== undefined && !isAdopter(parent) && input.originOf(parent).program === null;
};

const ofSession = (input: OwnerInput, claim: Claim, session: string, root: Root): Owner => {
  const next = successor(input, claim.agent, session);
  if (next !== null) return next;
  const entries = input.directory.sessions.filter((one) => one.agent === claim.agent && one.id === session);
  if (entries.some((one) => one.state === 'unknown')) return unknown('its session may still be running');
  if (hasStrangeParent(input, root)) return unknown(`process ${root.row.ppid}, which may have started it, is running`);
  const known = (one: AgentSession): boolean =>
    one.agent === claim.agent && one.state === 'live' && one.pid !== null && one.id !== null;
  const accounted = input.directory.completeFor.has(claim.agent)
    ? new Set(input.directory.sessions.filter(known).map((one) => Number(one.pid)))
    : new Set<number>();
  const other = couldOwn(input, claim.agent, root, accounted);
  if (other !== null) return unknown(`process ${other.pid} of the same agent is running and could own it`);
  if (!input.table.complete) return unknown('the machine does not show all processes');
  const entry = entries.find((one) => one.state === 'gone');
  return gone(
    entry === undefined ? 'its session is not among the living ones' : `${entry.source}: its process has ended`,
  );
};

const ofMarkerAlone = (input: OwnerInput, agent: AgentId, root: Root): Owner => {
  if (hasStrangeParent(input, root)) return unknown(`process ${root.row.ppid}, which may have started it, is running`);
  const other = couldOwn(input, agent, root, new Set());
  if (other !== null) return unknown(`process ${other.pid} of the same agent is running and could own it`);
  if (!input.table.complete) return unknown('the machine does not show all processes');
  return gone('no process of its agent that could own it is left');
};

const ofClaim = (input: OwnerInput, cluster: Cluster, root: Root, claim: Claim): Owner => {
  const session = sessionOf(claim) ?? cluster.output?.match.session ?? cluster.entry?.session ?? null;
  const pid = ownerPidOf(claim);
  if (pid !== null) return ofProcess(input, claim.agent, session, pid, (row) => row.startTicks <= root.row.startTicks);
  const recorded = cluster.entry?.agent === claim.agent ? cluster.entry.owner : null;
  if (recorded !== null && recorded !== undefined)
    return ofProcess(input, claim.agent, session, recorded.pid, (row) => row.startTicks === recorded.startTicks);
  if (claim.marker?.kind === 'bare') return unknown('its marker names no session');
  return session === null ? ofMarkerAlone(input, claim.agent, root) : ofSession(input, claim, session, root);
};

const ofRoot = (input: OwnerInput, cluster: Cluster, root: Root): Owner => {
  const { boundary } = root.lineage;
  if (boundary?.program != null) return live(input, boundary.row, `agent process ${boundary.row.pid} is running`);
  switch (root.proof.kind) {
    case 'claim':
      return mostAlive([root.proof.claim, ...root.proof.others].map((claim) => ofClaim(input, cluster, root, claim)));
    case 'ledger':
    case 'output': {
      const agent = root.proof.kind === 'output' ? root.proof.output.agent : root.proof.entry.agent;
      const session =
        (root.proof.kind === 'output' ? root.proof.output.match.session : root.proof.entry.session) ?? null;
      const recorded = cluster.entry?.owner ?? null;
      if (recorded !== null)
        return ofProcess(input, agent, session, recorded.pid, (row) => row.startTicks === recorded.startTicks);
      const claim: Claim = { agent, shell: null, marker: null };
      return session === null ? ofMarkerAlone(input, agent, root) : ofSession(input, claim, session, root);
    }
    case 'parent':
    case 'rule':
      return unknown('nothing tells which session it belongs to');
  }
};

const aliveness = { live: 2, unknown: 1, gone: 0 } as const;

/** Of several answers the one that means the least killing. */
const mostAlive = (owners: readonly Owner[]): Owner =>
  owners.reduce<Owner>(
    (best, owner) => (aliveness[owner.state] > aliveness[best.state] ? owner : best),
    owners[0] ?? unknown('nothing tells which session it belongs to'),
  );

/**
 * Whose a job is. Where its parts disagree, or where several agents marked it (one started inside another's tool shell), the answer
 * that means the least killing counts. `gone` remembers since when through the ledger.
 */
export const ownerOf = (input: OwnerInput, cluster: Cluster): Owner => {
  const owner = mostAlive(cluster.roots.map((root) => ofRoot(input, cluster, root)));
  return owner.state === 'gone' && cluster.entry !== null && cluster.entry.ownerGoneSinceMs !== null
    ? { ...owner, sinceMs: cluster.entry.ownerGoneSinceMs }
    : owner;
};
