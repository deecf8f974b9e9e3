import type { LedgerEntry } from '../ledger/ledger.ts';
import type { Evidence } from '../lineage/evidence.ts';
import { claimed, isWitnessed, type Proof, type Witnessed } from '../../model/proof.ts';
import type { Suspect } from '../servers/suspects.ts';
import type { ProcessTable } from '../../process/table.ts';

interface ServerProofInput {
  readonly table: ProcessTable;
  readonly evidence: Pick<Evidence, 'descentOf' | 'program'>;
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
  const remembered = entry !== null && isWitnessed(entry.proof) ? entry.proof : null;
  const proofs = roots.map((root): Witnessed | null => {
    if (remembered !== null && entry !== null && isOf(entry, root)) return remembered;
    const { above, witness, agent, row } = root;
    if (witness !== null) return { kind: 'look', agent: witness.agent, process: witness.owner, atMs: table.takenAtMs };
    const program = above === null ? null : evidence.program(above);
    if (above !== null && program !== null)
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
