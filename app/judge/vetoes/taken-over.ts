import { programOf } from '../../programs/program.ts';
import { isAdopter } from '../../programs/shared-daemon.ts';
import { veto, type VetoRule } from '../veto-rule.ts';

/**
 * An orphan that leads the kernel session of a terminal. The terminal of a program that has ended
 * hangs up, and its processes have none any more; so a process that is not the parent holds this
 * terminal, and the user looks at it: reptyr(1) takes a process to the user's terminal.
 */
export const takenOver: VetoRule = (row, _facts, _role, { rows }) => {
  if (row.tty === 0 || Number(row.sid) !== Number(row.pid)) return null;
  const parent = rows.get(row.ppid);
  const isOrphan = parent !== undefined && (parent.pid === 1 || isAdopter(programOf(parent)));
  return isOrphan ? veto('terminal', row, { name: row.comm, as: 'taken-over' }) : null;
};
