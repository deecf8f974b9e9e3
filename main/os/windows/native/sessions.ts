import { programFile } from '../kernel/paths.ts';
import type { KernelRow } from '../kernel/process-rows.ts';

/** A console's host follows the programs in it: it is neither a member of a job nor a survivor. */
export const consoleHosts: ReadonlySet<string> = new Set(['conhost', 'openconsole']);

/** Programs that start others on behalf of the user or the system: a session begins below them. */
const openers: ReadonlySet<string> = new Set([
  ...consoleHosts,
  'explorer',
  'services',
  'sihost',
  'svchost',
  'taskhostw',
  'userinit',
  'windowsterminal',
  'wininit',
  'winlogon',
]);

/**
 * Stands for the kernel session, which agents give their tool calls on other systems. A process is
 * in its parent's, but for three that lead one: what has no parent any more, what the desktop or a
 * terminal started, and what was started without a console by a program that has one, as agents
 * start their commands (DETACHED_PROCESS).
 */
export const sessionOf = (
  row: KernelRow,
  parent: KernelRow | null,
  console: boolean | null,
  known: ReadonlyMap<number, { readonly session: number; readonly console: boolean | null }>,
): number => {
  const above = parent === null ? undefined : known.get(parent.pid);
  if (parent === null || above === undefined || openers.has(programFile(parent.image))) return row.pid;
  return console === false && above.console === true ? row.pid : above.session;
};

/** Sessions of which the leader has ended and its pid was given out again. Pids are smaller. */
const firstRenamed = 2 ** 32;

/**
 * Gives new numbers to sessions of which the leader has ended and its pid was given to a new
 * process: the two must not be taken for one.
 */
export class RenamedSessions {
  #next = firstRenamed;

  /**
   * Returns the new numbers by the old ones.
   * @param sessionOfKnown the session of a process that was seen before; undefined for a new one
   */
  renamed(
    rows: readonly KernelRow[],
    sessionOfKnown: (row: KernelRow) => number | undefined,
  ): ReadonlyMap<number, number> {
    const sessions = new Set<number>();
    const begun: number[] = [];
    for (const row of rows) {
      const session = sessionOfKnown(row);
      if (session === undefined) begun.push(row.pid);
      else sessions.add(session);
    }
    return new Map(begun.filter((pid) => sessions.has(pid)).map((pid) => [pid, this.#next++]));
  }
}
