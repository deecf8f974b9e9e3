import type { ProcessRow } from '../../process/row.ts';
import { loginShellName } from '../../programs/login-shell.ts';
import { programOf } from '../../programs/program.ts';
import { veto, type VetoContext, type VetoRule } from '../veto-rule.ts';

const leadersOnTerminals = new WeakMap<VetoContext['rows'], ReadonlyMap<number, readonly ProcessRow[]>>();

/** Returns the children that lead a kernel session on a terminal. Gathered once for each table. */
const leadersBelow = (parent: ProcessRow, { rows }: VetoContext): readonly ProcessRow[] => {
  let byParent = leadersOnTerminals.get(rows);
  if (byParent === undefined) {
    const leaders = [...rows.values()].filter((row) => row.tty !== 0 && Number(row.sid) === Number(row.pid));
    byParent = Map.groupBy(leaders, ({ ppid }) => Number(ppid));
    leadersOnTerminals.set(rows, byParent);
  }
  return byParent.get(parent.pid) ?? [];
};

/**
 * It holds the terminal of a shell in which the user works, whatever its name (ttyd, script, an
 * unknown terminal). When it ends, the terminal closes and the kernel sends HUP to every process in
 * it. https://man7.org/linux/man-pages/man4/tty.4.html
 */
export const holdsTerminal: VetoRule = (row, _facts, _role, context) => {
  const shell = leadersBelow(row, context).find((leader) => loginShellName(leader, programOf(leader)) !== null);
  return shell === undefined ? null : veto('terminal', row, { name: shell.comm, holds: shell.pid });
};
