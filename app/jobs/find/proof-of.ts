import {
  claimed,
  isWitnessed,
  type Proof,
  type SeenProcess,
  type Witnessed,
  type WitnessKind,
} from '../../model/proof.ts';
import type { ProcessRow } from '../../process/row.ts';
import { identityOf, type ProcessTable } from '../../process/table.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import { isAdopter } from '../lineage/adopter.ts';
import { mayBePart } from '../lineage/adopting.ts';
import type { Cluster } from '../lineage/cluster.ts';
import type { Evidence } from '../lineage/evidence.ts';
import type { Root } from '../lineage/root.ts';
import type { TableView } from '../lineage/table-view.ts';
import type { Suspect } from '../servers/suspects.ts';

/** Of several witnesses the one that is told: the one that saw the most first. */
const rank: Readonly<Record<WitnessKind, number>> = {
  look: 0,
  kernel: 1,
  'tool-shell': 2,
  output: 3,
  'agent-word': 4,
};

const strongest = (proofs: readonly (Witnessed | null)[]): Witnessed | null =>
  proofs.reduce<Witnessed | null>(
    (best, one) => (one !== null && (best === null || rank[one.kind] < rank[best.kind]) ? one : best),
    null,
  );

const seen = ({ pid, startTicks }: SeenProcess): SeenProcess => ({ pid, startTicks });

/**
 * What the ledger saw of the job that this very process was a member of, or whose process group or
 * kernel session it is in while members keep that, or of which a process started it by the kernel's
 * own numbers.
 */
const remembered = ({ ledger }: TableView, row: ProcessRow): Witnessed | null =>
  strongest(
    [ledger.byIdentity(row), ledger.byGroup(row), ledger.bySession(row), ledger.byStarter(row)].map((entry) =>
      entry !== null && isWitnessed(entry.proof) ? entry.proof : null,
    ),
  );

/** It may be another's, adopted by the agent above it. A tool shell by its grammar is not. */
const mayBeAdopted = ({ evidence }: TableView, { row, lineage, proof }: Root): boolean => {
  const agent = lineage.end?.row;
  const child = lineage.chain.at(-1) ?? row;
  const isShell = child === row && proof.kind === 'claim' && proof.claim.shell !== null;
  return agent !== undefined && evidence.adopts?.(agent) === true && child.sid !== agent.sid && !isShell;
};

/** What the kernel, a hook or an earlier look said of this process. */
const byDescent = ({ evidence }: TableView, row: ProcessRow): Witnessed | null => {
  const descent = evidence.descentOf?.(row) ?? null;
  return descent?.from === 'agent' ? descent.proof : null;
};

/** A look: the nearest agent above it lives. macOS also gives the number of a parent that ended. */
const byParentage = (view: TableView, root: Root): Witnessed | null => {
  const { table } = view;
  const { lineage, proof } = root;
  const { end } = lineage;
  const isUnsure = (agent: ProcessRow): boolean =>
    mayBeAdopted(view, root) || mayBePart(view, root) || view.evidence.mayBeRelinked?.(agent) === true;
  if (end !== null && end.program !== null && isUnsure(end.row)) return null;
  if (end !== null && end.program !== null)
    return { kind: 'look', agent: end.program, process: seen(identityOf(table, end.row)), atMs: table.takenAtMs };
  return proof.kind === 'parent' && proof.ended !== null && byDescent(view, root.row) === null
    ? { kind: 'kernel', agent: proof.agent, process: seen(proof.ended), atMs: table.takenAtMs }
    : null;
};

/**
 * A living tool shell by its grammar: without a terminal, leader of the process group and, where
 * its agent makes one for each call, of the kernel session, and not below a process that lives and
 * is neither its agent nor an adopter. What only repeats the grammar was started by such a one.
 */
const byShell = (view: TableView, { row, proof, lineage }: Root): Witnessed | null => {
  if (proof.kind !== 'claim' || proof.claim.shell === null || view.evidence.sessions === 'apparent') return null;
  const leads =
    view.evidence.signature(proof.claim.agent)?.toolShells === 'child-session'
      ? Number(row.sid) === Number(row.pid)
      : Number(row.pgid) === Number(row.pid);
  const parent = view.tree.row(row.ppid);
  const isLeft = lineage.end === null && (parent === undefined || isAdopter(parent));
  return leads && isLeft && row.tty === 0
    ? { kind: 'tool-shell', agent: proof.claim.agent, process: seen(row), atMs: view.table.takenAtMs }
    : null;
};

/** See `Evidence.holdsOutput`: a name of a file alone is a claim. */
const byOutput = ({ table, evidence }: TableView, { row, proof }: Root): Witnessed | null => {
  const output = proof.kind === 'output' ? proof.output : evidence.output(row);
  return output !== null && evidence.holdsOutput?.(row, output) === true
    ? { kind: 'output', agent: output.agent, process: seen(row), atMs: table.takenAtMs }
    : null;
};

