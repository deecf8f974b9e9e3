import type { ChannelRound, FarEnd, HeldChannel, ProcessChannels, StandardEnd } from '../../process/channels.ts';
import { isChannel } from '../../process/channels.ts';
import { type ProcessRow, hasEnded } from '../../process/row.ts';
import type { Member } from '../../model/job.ts';
import type { TableView } from '../lineage/table-view.ts';
import { isCrashHandler, isDrivenBrowser } from './driven-browser.ts';
import type { Suspect } from './suspects.ts';
import type { ServerReport } from '../../model/server-state.ts';

/** What the ends of the standard input, output and error of a process say. */
export type Shape =
  /**
   * Input and output are private channels, as those of a server are. `far`: whether the other ends
   * of all three are closed. `input`: of the input alone.
   */
  | { readonly kind: 'server'; readonly far: FarEnd; readonly input: FarEnd }
  /** A browser that a program drives, of which the only channel is closed. */
  | { readonly kind: 'browser' }
  /** It holds a closed channel, and is no server by its ends. */
  | { readonly kind: 'other' }
  /** It holds none that is closed. */
  | { readonly kind: 'none' };

const together = (ends: readonly StandardEnd[]): FarEnd => {
  if (ends.every(({ far }) => far === 'closed')) return 'closed';
  return ends.some(({ far }) => far === 'unknown') ? 'unknown' : 'open';
};

/** Says what a process is by its own ends alone. */
export const shapeOf = (row: ProcessRow, { standard }: ProcessChannels): Shape => {
  const [input, output, error] = standard;
  if (isChannel(input) && isChannel(output))
    return { kind: 'server', far: together(standard.filter(isChannel)), input: input.far };
  const isLeft = standard.some((end) => isChannel(end) && end.far === 'closed');
  if (!isLeft) return { kind: 'none' };
  const isBrowser = isDrivenBrowser(row) && input.kind === 'null' && output.kind === 'null';
  return { kind: isBrowser && error.far === 'closed' ? 'browser' : 'other' };
};

export interface ServerTree {
  readonly roots: Suspect[];
  readonly members: Map<number, Member>;
}

export interface UnitInput extends TableView {
  readonly round: ChannelRound;
}

const holds = (round: ChannelRound, pid: number, ends: ReadonlySet<string>): boolean =>
  round.of(pid)?.held.some(({ otherEnd }) => otherEnd !== null && ends.has(otherEnd)) === true;

/** Standard input and output lead into the unit: a helper that it speaks with. */
const isHelper = (round: ChannelRound, row: ProcessRow, ends: ReadonlySet<string>): boolean => {
  const held = round.of(row.pid)?.held ?? [];
  return [0, 1].every((fd) => held.some((one) => one.fd === fd && one.otherEnd !== null && ends.has(one.otherEnd)));
};

/**
 * Adds a process and what hangs below it. What it detached on purpose (a kernel session of its own)
 * is left out and goes on without it, but for a browser that it drives and a helper that it speaks
 * with. An agent is a member, so that its veto protects the whole; what that started is its own.
 */
export const addTree = ({ tree, profileOf, round }: UnitInput, unit: ServerTree, root: Suspect): void => {
  const ends = new Set<string>();
  const add = (row: ProcessRow, by: Member['by']): void => {
    if (hasEnded(row) || row.kernelThread || row.pid === 1 || unit.members.has(row.pid)) return;
    unit.members.set(row.pid, { row, by });
    for (const end of round.ends(row.pid) ?? []) ends.add(end);
    const profile = profileOf(row);
    if (profile.program !== null || profile.isUserProgram) return;
    for (const child of tree.children(row.pid)) {
      const isDetached = Number(child.sid) === Number(child.pid) && Number(child.sid) !== Number(row.sid);
      const stays = !isDetached || isDrivenBrowser(child) || isDrivenBrowser(row) || isHelper(round, child, ends);
      if (stays) add(child, ['tree']);
    }
  };
  add(root.row, root.marks.length > 0 ? ['env'] : ['ledger']);
};

const endsOf = (round: ChannelRound, { members }: ServerTree): ReadonlySet<string> => {
  const ends = new Set<string>();
  for (const pid of members.keys()) for (const end of round.ends(pid) ?? []) ends.add(end);
  return ends;
};

/**
 * Adds the crash handlers of the browsers that a unit drives. They detach themselves by a double
 * fork, so that only their private channels tell whose they are (Chromium 156, observed).
 */
export const addCrashHandlers = ({ table, round }: UnitInput, unit: ServerTree): void => {
  if (![...unit.members.values()].some(({ row }) => isDrivenBrowser(row))) return;
  const handlers = [...table.rows.values()].filter(
    (row) => row.uid === table.uid && !hasEnded(row) && isCrashHandler(row) && !unit.members.has(row.pid),
  );
  for (let found = true; found;) {
    const ends = endsOf(round, unit);
    const own = handlers.filter((row) => !unit.members.has(row.pid) && holds(round, row.pid, ends));
    for (const row of own) unit.members.set(row.pid, { row, by: ['tree'] });
    found = own.length > 0;
  }
};

