import { plainCommandOf } from '../../agents/common/command-shell.ts';
import type { ProcessRow } from '../../process/row.ts';
import { hasEnded } from '../../process/row.ts';
import type { ProcessTable } from '../../process/table.ts';
import type { ProcessTree } from '../../process/tree.ts';
import { isAdopter } from '../lineage/adopter.ts';
import { isOnEverything } from '../lineage/claims.ts';
import type { Remembrance } from '../ledger/ledger-index.ts';
import type { Evidence } from '../lineage/evidence.ts';
import { lineageOf } from '../lineage/lineage.ts';
import type { Origin } from '../lineage/profile.ts';
import { isBoundary } from '../lineage/profile.ts';
import type { Root, RootProof } from '../lineage/root.ts';
import { claimedRoot, handedOnClaims } from '../lineage/root.ts';

/** Detached: its parent is an adopter and it has no terminal. Only such a process can be a leftover that nothing else gives away. */
const isDetached = (tree: ProcessTree, row: ProcessRow): boolean => {
  const parent = tree.row(row.ppid);
  return row.tty === 0 && (parent === undefined || isAdopter(parent));
};

/** A person's own shell, terminal or editor started it directly: whatever a rule says of such a command line, here a person ran it. */
const isTypedIn = (parent: Origin | null): boolean => parent !== null && parent.personal && parent.program === null;

/** An agent's own daemon that outlives it, and has nothing but the mark that the agent puts on all its parts: no tool call started it. */
const isOwnPart = ({ program, claims }: Origin): boolean =>
  program !== null && claims.every((claim) => claim.agent === program && isOnEverything(claim));

/**
 * Every root of a table. A process is one by its claim, by what the ledger remembers of it, by the output file it holds, by its
 * parent (for agents whose commands carry no other sign), or by the person's own rule; in this order, the first that applies.
 */
export const rootsOf = (
  table: ProcessTable,
  tree: ProcessTree,
  originOf: (row: ProcessRow) => Origin,
  evidence: Evidence,
  remembered: Remembrance,
  isPersons: (row: ProcessRow) => boolean,
): readonly Root[] => {
  const roots = new Map<ProcessRow, Root>();
  const handedOn = handedOnClaims(tree, originOf, evidence);
  const add = (row: ProcessRow, proof: RootProof): void => {
    roots.set(row, { row, proof, lineage: lineageOf(tree, originOf, row), boundary: false });
  };
  const unclaimedProof = (origin: Origin): RootProof | null => {
    const { row } = origin;
    const entry = remembered.byIdentity(row);
    if (entry !== null) {
      const { boundary, chain } = lineageOf(tree, originOf, row);
      // Below an agent that is itself inside the job it is that agent's server or helper, and no loose part of the job.
      const isInner = boundary !== null && remembered.byIdentity(boundary.row) === entry;
      // Below another member it hangs on that one, and says nothing by itself of whose the job is.
      const isBelow = chain.some((ancestor) => remembered.byIdentity(ancestor) === entry);
      return isInner || isBelow ? null : { kind: 'ledger', entry };
    }
    if (isDetached(tree, row)) {
      const kin = remembered.byGroup(row) ?? remembered.bySession(row);
      if (kin !== null) return { kind: 'ledger', entry: kin };
      const output = evidence.output(row);
      if (output !== null) return { kind: 'output', output };
    }
    const parent = tree.row(row.ppid);
    const above = parent === undefined ? null : originOf(parent);
    const agent = above?.program ?? null;
    if (agent !== null && evidence.signature(agent)?.toolShells === 'child' && plainCommandOf(row.argv) !== null)
      return { kind: 'parent', agent };
    return origin.rule === null || isTypedIn(above) ? null : { kind: 'rule', rule: origin.rule };
  };
  for (const row of table.rows.values()) {
    if (row.uid !== table.uid || row.kernelThread || row.pid === 1 || isPersons(row)) continue;
    const origin = originOf(row);
    if (origin.claims.length > 0) {
      if (isBoundary(origin) && (!isDetached(tree, row) || isOwnPart(origin))) continue;
      const root = claimedRoot(tree, originOf, evidence, handedOn, origin);
      if (root !== null && !roots.has(root.row)) roots.set(root.row, root);
    } else if (!isBoundary(origin) && !hasEnded(row)) {
      const proof = unclaimedProof(origin);
      if (proof !== null && !roots.has(row)) add(row, proof);
    }
  }
  // A rule says nothing new of what hangs below another root.
  return [...roots.values()].filter(
    ({ proof, lineage }) => proof.kind !== 'rule' || !lineage.chain.some((row) => roots.has(row)),
  );
};
