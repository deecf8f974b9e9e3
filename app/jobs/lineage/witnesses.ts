import type { AgentId } from '../../agents/common/agent-id.ts';
import type { CallGroupKey } from '../../agents/common/call-group.ts';
import type { Pid } from '../../process/identity.ts';
import { type ProcessRow, hasEnded } from '../../process/row.ts';
import { adoptsOrphans } from './adopting.ts';
import { startedCallGroup } from './agent-starts.ts';
import { endsLineage } from './profile.ts';
import type { TableView } from './table-view.ts';
import type { AgentWitness, DaemonWitness, DoubtfulWitness, OpenedWitness, UserWitness, Witness } from './witness.ts';
import { bounded, claimKey, followed, livingOf } from './witness.ts';
import { servicesSeen } from './services.ts';
import { callGroupGivenBy } from './witness-kernel.ts';

export interface WitnessesInput extends TableView {
  readonly before: readonly Witness[];
}

const markOf = ({ pid, startTicks }: { readonly pid: number; readonly startTicks: number }): string =>
  `${pid}:${startTicks}`;

/** The control group that it gives to its tool calls, where there is one to note. */
const groupGiven = ({ evidence }: WitnessesInput, agent: AgentId, row: ProcessRow): Pick<AgentWitness, 'callGroup'> => {
  const callGroup = evidence.mayBeRelinked?.(row) === true ? null : callGroupGivenBy(evidence, agent, row);
  return callGroup === null ? {} : { callGroup };
};

const launcherOf = (
  { tree, profileOf }: WitnessesInput,
  agent: AgentId,
  { ppid }: ProcessRow,
): Pick<AgentWitness, 'launcher'> => {
  const parent = tree.row(ppid);
  return parent === undefined || profileOf(parent).program !== agent
    ? {}
    : { launcher: { pid: parent.pid, startTicks: parent.startTicks } };
};

/** Adds what an earlier version did not note, and that it adopts orphans by now. */
const completed = (input: WitnessesInput, before: AgentWitness): AgentWitness => {
  const row = livingOf(input.tree, before);
  if (row === undefined) return before;
  const one = before.adopts !== true && adoptsOrphans(input, row) ? { ...before, adopts: true as const } : before;
  const number = one.number === undefined ? row.numbers?.own : undefined;
  const group = one.callGroup === undefined ? groupGiven(input, one.agent, row) : {};
  return number === undefined && group.callGroup === undefined
    ? one
    : { ...one, ...(number === undefined ? {} : { number }), ...group };
};

/** The agents that Curfew started in groups, one of them for tool calls, and that no look saw. */
const agentsStarted = (input: WitnessesInput): readonly AgentWitness[] =>
  (input.evidence.agentStarts?.() ?? []).flatMap((start) => {
    const { agent, pid, startTicks, terminal, unit } = start;
    const callGroup = startedCallGroup(start);
    if (callGroup === null || input.before.some((one) => one.kind === 'agent' && markOf(one) === markOf(start)))
      return [];
    return followed(input, { kind: 'agent', pid, startTicks, agent, terminal, unit, callGroup, endedTicks: null });
  });

/**
 * The agents that live, and those that have ended since a look, or Curfew that started them, saw
 * them, in this boot.
 */
export const agentsSeen = (input: WitnessesInput): readonly AgentWitness[] => {
  const known = [
    ...input.before.filter((one) => one.kind === 'agent').map((one) => followed(input, completed(input, one))),
    ...agentsStarted(input),
  ];
  const marks = new Set(known.map(markOf));
  const found: AgentWitness[] = [...known];
  for (const row of input.table.rows.values()) {
    const { program } = input.profileOf(row);
    if (program === null || marks.has(markOf(row))) continue;
    const { terminal, unit } = input.evidence.surroundings(row);
    const follows = known.some((one) => one.agent === program && one.endedTicks !== null);
    const isRelinked = input.evidence.mayBeRelinked?.(row) === true;
    found.push({
      kind: 'agent',
      pid: row.pid,
      startTicks: row.startTicks,
      agent: program,
      ...(row.numbers === undefined ? {} : { number: row.numbers.own }),
      terminal,
      unit,
      ...launcherOf(input, program, row),
      ...groupGiven(input, program, row),
      // What is below it may be another's, too.
      ...(isRelinked || adoptsOrphans(input, row) ? { adopts: true } : {}),
      ...(follows ? { followsTicks: input.table.nowTicks } : {}),
      endedTicks: null,
    });
  }
  return found;
};

/** What started the leader of a terminal's session holds that terminal, whatever its name. */
const terminalHosts = ({ table, tree }: WitnessesInput): ReadonlySet<Pid> =>
  new Set(
    [...table.rows.values()]
      .filter((row) => row.tty !== 0 && Number(row.sid) === Number(row.pid) && tree.row(row.ppid) !== undefined)
      .map(({ ppid }) => ppid),
  );

