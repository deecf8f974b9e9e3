import { claimsOf, programOf } from '../../app/agents/signatures.ts';
import type { SeenUser } from '../../app/all-users/turn.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import type { ProcessTable } from '../../app/process/table.ts';

/** Rows are replaced when they change, so that each is asked once. */
const answers = new WeakMap<ProcessRow, boolean>();

/**
 * Returns whether a process names itself an agent or a tool shell of one. Any user can give a
 * process such a name: it costs that user a child of its own, and nothing is judged by it.
 */
const isOfAgent = (row: ProcessRow): boolean => {
  const known = answers.get(row);
  if (known !== undefined) return known;
  const answer = programOf(row) !== null || claimsOf(row, null).length > 0;
  answers.set(row, answer);
  return answer;
};

/**
 * Returns what each user runs.
 * @param isOurs true for processes of Curfew's own children, which count for no user
 */
export const seenUsers = (
  { rows }: Pick<ProcessTable, 'rows'>,
  isOurs: (row: ProcessRow) => boolean,
): ReadonlyMap<number, SeenUser> => {
  const seen = new Map<number, { hasProcesses: true; agents: Set<string> }>();
  for (const row of rows.values()) {
    const { uid, pid, startTicks, state } = row;
    if (uid === null || state === 'Z' || isOurs(row)) continue;
    const user = seen.get(uid) ?? { hasProcesses: true, agents: new Set() };
    seen.set(uid, user);
    if (isOfAgent(row)) user.agents.add(`${pid}:${startTicks}`);
  }
  return seen;
};
