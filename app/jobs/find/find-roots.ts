import { isPlainCall, plainCommandOf } from '../../agents/common/command-shell.ts';
import { isChannel } from '../../process/channels.ts';
import { type ProcessRow, hasEnded } from '../../process/row.ts';
import { rowsOfStep, type Steps } from '../../process/steps.ts';
import { isAdopter } from '../lineage/adopter.ts';
import { isReadBy, isStartedBy } from '../lineage/adopting.ts';
import { isOnEverything } from '../lineage/claims.ts';
import { lineageOf } from '../lineage/lineage.ts';
import { endsLineage, type ProcessProfile } from '../lineage/profile.ts';
import { type Root, type RootProof, claimedRoot, claimsInheritedFromUser } from '../lineage/root.ts';
import type { TableView } from '../lineage/table-view.ts';
import { type Witness, livingOf, type AgentWitness } from '../lineage/witness.ts';
import type { AgentId } from '../../agents/common/agent-id.ts';
import { isUpdater } from '../../agents/signatures.ts';
import type { ProcessRef } from '../ledger/ledger.ts';

/** A tool call that nothing but the process which started it gives away. */
export interface PlainCall {
  readonly agent: AgentId;
  /** The agent's process, which a look saw alive and which has ended; null: it is the parent. */
  readonly ended: ProcessRef | null;
}

/**
 * Returns what tells the tool calls whose shells hide their environment (`/bin/zsh` of macOS).
 *
 * Such a shell leads its own kernel session, and an agent whose calls look so started it (see
 * `plainCalls` of the signatures): the agent is its living parent, or the kernel's number of what
 * started it is that of an agent which an earlier look saw, and which has ended. A number is never
 * given twice in a boot, so no recycled pid is taken for the agent.
 */
const plainCalls = (
  { tree, table, profileOf, evidence }: Pick<TableView, 'tree' | 'table' | 'profileOf' | 'evidence'>,
  witnesses: readonly Witness[],
): ((row: ProcessRow) => PlainCall | null) => {
  const agents = new Map<number, AgentWitness>();
  for (const one of witnesses) if (one.kind === 'agent' && one.number !== undefined) agents.set(one.number, one);
  const hasNoInput = ({ pid }: ProcessRow): boolean => {
    const kind = evidence.channels?.().of(pid)?.standard[0]?.kind;
    return kind === 'null' || kind === 'terminal';
  };
  const isCallOf = (row: ProcessRow, agent: AgentId): boolean => {
    const when = evidence.signature(agent)?.plainCalls ?? 'none';
    return when === 'always' || (when === 'without-input' && hasNoInput(row));
  };

  return (row) => {
    if (Number(row.sid) !== Number(row.pid) || plainCommandOf(row.argv) === null) return null;
    if (evidence.hidesEnvironment?.(row) !== true) return null;
    const parent = tree.row(row.ppid);
    if (parent !== undefined && !hasEnded(parent) && !isAdopter(parent)) {
      const agent = profileOf(parent).program;
      if (agent === null || isUpdater(agent, parent.argv)) return null;
      const isStarter = row.numbers === undefined || row.numbers.starter === parent.numbers?.own;
      return isStarter && isCallOf(row, agent) ? { agent, ended: null } : null;
    }
    // What lost its parent keeps its terminal only where a user has one.
    const seen = row.numbers === undefined || row.tty !== 0 ? undefined : agents.get(row.numbers.starter);
    if (seen === undefined || !table.complete || livingOf(tree, seen) !== undefined) return null;
    if (!isCallOf(row, seen.agent)) return null;
    return { agent: seen.agent, ended: { pid: seen.pid, startTicks: seen.startTicks } };
  };
};

/**
 * See `AgentSignature.callScript`. Its agent reads its output: what a shell had started before it
 * became the agent can look the same.
 */
const isClosedCall = (view: TableView, row: ProcessRow, script: RegExp, agent: ProcessRow): boolean => {
  if (Number(row.sid) !== Number(row.pid) || !script.test(plainCommandOf(row.argv) ?? '')) return false;
  const input = view.evidence.channels?.().of(row.pid)?.standard[0];
  return input !== undefined && isChannel(input) && input.far === 'closed' && isReadBy(view, row, agent);
};

/**
 * Detached: its parent is an adopter and it has no terminal. Only such a process can be a leftover
 * that nothing else gives away.
 */
const isDetached = ({ tree }: TableView, row: ProcessRow): boolean => {
  const parent = tree.row(row.ppid);
  return row.tty === 0 && (parent === undefined || isAdopter(parent));
};

