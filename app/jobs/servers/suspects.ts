import { plainCommandOf } from '../../agents/common/command-shell.ts';
import type { AgentId } from '../../agents/common/agent-id.ts';
import type { ServerMark } from '../../agents/common/server-form.ts';
import { serversOf } from '../../agents/signatures.ts';
import { asPid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import { hasEnded } from '../../process/row.ts';
import { lineageOf } from '../lineage/lineage.ts';
import type { TableView } from '../lineage/table-view.ts';
import { livingOf, type ServerWitness, type Witness } from '../lineage/witness.ts';

/** A mark of one agent's harness. */
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

const keyOf = ({ pid, startTicks }: { readonly pid: number; readonly startTicks: number }): string =>
  `${pid}:${startTicks}`;

/** What suspects are found with. */
export interface SuspectsInput extends TableView {
  /** What earlier looks of this boot gave. */
  readonly before: readonly Witness[];
  /** True for what belongs to a run, and for what the user started. */
  readonly isExcluded: (row: ProcessRow) => boolean;
}

/**
 * Processes that can be a server at all: the user's own, living, and neither agents nor programs of
 * the user.
 */
const isCandidate = ({ table, profileOf }: SuspectsInput, row: ProcessRow): boolean => {
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

/**
 * On Windows hooks and commands share the session of their agent. A hook is told by its marks. A
 * shell with a command is a command, but for agents that mark every command: of those it is how
 * `npx` starts.
 */
const isLikelyServer = (
  { evidence, tree }: SuspectsInput,
  row: ProcessRow,
  agentRow: ProcessRow,
  marks: readonly AgentMark[],
): boolean => {
  if (marks.length > 0 && marks.every(({ mark }) => mark.role === 'harness')) return false;
  const agent = evidence.program(agentRow);
  if (agent !== null && evidence.signature(agent)?.marksCallsAlone === true) return true;
  const below = tree.ancestors(row.pid);
  const own = below.slice(
    0,
    below.findIndex(({ pid }) => pid === agentRow.pid),
  );
  return [row, ...own].every(({ argv }) => plainCommandOf(argv) === null);
};

/**
 * Notes the servers of living agents, for the time when nothing else tells whose they were:
 * children that share the agent's kernel session, and of which the agent holds the other ends of
 * standard input and output. Commands have kernel sessions of their own, or marks. Gives what to
 * remember.
 */
export const notedServers = (input: SuspectsInput): readonly ServerWitness[] => {
  const { table, tree, evidence, ledger } = input;
  const noted = new Map<string, ServerWitness>();
  for (const one of input.before)
    if (one.kind === 'server' && livingOf(tree, one) !== undefined) noted.set(keyOf(one), one);
  const isServer = (row: ProcessRow, agentRow: ProcessRow): boolean => {
    const marks = evidence.serverMarks?.(row) ?? [];
    if (evidence.sessions === 'apparent' && !isLikelyServer(input, row, agentRow, marks)) return false;
    return (
      Number(row.sid) === Number(agentRow.sid) &&
      Number(row.sid) !== Number(row.pid) &&
      !isOfCall(input, row, marks) &&
      evidence.isHeldBy?.(row, agentRow) === true
    );
  };
  const visit = (row: ProcessRow, agent: AgentId, agentRow: ProcessRow, below: boolean): void => {
    for (const child of tree.children(row.pid)) {
      if (!isCandidate(input, child) || input.isExcluded(child)) continue;
      // A tool call, and all that hangs below it.
      const entry = ledger.byIdentity(child);
      if (isOfCall(input, child, evidence.serverMarks?.(child) ?? [])) continue;
      if (entry !== null && entry.server === undefined) continue;
      const known = noted.get(keyOf(child));
      const serves = known === undefined ? isServer(child, agentRow) : !known.inner;
      if (known === undefined && (serves || below)) {
        const owner = { pid: agentRow.pid, startTicks: agentRow.startTicks };
        const { pid, startTicks } = child;
        noted.set(keyOf(child), { kind: 'server', pid, startTicks, agent, inner: !serves, owner });
      }
      visit(child, agent, agentRow, below || serves);
    }
  };
  for (const row of table.rows.values()) {
    const program = row.uid === table.uid ? evidence.program(row) : null;
    if (program === null || hasEnded(row) || serversOf(program) === null) continue;
    visit(row, program, row, false);
  }
  return [...noted.values()];
};

/** The living process that a pid names, if it is old enough to have started another. */
export const olderOf = (view: TableView, pid: number, startTicks: number): ProcessRow | null => {
  const row = view.tree.row(asPid(pid));
  return row !== undefined && !hasEnded(row) && row.startTicks <= startTicks ? row : null;
};
