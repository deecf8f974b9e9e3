import { plainCommandOf } from '../../agents/common/command-shell.ts';
import { isShellScript } from '../../agents/common/program-name.ts';
import type { AgentId } from '../../agents/common/agent-id.ts';
import type { HeldChannel } from '../../process/channels.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { Root } from './root.ts';
import type { TableView } from './table-view.ts';

/*
 * An agent that is the first process of a container, or has made itself a subreaper (prctl(2)),
 * gets the orphans of others as children. Linux tells neither of a subreaper nor of what started a
 * process.
 */

/** Another kernel session than the agent's, and none of its own. */
const isOfOthers = (child: ProcessRow, agent: ProcessRow): boolean =>
  child.sid !== agent.sid && Number(child.sid) !== Number(child.pid);

/**
 * True for an agent that adopts orphans: it is the first process of a pid namespace, or has a child
 * that it can't have started. What it starts is in its own session, or leads one.
 */
export const adoptsOrphans = ({ tree, evidence }: Pick<TableView, 'tree' | 'evidence'>, agent: ProcessRow): boolean =>
  agent.windows === undefined &&
  agent.numbers === undefined &&
  (evidence.isFirstInside?.(agent) === true || tree.children(agent.pid).some((child) => isOfOthers(child, agent)));

type View = Pick<TableView, 'evidence'>;

/**
 * Its channels whose other ends are among these, and of which it holds only its own end: a program
 * that closes none of its files on exec hands both ends of its own pipes on.
 */
const channelsTo = (
  { evidence }: View,
  { pid }: ProcessRow,
  ends: ReadonlySet<string> | null | undefined,
): readonly HeldChannel[] => {
  const held = evidence.channels?.().of(pid)?.held ?? [];
  const own = new Set(held.map(({ end }) => end));
  return held.filter(({ otherEnd }) => otherEnd !== null && ends?.has(otherEnd) === true && !own.has(otherEnd));
};

/** One of these channels leads from it to its parent. */
export const hasChannel = (
  view: View,
  row: ProcessRow,
  { pid }: ProcessRow,
  is: (one: HeldChannel) => boolean,
): boolean => channelsTo(view, row, view.evidence.channels?.().ends(pid)).some(is);

/**
 * True where the agent reads its output, by a pipe that it opened itself: one that a shell opened
 * before it became the agent (`exec aider < <(feed)`) does not close on exec. Where that is not
 * told, its output and its errors each have a channel of their own to the agent: no shell has a
 * form for that.
 */
export const isReadBy = (view: View, child: ProcessRow, { pid }: ProcessRow): boolean => {
  const round = view.evidence.channels?.();
  const isOutput = ({ fd }: HeldChannel): boolean => fd === 1 || fd === 2;
  if (channelsTo(view, child, round?.ownEnds(pid)).some(isOutput)) return true;
  const outputs = channelsTo(view, child, round?.ends(pid)).filter(isOutput);
  return new Set(outputs.map(({ end }) => end)).size === 2;
};

/**
 * True for a child that may be older than its agent: that is the script of a shell, which may have
 * become the agent by the next look, or all its threads but the first are younger than the child.
 * An exec ends these, so a shell had started the child before it became the agent.
 */
const mayBeOlder = ({ evidence }: View, child: ProcessRow, agent: ProcessRow): boolean =>
  isShellScript(agent) || child.startTicks <= (evidence.ranSince?.(agent) ?? -1);

/** True for what carries a mark that its agent gives to its servers and helpers as well. */
export const isMarkedAsServer = ({ evidence }: View, row: ProcessRow, agent: AgentId): boolean =>
  evidence.serverMarks?.(row).some((one) => one.agent === agent) === true;

/**
 * True for a child that is no shell with a command, leads a kernel session, and has no end that
 * leads to its agent: as a plugin inside of the agent starts a daemon that is meant to stay. A
 * shell that became its one command looks so only where that has no input and writes to files.
 */
const isLetGo = (view: View, child: ProcessRow, { pid }: ProcessRow): boolean => {
  const ends = view.evidence.channels?.().ends(pid) ?? null;
  const leads = Number(child.sid) === Number(child.pid) && child.tty === 0;
  return leads && ends !== null && plainCommandOf(child.argv) === null && channelsTo(view, child, ends).length === 0;
};

/**
 * True for what is marked below an agent, where the agent does not read the output of its own child
 * there, which may be older than the agent (`MARK=1 setsid server & exec AGENT`), is in its own
 * process group, or was let go with a mark that servers carry, too: then it may be a server, a
 * helper or the inner program of the agent as well. Only the shell of a tool call that is known by
 * its grammar is none of these.
 */
export const mayBePart = (view: View, { row, proof, lineage: { chain, end } }: Root): boolean => {
  if (row.windows !== undefined || proof.kind !== 'claim' || proof.claim.shell !== null) return false;
  if (end === null || end.program === null) return false;
  const child = chain.at(-1) ?? row;
  const isBeside = row.pgid === end.row.pgid;
  const mayBeHelper = (): boolean =>
    isBeside || (isMarkedAsServer(view, row, proof.claim.agent) && isLetGo(view, row, end.row));
  return ((child === row && mayBeHelper()) || mayBeOlder(view, child, end.row)) && !isReadBy(view, child, end.row);
};

/**
 * True where a child of an agent certainly was started by it, of an agent whose calls stay in its
 * session or get a terminal of their own. A shell can become the agent (`server & exec aider`), and
 * what it had started is a child of the agent then: what that starts in its own session is told by
 * its output, which the agent reads. Of the first process of a container none is.
 */
export const isStartedBy = (view: View, child: ProcessRow, agent: ProcessRow): boolean =>
  child.windows !== undefined ||
  (view.evidence.isFirstInside?.(agent) !== true &&
    (child.sid === agent.sid
      ? isReadBy(view, child, agent)
      : Number(child.sid) === Number(child.pid) && child.tty !== 0));
