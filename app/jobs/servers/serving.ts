import { isPlainCall, plainCommandOf } from '../../agents/common/command-shell.ts';
import type { Claim } from '../../agents/common/claim.ts';
import type { AgentId } from '../../agents/common/agent-id.ts';
import { serversOf } from '../../agents/signatures.ts';
import { type ProcessRow, hasEnded } from '../../process/row.ts';
import { compatible } from '../lineage/claims.ts';
import { lineageOf } from '../lineage/lineage.ts';
import { livingOf, type ServerWitness } from '../lineage/witness.ts';
import { isCandidate, keyOf, type AgentMark, type SuspectsInput } from './suspects.ts';

/** A server of a living agent, or what hangs below one. */
export interface Serving {
  readonly row: ProcessRow;
  readonly agent: AgentId;
  readonly owner: ProcessRow;
  /** It hangs below a server. */
  readonly inner: boolean;
  /** False where the marks of what it started alone make its owner an agent. */
  readonly isKnownAgent: boolean;
}

/**
 * On Windows hooks and commands share the session of their agent. A hook is told by its marks. A
 * shell with a command is a command, but for agents that mark every command: of those it is how
 * `npx` starts.
 */
const isLikelyOnWindows = (
  { evidence, tree }: SuspectsInput,
  row: ProcessRow,
  agentRow: ProcessRow,
  marks: readonly AgentMark[],
): boolean => {
  if (Number(row.sid) !== Number(agentRow.sid) || Number(row.sid) === Number(row.pid)) return false;
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
 * A claim that only a tool call gives: a shell with the agent's grammar, or a mark that the agent
 * puts on commands and not on servers. A bare name, and a mark that both carry, says nothing: with
 * both ends held such a process is taken for a server, as a wrong kill is worse than a late one.
 */
const isOfCall = ({ agent, shell, marker }: Claim, marks: readonly AgentMark[]): boolean =>
  shell !== null ||
  (marker?.kind === 'tool' && !marks.some((one) => one.agent === agent && one.mark.role === 'shared'));

/** What living agents keep beside their sessions, by channels. See `servingIn`. */
const below = (input: SuspectsInput, known: ReadonlyMap<string, ServerWitness>): readonly Serving[] => {
  const { table, tree, evidence, ledger, profileOf } = input;
  const found: Serving[] = [];
  const visit = (row: ProcessRow, agent: AgentId, owner: ProcessRow, inner: boolean): void => {
    const inherited = profileOf(owner).claims;
    const signature = evidence.signature(agent);
    for (const child of tree.children(row.pid)) {
      if (!isCandidate(input, child) || input.isExcluded(child)) continue;
      const marks = evidence.serverMarks?.(child) ?? [];
      // A tool call, and all that hangs below it. What the agent inherited says nothing of its own.
      const isMarkedCall = profileOf(child).claims.some(
        (claim) =>
          isOfCall(claim, marks) && (claim.shell !== null || !inherited.some((other) => compatible(other, claim))),
      );
      const isPlain =
        row === owner && signature?.toolShells === 'child' && isPlainCall(child.argv, signature.callFlags);
      if (isMarkedCall || isPlain) continue;
      const witness = known.get(keyOf(child));
      // A bare name told an earlier Curfew too little to tell a command from a server.
      const entry = ledger.byIdentity(child);
      if (entry !== null && entry.server === undefined && entry.agent !== 'other' && !inner) continue;
      const isHeld =
        (evidence.sessions !== 'apparent' || isLikelyOnWindows(input, child, owner, marks)) &&
        evidence.isHeldBy?.(child, owner) === true;
      const serves = witness === undefined ? isHeld : !witness.inner;
      if (serves || inner) found.push({ row: child, agent, owner, inner: !serves, isKnownAgent: true });
      visit(child, agent, owner, inner || serves);
    }
  };
  for (const row of table.rows.values()) {
    const program = row.uid === table.uid ? evidence.program(row) : null;
    if (program === null || hasEnded(row) || serversOf(program) === null) continue;
    visit(row, program, row, false);
  }
  return found;
};

/**
 * What a living process of no dossier keeps beside itself: it holds both ends of a process with a
 * mark that neither itself nor anything above it has, so that it is the agent that gave the mark.
 */
const belowUnknown = (input: SuspectsInput, taken: ReadonlySet<number>): readonly Serving[] => {
  const { table, tree, evidence, profileOf } = input;
  if (evidence.sessions === 'apparent') return [];
  const found: Serving[] = [];
  const addTree = (row: ProcessRow, agent: AgentId, owner: ProcessRow, inner: boolean): void => {
    found.push({ row, agent, owner, inner, isKnownAgent: false });
    for (const child of tree.children(row.pid))
      if (isCandidate(input, child) && !input.isExcluded(child) && !taken.has(child.pid))
        addTree(child, agent, owner, true);
  };
  for (const row of table.rows.values()) {
    const { claims } = profileOf(row);
    if (claims.length === 0 || taken.has(row.pid) || !isCandidate(input, row) || input.isExcluded(row)) continue;
    const marks = evidence.serverMarks?.(row) ?? [];
    const { chain } = lineageOf(input, row);
    for (const claim of claims) {
      if (isOfCall(claim, marks)) continue;
      const markedUpTo = chain.findLastIndex((above) => profileOf(above).claims.some((one) => compatible(one, claim)));
      const owner = chain.slice(markedUpTo + 1).find((above) => evidence.isHeldBy?.(row, above) === true);
      if (owner === undefined) continue;
      addTree(row, claim.agent, owner, false);
      break;
    }
  }
  return found;
};

/**
 * Returns the servers of living agents, known or not, with all that hangs below them. A server is
 * what hangs below an agent that holds the other ends of its standard input and output, in whatever
 * kernel session, unless a tool call's shell or mark says that it is a command.
 */
export const servingIn = (input: SuspectsInput): readonly Serving[] => {
  const known = new Map<string, ServerWitness>();
  for (const one of input.before) if (one.kind === 'server') known.set(keyOf(one), one);
  const found = below(input, known);
  return [...found, ...belowUnknown(input, new Set(found.map(({ row }) => Number(row.pid))))];
};

/**
 * Returns what to remember of the servers of known agents, for the time when nothing else tells
 * whose they were.
 */
export const notedServers = (input: SuspectsInput, serving: readonly Serving[]): readonly ServerWitness[] => {
  const noted = new Map<string, ServerWitness>();
  for (const one of input.before)
    if (one.kind === 'server' && livingOf(input.tree, one) !== undefined) noted.set(keyOf(one), one);
  for (const { row, agent, owner, inner, isKnownAgent } of serving) {
    if (!isKnownAgent || noted.has(keyOf(row)) || input.evidence.mayBeRelinked?.(owner) === true) continue;
    const { pid, startTicks } = row;
    noted.set(keyOf(row), {
      kind: 'server',
      pid,
      startTicks,
      sid: Number(row.sid),
      agent,
      inner,
      owner: { pid: owner.pid, startTicks: owner.startTicks },
    });
  }
  return [...noted.values()];
};
