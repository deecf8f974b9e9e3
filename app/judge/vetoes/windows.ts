import { parentsOf } from '../../process/tree.ts';
import type { UnreadPart } from '../../process/windows.ts';
import { programNames, programOf, windowsNameIn } from '../../programs/program.ts';
import { type VetoRule, veto } from '../veto-rule.ts';

/**
 * Windows does not show something of it by which the other rules go: what it was started with,
 * which program it is, whether a debugger holds it, what is above it. Everything of a process of
 * the user can be read there, so what can't be is something special. Elsewhere there are systems
 * that show less of every process, and the other rules know that.
 */
export const unread: VetoRule = (row, facts, { toolShell }, { rows, isAgent }) => {
  if (row.windows === undefined) return null;
  const why = (what: UnreadPart | 'parent') => veto('unread', row, { what });
  if (row.windows.unsureParent) return why('parent');
  for (const parent of row.pid === toolShell ? [] : parentsOf(row, rows)) {
    if (parent.pid === toolShell || isAgent(parent)) break;
    if (parent.windows?.unsureParent === true) return why('parent');
  }
  if (facts?.windows === undefined || row.windows.console === null || row.argv.length === 0) return why('memory');
  const [part] = facts.windows.unread;
  return part === undefined ? null : why(part);
};

/** The service manager of Windows. */
const managers = programNames('services');

/**
 * A service of Windows: the service manager started it, which never happens by another way, also
 * for services that run as the user. https://learn.microsoft.com/windows/win32/services/services
 */
export const service: VetoRule = (row, _facts, _role, { rows }) => {
  const parent = row.windows === undefined ? undefined : rows.get(row.ppid);
  const isService = parent !== undefined && windowsNameIn(programOf(parent), managers) !== null;
  return isService ? veto('service-manager', row, { windows: 'service', service: row.comm }) : null;
};