/** Started by the user's shell, terminal or editor: whatever a rule says, the user ran it. */
const isTypedIn = (parent: ProcessProfile | null): boolean =>
  parent !== null && parent.isUserProgram && parent.program === null;

/** An agent's daemon that outlives it, marked only as all its parts are: no tool call's child. */
const isOwnPart = ({ program, claims }: ProcessProfile): boolean =>
  program !== null && claims.every((claim) => claim.agent === program && isOnEverything(claim));

/**
 * Finds every root of a table, in steps. A process is one by its claim, by what the ledger
 * remembers of it, by the output file it holds, by what started it (by its control group, for
 * agents whose commands carry no other sign, or where the system hides it), or by the user's own
 * rule; in this order, the first that applies.
 * @param witnesses what earlier looks of this boot gave
 */
export function* findingRoots(
  view: TableView,
  isExcluded: (row: ProcessRow) => boolean,
  witnesses: readonly Witness[] = [],
): Steps<readonly Root[]> {
  const plainCallOf = plainCalls(view, witnesses);
  const { table, tree, profileOf, evidence, ledger } = view;
  const roots = new Map<ProcessRow, Root>();
  const inheritedClaims = claimsInheritedFromUser(view);
  const add = (row: ProcessRow, proof: RootProof): void => {
    roots.set(row, { row, proof, lineage: lineageOf(view, row), endsLineage: false });
  };
  const unclaimedProof = (profile: ProcessProfile): RootProof | null => {
    const { row } = profile;
    const entry = ledger.byIdentity(row);
    if (entry !== null) {
      const { end, chain } = lineageOf(view, row);
      // Below an agent that is itself inside the job it is that agent's server or helper, and no
      // loose part of the job.
      const isInner = end !== null && ledger.byIdentity(end.row) === entry;
      // Below another member it hangs on that one, and says nothing by itself of whose the job is.
      const isBelow = chain.some((ancestor) => ledger.byIdentity(ancestor) === entry);
      return isInner || isBelow ? null : { kind: 'ledger', entry };
    }
    if (isDetached(view, row)) {
      const kin = ledger.byGroup(row) ?? ledger.bySession(row) ?? ledger.byStarter(row);
      if (kin !== null) return { kind: 'ledger', entry: kin };
      const output = evidence.output(row);
      if (output !== null) return { kind: 'output', output };
      // Without any mark and any file: the kernel still says that a tool call started it, or a hook
      // noted it as a child of its agent. Only the end of that one gives a child to an adopter.
      const descent = evidence.descentOf?.(row) ?? null;
      if (descent?.from === 'agent') {
        const { kind, agent, process } = descent.proof;
        if (kind === 'kernel') return { kind: 'parent', agent, ended: process };
        const isNoted = process?.pid === row.pid && process.startTicks === row.startTicks;
        const { below = null, ofPlainCall } = descent;
        if (ofPlainCall === true || (kind === 'agent-word' && isNoted)) return { kind: 'parent', agent, ended: below };
      }
    }
    const parent = tree.row(row.ppid);
    const above = parent === undefined ? null : profileOf(parent);
    const agent = above?.program ?? null;
    const signature = agent === null ? null : evidence.signature(agent);
    const isCall =
      parent !== undefined && signature?.toolShells === 'child' && isPlainCall(row.argv, signature.callFlags)
        ? isStartedBy(view, row, parent)
        : parent !== undefined &&
          signature?.callScript !== undefined &&
          isClosedCall(view, row, signature.callScript, parent);
    if (agent !== null && isCall) return { kind: 'parent', agent, ended: null };
    const call = plainCallOf(row);
    if (call !== null) return { kind: 'parent', ...call };
    return profile.rule === null || isTypedIn(above) ? null : { kind: 'rule', rule: profile.rule };
  };
  let looked = 0;
  for (const row of table.rows.values()) {
    if (row.uid !== table.uid || row.kernelThread || row.pid === 1 || isExcluded(row)) continue;
    if (++looked % rowsOfStep === 0) yield;
    const profile = profileOf(row);
    if (profile.claims.length > 0) {
      if (endsLineage(profile) && (!isDetached(view, row) || isOwnPart(profile))) continue;
      const root = claimedRoot(view, inheritedClaims, profile);
      if (root !== null && !roots.has(root.row)) roots.set(root.row, root);
    } else if (!endsLineage(profile) && !hasEnded(row)) {
      const proof = unclaimedProof(profile);
      if (proof !== null && !roots.has(row)) add(row, proof);
    }
  }
  // A rule says nothing new of what hangs below another root.
  return [...roots.values()].filter(
    ({ proof, lineage }) => proof.kind !== 'rule' || !lineage.chain.some((row) => roots.has(row)),
  );
}
