import { programOf } from '../../programs/program.ts';
import { veto, type VetoRule } from '../veto-rule.ts';

/**
 * The program itself, and the file that its interpreter runs. `curfew.py` or `grep curfew` are
 * something else.
 */
const isCurfew = (names: ReadonlySet<string>): boolean =>
  names.has('curfew') || names.has('Curfew') || names.has('curfew.js');

/**
 * Curfew itself, what started it up to process 1, everything in its own process group, and other
 * runs of it: an agent may have started `curfew watch` in a tool shell, and `curfew run` ends its
 * command by its own limits.
 */
export const curfew: VetoRule = (row, facts, _role, context) => {
  if (row.pid === context.ownPid) return veto('curfew', row, { as: 'itself' });
  if (context.ownAncestors.has(row.pid)) return veto('curfew', row, { as: 'ancestor' });
  if (row.pgid === context.ownGroup) return veto('curfew', row, { as: 'group', pgid: row.pgid });
  const { names, onWindows } = programOf(row, facts);
  const known = onWindows ? new Set([...names].map((name) => name.toLowerCase())) : names;
  return isCurfew(known) ? veto('curfew', row, { as: 'run' }) : null;
};