/**
 * Returns how it is known that an agent started a root. This is the one place that decides it.
 * Marks decide nothing here: they only say where to look.
 */
const proofOfRoot = (view: TableView, root: Root): Proof => {
  const before = remembered(view, root.row);
  // What was seen first stays what is told, so that an idle machine writes nothing.
  if (before?.kind === 'look') return before;
  const below = byParentage(view, root);
  if (below !== null || before !== null) return strongest([before, below]) ?? claimed;
  return strongest([byDescent(view, root.row), byShell(view, root), byOutput(view, root)]) ?? claimed;
};

/**
 * Takes those out of the others that hang below a witnessed root, are in the process group or
 * kernel session that a living one leads, or in the session of one whose agent makes a session for
 * each call: sessions are only ever inherited, groups only joined from within the session.
 */
const gatherHeld = ({ evidence }: TableView, roots: readonly Root[], others: Root[]): void => {
  const witnessed = roots.filter((root) => !others.includes(root) && !root.endsLineage);
  const leaders = new Set(witnessed.map(({ row }) => Number(row.pid)));
  const isOfCalls = ({ proof }: Root): boolean =>
    proof.kind === 'claim' && evidence.signature(proof.claim.agent)?.toolShells === 'child-session';
  const sessions = new Set(witnessed.filter(isOfCalls).map(({ row }) => Number(row.sid)));
  sessions.delete(0);
  const isHeld = ({ row, lineage }: Root): boolean =>
    row.windows === undefined &&
    (leaders.has(row.sid) ||
      leaders.has(row.pgid) ||
      sessions.has(row.sid) ||
      lineage.chain.some(({ pid }) => leaders.has(pid)));
  for (const root of others.filter(isHeld)) others.splice(others.indexOf(root), 1);
};

/** A cluster, or the part of one of which all roots are witnessed or none is. */
export interface ProvedCluster extends Cluster {
  readonly proof: Proof;
}

/**
 * Parts a cluster into the roots that were witnessed and those that marks alone name: what is only
 * claimed must never be ended with what is proved. The witnessed part comes first, so that what
 * hangs on it, or is in a group or session of its own, is its member. The ledger's entry goes with
 * the process that it was made for.
 */
export const partsOf = (view: TableView, cluster: Cluster): readonly ProvedCluster[] => {
  const proofs = cluster.roots.map((root) => ({ root, proof: proofOfRoot(view, root) }));
  const proof = strongest(proofs.map((one) => (isWitnessed(one.proof) ? one.proof : null)));
  const others = proofs.filter((one) => !isWitnessed(one.proof)).map(({ root }) => root);
  if (proof === null) return [{ ...cluster, proof: claimed }];
  if (others.length === 0) return [{ ...cluster, proof }];
  gatherHeld(view, cluster.roots, others);
  if (others.length === 0) return [{ ...cluster, proof }];
  const { entry } = cluster;
  const isEntrys = ({ row }: Root): boolean => row.pid === entry?.root.pid && row.startTicks === entry.root.startTicks;
  const goesOn = others.some(isEntrys);
  const roots = cluster.roots.filter((root) => !others.includes(root));
  return [
    { ...cluster, roots, proof, entry: goesOn ? null : entry },
    { ...cluster, roots: others, proof: claimed, entry: goesOn ? entry : null },
  ];
};

interface ServerProofInput {
  readonly table: ProcessTable;
  readonly evidence: Pick<Evidence, 'descentOf' | 'program' | 'mayBeRelinked'>;
}

const isOf = (entry: LedgerEntry, { row }: Suspect): boolean =>
  [entry.root, ...entry.members].some(({ pid, startTicks }) => pid === row.pid && startTicks === row.startTicks);

/**
 * Returns how it is known that an agent keeps a server: every root of it was seen below its agent,
 * now or at an earlier look. Its marks alone are claims, also where its ends are closed.
 */
export const proofOfServer = (
  { table, evidence }: ServerProofInput,
  roots: readonly Suspect[],
  entry: LedgerEntry | null,
): Proof => {
  const known = entry !== null && isWitnessed(entry.proof) ? entry.proof : null;
  const proofs = roots.map((root): Witnessed | null => {
    if (known !== null && entry !== null && isOf(entry, root)) return known;
    const { above, witness, agent, row } = root;
    if (witness !== null) return { kind: 'look', agent: witness.agent, process: witness.owner, atMs: table.takenAtMs };
    const program = above === null ? null : evidence.program(above);
    if (above !== null && program !== null && evidence.mayBeRelinked?.(above) !== true)
      return {
        kind: 'look',
        agent: program,
        process: { pid: above.pid, startTicks: above.startTicks },
        atMs: table.takenAtMs,
      };
    const descent = evidence.descentOf?.(row) ?? null;
    return descent?.from === 'agent' && descent.proof.agent === agent ? descent.proof : null;
  });
  const [first = null] = proofs;
  return first === null || proofs.includes(null) ? claimed : first;
};
