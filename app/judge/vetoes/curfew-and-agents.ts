import type { ProcessRow } from '../../process/row.ts';
import { programOf, shownProgram } from '../../programs/program.ts';
import { type VetoContext, type VetoRule, veto } from '../veto-rule.ts';

/** On Windows a script's path is in the form in which it was given, with either slash. */
const isAgent = (row: ProcessRow, context: VetoContext): boolean =>
  context.isAgent(row) ||
  (row.windows !== undefined && context.isAgent({ ...row, argv: row.argv.map((word) => word.replaceAll('\\', '/')) }));

/** Windows has no process groups: what stands for kernel sessions there tells the same. */
const isBeside = (row: ProcessRow, parent: ProcessRow): boolean =>
  row.windows === undefined ? row.pgid === parent.pgid : row.sid === parent.sid;

/**
 * An agent, also one that was started inside another agent's tool shell: ending it would end the
 * user's work.
 *
 * So would ending a part of it. A direct child in the agent's own process group can be a server
 * that it started for itself (MCP, language servers) and to which it passed the marks of its
 * commands on; only a tool shell that is recognised as one is none.
 */
export const agent: VetoRule = (row, _facts, { toolShell }, context) => {
  if (isAgent(row, context)) return veto('agent', row, { name: shownProgram(row) });
  const parent = context.rows.get(row.ppid);
  if (parent === undefined || row.pid === toolShell || !isBeside(row, parent) || !isAgent(parent, context)) return null;
  return veto('agent', row, { name: shownProgram(parent), inside: parent.pid });
};

/** The program, and its interpreter's file. `curfew.py`, `grep curfew` are something else. */
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
