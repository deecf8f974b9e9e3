import type { AgentId } from '../../agents/common/agent-id.ts';
import type { ServerMark } from '../../agents/common/server-form.ts';
import { type ProcessRow, hasEnded } from '../../process/row.ts';
import { lineageOf } from '../lineage/lineage.ts';
import type { TableView } from '../lineage/table-view.ts';
import type { ServerWitness, Witness } from '../lineage/witness.ts';

export interface AgentMark {
  readonly agent: AgentId;
  readonly mark: ServerMark;
}

/** A process that an agent's harness started, as its marks or an earlier look say. */
export interface Suspect {
  readonly row: ProcessRow;
  readonly agent: AgentId;
  /** All marks, the strongest first; empty where an earlier look alone knows it. */
  readonly marks: readonly AgentMark[];
  readonly witness: ServerWitness | null;
  /** The living agent above it; null for none. */
  readonly above: ProcessRow | null;
}

/** One text for one process of a boot. */
export const keyOf = ({ pid, startTicks }: { readonly pid: number; readonly startTicks: number }): string =>
  `${pid}:${startTicks}`;

export interface SuspectsInput extends TableView {
  readonly before: readonly Witness[];
  /** True for what belongs to a run, and for what the user started. */
  readonly isExcluded: (row: ProcessRow) => boolean;
}

/**
 * True for what can be a server at all: a living process of the user, neither an agent nor a
 * program of the user.
 */
export const isCandidate = ({ table, profileOf }: SuspectsInput, row: ProcessRow): boolean => {
  if (row.uid !== table.uid || row.kernelThread || row.pid === 1 || hasEnded(row)) return false;
  const profile = profileOf(row);
  return profile.program === null && !profile.isUserProgram;
};

/** Claims that say that a tool call started it, and not that its agent marks all its children. */
const isOfCall = ({ profileOf }: TableView, row: ProcessRow, marks: readonly AgentMark[]): boolean =>
  profileOf(row).claims.some(
    ({ agent, shell }) => shell !== null || !marks.some((one) => one.agent === agent && one.mark.role === 'shared'),
  );

/**
 * Everything in a table that an agent's harness started, with the living agent above it, if any.
 */
export const suspectsOf = (input: SuspectsInput): readonly Suspect[] => {
  const { table, evidence } = input;
  const witnesses = new Map<string, ServerWitness>();
  for (const one of input.before) if (one.kind === 'server') witnesses.set(keyOf(one), one);
  const found: Suspect[] = [];
  for (const row of table.rows.values()) {
    const marks = evidence.serverMarks?.(row) ?? [];
    const witness = witnesses.size === 0 ? null : (witnesses.get(keyOf(row)) ?? null);
    const agent = witness?.agent ?? marks[0]?.agent;
    if (agent === undefined || !isCandidate(input, row) || input.isExcluded(row)) continue;
    if (witness === null && isOfCall(input, row, marks)) continue;
    const { end } = lineageOf(input, row);
    // Below a program of the user it is the user's.
    if (end !== null && end.program === null) continue;
    found.push({ row, agent, marks, witness, above: end?.row ?? null });
  }
  return found;
};
