import type { HeldChannel } from '../../process/channels.ts';
import type { ProcessRow } from '../../process/row.ts';
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

/**
 * One of these channels leads from it to its parent, and it holds only its own end: a program that
 * closes none of its files on exec hands both ends of its own pipes on.
 */
export const hasChannel = (
  { evidence }: Pick<TableView, 'evidence'>,
  row: ProcessRow,
  parent: ProcessRow,
  is: (one: HeldChannel) => boolean,
): boolean => {
  const round = evidence.channels?.();
  const ends = round?.ends(parent.pid);
  const held = round?.of(row.pid)?.held ?? [];
  const own = new Set(held.map(({ end }) => end));
  return held.some(
    (one) => is(one) && one.otherEnd !== null && ends?.has(one.otherEnd) === true && !own.has(one.otherEnd),
  );
};

/**
 * True where a child of an agent certainly was started by it, of an agent whose calls stay in its
 * session or get a terminal of their own. A shell can become the agent (`server & exec aider`), and
 * what it had started is a child of the agent then: what that starts in its own session is told by
 * its output, which the agent reads. Of the first process of a container none is.
 */
export const isStartedBy = (view: Pick<TableView, 'evidence'>, child: ProcessRow, agent: ProcessRow): boolean =>
  child.windows !== undefined ||
  (view.evidence.isFirstInside?.(agent) !== true &&
    (child.sid === agent.sid
      ? hasChannel(view, child, agent, ({ fd }) => fd === 1 || fd === 2)
      : Number(child.sid) === Number(child.pid) && child.tty !== 0));