/**
 * The programs of the user that carry marks, or are in a control group of tool calls, living and
 * ended. An exec within one process (`exec fish`) adds marks to what is known.
 */
export const openedSeen = (
  input: WitnessesInput,
  callGroupOf: (row: ProcessRow) => CallGroupKey | null,
): readonly OpenedWitness[] => {
  const known = new Map<string, OpenedWitness>();
  for (const one of input.before) if (one.kind === 'opened') known.set(markOf(one), followed(input, one));
  const hosts = terminalHosts(input);
  for (const row of input.table.rows.values()) {
    const { claims, program } = input.profileOf(row);
    if (program !== null || !(hosts.has(row.pid) || input.evidence.opensPrograms(row))) continue;
    const group = callGroupOf(row);
    const seen = known.get(markOf(row));
    const before = seen?.claims ?? [];
    const keys = claims.filter(({ shell }) => shell === null).map((claim) => claimKey(claim));
    const isKnown = group === null || seen?.callGroup === group;
    if (isKnown && keys.every((key) => before.includes(key))) continue;
    known.set(markOf(row), {
      kind: 'opened',
      pid: row.pid,
      startTicks: row.startTicks,
      claims: [...new Set([...before, ...keys])],
      ...(group === null ? {} : { callGroup: group }),
      endedTicks: null,
    });
  }
  return [...known.values()];
};

/**
 * The user's marked processes to remember: those that nothing above shows to be the user's, those
 * that lead a group or kernel session, and one in each session. The rest hangs below one of them or
 * shares its session.
 */
const usersSeen = (input: WitnessesInput, isUserStarted: (row: ProcessRow) => boolean): readonly UserWitness[] => {
  const { tree, table, profileOf, before } = input;
  const kept = new Map<string, UserWitness>();
  const sessions = new Set<number>();
  const remember = (row: ProcessRow): void => {
    kept.set(markOf(row), { kind: 'user', pid: row.pid, startTicks: row.startTicks, sid: row.sid });
    sessions.add(Number(row.sid));
  };
  const users: ProcessRow[] = [];
  for (const row of table.rows.values()) {
    if (hasEnded(row)) continue;
    if (isUserStarted(row)) users.push(row);
    else {
      // The shell in a terminal that a tool call opened: what it starts after this look is the
      // user's too.
      const profile = profileOf(row);
      const leads = Number(row.sid) === Number(row.pid);
      if (leads && profile.claims.length > 0 && endsLineage(profile) && profile.program === null) remember(row);
    }
  }
  const occupied = new Set(users.map(({ sid }) => Number(sid)));
  for (const one of before) {
    if (one.kind !== 'user' || kept.has(markOf(one))) continue;
    const row = livingOf(tree, one);
    if (row !== undefined) kept.set(markOf(one), { ...one, sid: row.sid });
    else if (one.sid !== 0 && occupied.has(one.sid)) kept.set(markOf(one), one);
    else continue;
    sessions.add(one.sid);
  }
  for (const row of users) {
    const parent = tree.row(row.ppid);
    const isTop = parent === undefined || !isUserStarted(parent);
    // The leader of a kernel session leads a group, too: setsid(2).
    const leads = Number(row.pgid) === Number(row.pid);
    if (isTop || leads || !sessions.has(Number(row.sid))) remember(row);
  }
  return [...kept.values()];
};

/** Earlier doubts that stand: the process lives, or its session was doubted again now. */
const doubtedSeen = (input: WitnessesInput, doubted: ReadonlyMap<Pid, ProcessRow>): readonly DoubtfulWitness[] => {
  const kept = new Map<string, DoubtfulWitness>();
  const sessions = new Set([...doubted.values()].map(({ sid }) => Number(sid)));
  for (const one of input.before) {
    if (one.kind !== 'doubtful') continue;
    if (livingOf(input.tree, one) !== undefined || (one.sid !== 0 && sessions.has(one.sid))) kept.set(markOf(one), one);
  }
  for (const row of doubted.values()) {
    if (!kept.has(markOf(row)))
      kept.set(markOf(row), { kind: 'doubtful', pid: row.pid, startTicks: row.startTicks, sid: row.sid });
  }
  return [...kept.values()];
};

/** All to remember after a look. `doubted`: roots whose owner is unknown for a doubt. */
export const witnessesAfter = (
  input: WitnessesInput,
  seen: {
    readonly agents: readonly AgentWitness[];
    readonly opened: readonly OpenedWitness[];
    readonly daemons: readonly DaemonWitness[];
    readonly isUserStarted: (row: ProcessRow) => boolean;
    readonly doubted: ReadonlyMap<Pid, ProcessRow>;
  },
): readonly Witness[] =>
  bounded([
    ...seen.agents,
    ...seen.opened,
    ...seen.daemons,
    ...usersSeen(input, seen.isUserStarted),
    ...doubtedSeen(input, seen.doubted),
    ...servicesSeen(input),
  ]);
