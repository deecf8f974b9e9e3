import type { AgentId } from '../agents/agent-id.ts';
import type { ProcessRow } from '../process/row.ts';
import type { ProcessTree } from '../process/tree.ts';
import { asPid } from '../process/identity.ts';
import type { Remembrance } from './continuity.ts';
import type { Evidence, OutputOrigin } from './evidence.ts';
import type { LedgerEntry } from './ledger.ts';
import type { Origin } from './origin.ts';
import { isBoundary } from './origin.ts';
import type { Root } from './root.ts';
import { sessionOf } from './root.ts';

/** Roots that are parts of one job: a tool shell and what came loose from it. */
export interface Cluster {
  readonly roots: readonly Root[];
  readonly entry: LedgerEntry | null;
  readonly output: OutputOrigin | null;
}

const agentOf = (root: Root): AgentId | null => (root.proof.kind === 'claim' ? root.proof.claim.agent : null);

/**
 * The kernel session of a root, where it can be told to be the one that the agent made for this tool call: its leader is
 * the root or another process of the call, or the leader has ended and the agent is one that makes such sessions.
 */
const toolCallSession = (
  tree: ProcessTree,
  originOf: (row: ProcessRow) => Origin,
  evidence: Evidence,
  root: Root,
): string | null => {
  if (root.proof.kind !== 'claim') return null;
  const { claim } = root.proof;
  const leader = tree.row(asPid(Number(root.row.sid)));
  const ofTheCall =
    leader === undefined
      ? evidence.signature(claim.agent)?.toolShells === 'child-session'
      : leader === root.row || (originOf(leader).claims.length > 0 && !isBoundary(originOf(leader)));
  return ofTheCall ? `session ${root.row.sid} ${claim.agent} ${sessionOf(claim) ?? ''}` : null;
};

/** Puts together the roots that the ledger, the kernel session or the output file show to be parts of one job. Oldest first. */
export const clustersOf = (
  tree: ProcessTree,
  originOf: (row: ProcessRow) => Origin,
  evidence: Evidence,
  remembered: Remembrance,
  ledger: readonly LedgerEntry[],
  roots: readonly Root[],
): readonly Cluster[] => {
  const byOutput = new Map(ledger.flatMap((entry) => (entry.output === null ? [] : [[entry.output, entry] as const])));
  const clusters: { roots: Root[]; entry: LedgerEntry | null; output: OutputOrigin | null; keys: Set<string> }[] = [];
  const oldestFirst = roots.toSorted(
    (left, right) => left.row.startTicks - right.row.startTicks || left.row.pid - right.row.pid,
  );
  for (const root of oldestFirst) {
    if (root.boundary) {
      const entry = remembered.byIdentity(root.row);
      const ownEntry = entry?.root.pid === root.row.pid && entry.root.startTicks === root.row.startTicks ? entry : null;
      clusters.push({ roots: [root], entry: ownEntry, output: null, keys: new Set() });
      continue;
    }
    const output = root.proof.kind === 'output' ? root.proof.output : evidence.output(root.row);
    const ownOutput = output !== null && (agentOf(root) ?? output.agent) === output.agent ? output : null;
    const entry =
      remembered.byIdentity(root.row) ??
      remembered.byGroup(root.row) ??
      (ownOutput === null ? null : (byOutput.get(ownOutput.path) ?? null));
    const session = toolCallSession(tree, originOf, evidence, root);
    const keys = [
      entry === null ? null : `entry ${entry.id}`,
      session,
      ownOutput === null ? null : `output ${ownOutput.path}`,
    ].filter((key) => key !== null);
    const cluster = clusters.find(
      (candidate) =>
        keys.some((key) => candidate.keys.has(key)) &&
        (candidate.entry === null || entry === null || candidate.entry === entry),
    );
    if (cluster === undefined) clusters.push({ roots: [root], entry, output: ownOutput, keys: new Set(keys) });
    else {
      cluster.roots.push(root);
      cluster.entry ??= entry;
      cluster.output ??= ownOutput;
      for (const key of keys) cluster.keys.add(key);
    }
  }
  // What a tool call started and is no part of it any more comes last, so that it stays in the job where it still is one.
  return clusters.toSorted((left, right) => Number(left.roots[0]?.boundary) - Number(right.roots[0]?.boundary));
};
