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
 * True where a child of an agent certainly was started by it, of an agent whose calls stay in its
 * session or get a terminal of their own. What the first process of a container has was mostly
 * started before it became the agent (`server & exec aider`).
 */
export const isStartedBy = ({ evidence }: Pick<TableView, 'evidence'>, child: ProcessRow, agent: ProcessRow): boolean =>
  child.windows !== undefined ||
  (evidence.isFirstInside?.(agent) !== true &&
    (child.sid === agent.sid || (Number(child.sid) === Number(child.pid) && child.tty !== 0)));
