import { userProgramOf } from '../../programs/classify.ts';
import { programOf } from '../../programs/program.ts';
import { isAdopter } from '../../programs/shared-daemon.ts';
import { parentsOf } from '../../process/tree.ts';
import { veto, type VetoRule } from '../veto-rule.ts';

/**
 * A multiplexer, terminal, editor or daemon above it, with neither an agent nor a tool shell in
 * between: a tool call opened that program, its markers went on to everything in it, and the user
 * works there. A job of an agent that itself runs in a terminal has the agent in between; one whose
 * agent has ended hangs below process 1 or another adopter.
 *
 * Windows gives no process another parent, so what stands there started it: then the shell in which
 * a user works counts, too, and for a tool shell what started that very shell.
 */
export const livesIn: VetoRule = (row, _facts, { toolShell }, { rows, isAgent }) => {
  const onWindows = row.windows !== undefined;
  if (row.pid === toolShell && !onWindows) return null;
  for (const parent of parentsOf(row, rows)) {
    if (parent.pid === toolShell || isAgent(parent) || (!onWindows && isAdopter(programOf(parent)))) return null;
    const found = userProgramOf(parent, null, rows);
    const kind = found?.kind === 'login-shell' ? (onWindows ? 'terminal' : null) : (found?.kind ?? null);
    if (kind !== null) return veto(kind, row, { name: found?.name ?? '', inside: parent.pid });
    if (row.pid === toolShell) return null;
  }
  return null;
};
