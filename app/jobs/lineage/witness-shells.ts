import { hasEnded, type ProcessRow } from '../../process/row.ts';
import type { ProcessRef } from '../ledger/ledger.ts';
import type { BelowAgent } from '../../model/proof.ts';
import type { TableView } from './table-view.ts';
import type { ShellNote } from './evidence.ts';
import { type AgentWitness, livingOf } from './witness.ts';

/**
 * Within this time in seconds after its start the number of a process can't have been given out
 * again: the kernel would have to give out all others first, at least 32,000.
 */
const sameMomentSeconds = 0.2;

/**
 * True where the number of a tool shell that was seen or noted certainly is the one that the kernel
 * session of a process is named by: the shell lives; the process began in the same moment; or both
 * began since the look before and the kernel has not given out any number twice since.
 */
export const isNumberCertain = (
  { table, tree }: Pick<TableView, 'table' | 'tree'>,
  shell: ProcessRef,
  { startTicks }: ProcessRow,
): boolean => {
  const { since, ticksPerSecond } = table;
  return (
    livingOf(tree, shell) !== undefined ||
    startTicks - shell.startTicks <= sameMomentSeconds * ticksPerSecond ||
    // No number was given out twice, if the first ones were not even reached again.
    (since !== undefined && shell.startTicks > since.nowTicks && !since.mayBeReused(1))
  );
};

/**
 * Kernel sessions in which a program of the user runs, such as a browser that a tool call opened:
 * the user may have started from there what else is in them.
 */
export const usersSessionsOf = ({
  table,
  profileOf,
}: Pick<TableView, 'table' | 'profileOf'>): ReadonlySet<ProcessRow['sid']> => {
  const isUsers = (row: ProcessRow): boolean => {
    const { isUserProgram, program } = profileOf(row);
    return isUserProgram && program === null && !hasEnded(row);
  };
  return new Set([...table.rows.values()].filter(isUsers).map(({ sid }) => sid));
};

/**
 * Returns, for a process, what tool shells noted of its descent; null for nothing. The note names
 * the shell by pid and start, and its agent by pid. It proves the descent of the shell, and of what
 * is in the kernel session that the shell leads, unless a program of the user is in it: a session
 * is only ever inherited. It says nothing of whether the agent's session has ended.
 *
 * The shell mostly lives for milliseconds, and no look sees it. See `isNumberCertain`.
 */
export const descentByShells = (
  view: Pick<TableView, 'table' | 'tree' | 'evidence' | 'profileOf'>,
  agents: readonly AgentWitness[],
): ((row: ProcessRow) => BelowAgent | null) => {
  const { table, tree, evidence } = view;
  const notes = Map.groupBy(
    (evidence.shellNotes?.() ?? []).filter(({ pid, group, session }) => group === pid && session === pid),
    ({ session }) => session,
  );
  if (notes.size === 0) return () => null;
  const usersSessions = usersSessionsOf(view);
  const agentOf = (note: ShellNote): AgentWitness | undefined =>
    agents.find(
      ({ pid, startTicks, endedTicks }) =>
        pid === note.parent && startTicks <= note.startTicks && (endedTicks === null || note.startTicks <= endedTicks),
    );
  return (row) => {
    if (row.tty !== 0 || row.windows !== undefined || usersSessions.has(row.sid)) return null;
    const note = (notes.get(row.sid) ?? [])
      .filter(({ startTicks }) => startTicks <= row.startTicks)
      .toSorted((left, right) => right.startTicks - left.startTicks)[0];
    const agent = note === undefined ? undefined : agentOf(note);
    // The hook takes what its agent adopted for what it started.
    if (
      note === undefined ||
      agent === undefined ||
      agent.adopts === true ||
      !isNumberCertain({ table, tree }, note, row)
    )
      return null;
    const process = { pid: note.pid, startTicks: note.startTicks };
    const { pid, startTicks } = agent;
    const proof = { kind: 'agent-word', agent: agent.agent, process, atMs: table.takenAtMs } as const;
    return { proof, below: { pid, startTicks } };
  };
};
