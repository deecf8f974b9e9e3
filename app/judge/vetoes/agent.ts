import type { ProcessRow } from '../../process/row.ts';
import { programOf } from '../../programs/program.ts';
import { veto, type VetoContext, type VetoRule } from '../veto-rule.ts';

const nameOf = (row: ProcessRow): string => [...programOf(row).names][0] ?? row.comm;

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
  if (isAgent(row, context)) return veto('agent', row, { name: nameOf(row) });
  const parent = context.rows.get(row.ppid);
  if (parent === undefined || row.pid === toolShell || !isBeside(row, parent) || !isAgent(parent, context)) return null;
  return veto('agent', row, { name: nameOf(parent), inside: parent.pid });
};
