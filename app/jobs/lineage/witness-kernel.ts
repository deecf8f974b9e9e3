import type { AgentId } from '../../agents/common/agent-id.ts';
import { callGroupAround, callGroupGiven, type CallGroupKey, isNamedByCurfew } from '../../agents/common/call-group.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { Witnessed } from '../../model/proof.ts';
import { placeInStart, sharesGroup, startedCallGroup } from './agent-starts.ts';
import type { Daemons } from './daemons.ts';
import { isElsewhereInTerminals } from './doubt.ts';
import type { AgentStart, Evidence } from './evidence.ts';
import { mayBeMovedIn } from './moved-in.ts';
import type { TableView } from './table-view.ts';
import type { AgentWitness, OpenedWitness } from './witness.ts';

export type CallGroupEvidence = Pick<
  Evidence,
  'claims' | 'controlGroups' | 'serverMarks' | 'signature' | 'agentStarts'
>;

export interface CallGroupWitness {
  readonly agent: AgentId;
  readonly group: CallGroupKey;
  /**
   * The agents that give this group to their tool calls and began before the process: one of them
   * started it, or what it descends from. With more than one its session stays a claim.
   */
  readonly makers: readonly [AgentWitness, ...AgentWitness[]];
  /** Curfew made the group for this agent. Left out: the agent made it. */
  readonly start?: AgentStart;
}

/** Returns the group that an agent's process gives to its tool calls; null for none, or unknown. */
export const callGroupGivenBy = (
  { controlGroups, signature, agentStarts }: CallGroupEvidence,
  agent: AgentId,
  row: ProcessRow,
): CallGroupKey | null => {
  const start = agentStarts?.().find(
    (one) => one.agent === agent && one.pid === Number(row.pid) && one.startTicks === row.startTicks,
  );
  if (start !== undefined) return startedCallGroup(start);
  const form = signature(agent)?.callGroup;
  return form === undefined || controlGroups === undefined ? null : callGroupGiven(controlGroups(row), form);
};

/**
 * Returns, for a process, what its control group witnesses; null for nothing. Marks are not looked
 * at: what clears its environment, leaves its session and loses its parents is still in the group.
 *
 * The group counts only where an agent that lives, or that a look saw, gives it: a user can make a
 * group of that name elsewhere. And it does not count for what began while a program of the user
 * was in it (a multiplexer that a tool call started): the user may have started it there. A group
 * that bears Curfew's name counts only where its record and the kernel confirm it. In one that an
 * agent shares with its tool calls are its updaters and helpers, too: there a mark that no server
 * carries tells calls.
 * @param calls `all`: what is in a shared group counts without a mark
 */
export const callGroupWitnesses = (
  evidence: CallGroupEvidence,
  agents: readonly AgentWitness[],
  opened: readonly OpenedWitness[],
  calls: 'marked' | 'all' = 'marked',
): ((row: ProcessRow) => CallGroupWitness | null) => {
  const { claims, controlGroups, serverMarks, signature } = evidence;
  const isServerMarked = (row: ProcessRow, agent: AgentId): boolean =>
    serverMarks?.(row).some((one) => one.agent === agent) === true;
  const isMarked = (row: ProcessRow, agent: AgentId): boolean =>
    calls === 'all' ||
    claims(row).some(
      ({ agent: of, shell, marker }) =>
        of === agent && (shell !== null || (marker?.kind === 'tool' && !isServerMarked(row, agent))),
    );
  const starts = evidence.agentStarts?.();
  const makers = new Map<string, AgentWitness[]>();
  for (const one of agents) {
    if (one.callGroup === undefined) continue;
    const known = makers.get(one.callGroup);
    if (known === undefined) makers.set(one.callGroup, [one]);
    else known.push(one);
  }
  if (makers.size === 0 || controlGroups === undefined) return () => null;
  const kinds = [...new Set([...makers.values()].flat().map(({ agent }) => agent))];
  const isUsers = ({ startTicks }: ProcessRow, group: CallGroupKey): boolean =>
    opened.some(
      (one) =>
        one.callGroup === group &&
        one.startTicks <= startTicks &&
        (one.endedTicks === null || startTicks <= one.endedTicks),
    );
  const givenBy = (row: ProcessRow, agent: AgentId, group: CallGroupKey | null): CallGroupWitness | null => {
    if (group === null || isUsers(row, group)) return null;
    const [first, ...others] = (makers.get(group) ?? []).filter(
      (one) => one.agent === agent && one.startTicks <= row.startTicks,
    );
    return first === undefined || (Number(row.pid) === first.pid && row.startTicks === first.startTicks)
      ? null
      : { agent, group, makers: [first, ...others] };
  };
  return (row) => {
    const groups = controlGroups(row);
    const start = starts?.find((one) => {
      const place = placeInStart(groups, one);
      return place === 'calls' || (place === 'agent' && sharesGroup(one) && isMarked(row, one.agent));
    });
    if (start !== undefined) {
      const found = givenBy(row, start.agent, startedCallGroup(start));
      return found === null ? null : { ...found, start };
    }
    for (const agent of kinds) {
      const form = signature(agent)?.callGroup;
      const group = form === undefined ? null : callGroupAround(groups, form);
      if (group !== null && starts !== undefined && isNamedByCurfew(group)) continue;
      const found = givenBy(row, agent, group);
      if (found !== null) return found;
    }
    return null;
  };
};

/** The one agent that can have started it: the only one, or of ended ones that which ended last. */
const onlyMaker = ({ makers }: CallGroupWitness): AgentWitness | null => {
  const [first, ...others] = makers.toSorted(
    (left, right) => (right.endedTicks ?? Infinity) - (left.endedTicks ?? Infinity),
  );
  return first === undefined || (others.length > 0 && first.endedTicks === null) ? null : first;
};

export interface Doubts {
  readonly has: (row: ProcessRow) => boolean;
  readonly note: (row: ProcessRow) => void;
}

/**
 * Returns what the control group of a process proves of its descent; null for nothing. In a
 * terminal of its own, open or named by its environment, a user may stand between. So it may where
 * a daemon that a tool call left can have been asked for it, see `Daemons`; that doubt is
 * remembered. A daemon that came and went between two looks takes nothing from the kernel's word.
 */
export const descentByGroup = (
  view: Pick<TableView, 'table' | 'tree' | 'evidence'>,
  callGroupOf: (row: ProcessRow) => CallGroupWitness | null,
  { doubts, daemons }: { readonly doubts: Doubts; readonly daemons: Daemons },
): ((row: ProcessRow) => Witnessed | null) => {
  const { table, evidence } = view;
  return (row) => {
    const found = row.tty === 0 ? callGroupOf(row) : null;
    if (found === null || isElsewhereInTerminals(evidence.surroundings(row), found.makers)) return null;
    if (mayBeMovedIn(view, row, found, callGroupOf) || doubts.has(row)) return null;
    if (daemons.mayHaveStarted(row, found.group)) {
      // In a shared group are the agent's servers as well: there its mark goes on counting.
      if (found.start === undefined || !sharesGroup(found.start)) doubts.note(row);
      return null;
    }
    const maker = onlyMaker(found);
    return {
      kind: 'kernel',
      agent: found.agent,
      process: maker === null ? null : { pid: maker.pid, startTicks: maker.startTicks },
      atMs: table.takenAtMs,
    };
  };
};