/** True for two that hold each other's ends, or the same ends of standard input or output. */
const belongTogether = (round: ChannelRound, left: ServerTree, right: ServerTree): boolean => {
  const [ends, others] = [endsOf(round, left), endsOf(round, right)];
  if ([...left.members.keys()].some((pid) => holds(round, pid, others))) return true;
  if ([...right.members.keys()].some((pid) => holds(round, pid, ends))) return true;
  const standard = (unit: ServerTree): readonly HeldChannel[] =>
    [...unit.members.keys()].flatMap((pid) => round.of(pid)?.held.filter(({ fd }) => fd <= 1) ?? []);
  const own = new Set(standard(left).map(({ end }) => end));
  return standard(right).some(({ end }) => own.has(end));
};

export const joined = (round: ChannelRound, units: readonly ServerTree[]): readonly ServerTree[] => {
  let left: ServerTree[] = [];
  for (const unit of units) {
    for (const other of left) {
      if (!belongTogether(round, unit, other)) continue;
      unit.roots.unshift(...other.roots);
      for (const [pid, member] of other.members) unit.members.set(pid, member);
      left = left.filter((one) => one !== other);
    }
    left.push(unit);
  }
  return left;
};

/**
 * Pids of the members that are a driven browser or hang below one: its port and its traffic serve
 * only its driver.
 */
export const browserParts = (view: Pick<TableView, 'tree'>, members: Iterable<Member>): ReadonlySet<number> => {
  const rows = new Map([...members].map(({ row }) => [Number(row.pid), row]));
  const parts = new Set<number>();
  for (const row of rows.values()) {
    const above = view.tree.ancestors(row.pid).filter(({ pid }) => rows.has(pid));
    if (isCrashHandler(row) || [row, ...above].some(isDrivenBrowser)) parts.add(row.pid);
  }
  return parts;
};

/**
 * The names of ends that a unit has from above its agent: an older process that is no part of it
 * and could be an ancestor of the agent holds the same ends (a pipe that a script leaks into
 * everything below it). Through such a one no process speaks to this unit in particular.
 */
export const inheritedEnds = (
  { tree }: Pick<TableView, 'tree'>,
  round: ChannelRound,
  members: Iterable<Member>,
): ReadonlySet<string> => {
  const rows = [...members].map(({ row }) => row);
  const own = new Set(rows.map(({ pid }) => Number(pid)));
  const beganTicks = Math.min(...rows.map(({ startTicks }) => startTicks));
  const above = rows.flatMap((row) => [
    ...tree.ancestors(row.pid),
    ...tree.group(row.pgid),
    ...(Number(row.sid) > 1 ? tree.session(row.sid) : []),
  ]);
  const older = new Set(above.filter((row) => !own.has(row.pid) && row.startTicks < beganTicks && !hasEnded(row)));
  return new Set([...older].flatMap(({ pid }) => [...(round.ends(pid) ?? [])]));
};

/** What is said where an end can't be seen. */
export const unseenEnds = ({ farEnds }: Pick<ChannelRound, 'farEnds'>): ServerReport =>
  farEnds === 'untold' ? 'ends-untold' : 'ends-unknown';

/**
 * What speaks against the end of a unit whose own ends are closed: another process holds the other
 * end of a further channel, it listens, or it can't be seen.
 * @param outsiders ends that marked processes hold which are no part of it
 * @param ofAgent ends that its living agent holds; of its output and error they are told elsewhere
 */
export const connectionsOf = (
  view: Pick<TableView, 'tree'>,
  round: ChannelRound,
  unit: ServerTree,
  browsers: ReadonlySet<number>,
  { outsiders, ofAgent }: { readonly outsiders: ReadonlySet<string>; readonly ofAgent: ReadonlySet<string> },
): readonly ServerReport[] => {
  const inside = endsOf(round, unit);
  const unseen = unseenEnds(round);
  const found = new Set<ServerReport>();
  let inherited: ReadonlySet<string> | null = null;
  for (const pid of unit.members.keys()) {
    const channels = round.of(pid);
    if (channels === null || !channels.complete) found.add(unseen);
    if (channels === null) continue;
    if (channels.listens.length > 0 && !browsers.has(pid)) found.add('listens');
    for (const { fd, end, far, otherEnd } of channels.held) {
      if (far === 'closed') continue;
      if (far === 'unknown' || otherEnd === null) found.add(unseen);
      else if (inside.has(otherEnd) && !outsiders.has(otherEnd)) continue;
      else if (fd <= 2 && ofAgent.has(otherEnd)) continue;
      else if (fd <= 2 || !(inherited ??= inheritedEnds(view, round, unit.members.values())).has(end))
        found.add('connected');
    }
  }
  return [...found];
};
