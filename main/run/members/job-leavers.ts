import { visibleText } from '../../../app/format/visible.ts';
import type { RunMembers } from './view.ts';

/**
 * Notices processes of a run that are not in its job object: a program asked Windows to start them
 * in the name of another (elevation, a parent of its own choice). They are ended one by one.
 */
export class JobLeavers {
  #before: ReadonlySet<string> = new Set();
  readonly #told = new Set<string>();

  /**
   * Returns a line for each that two looks in a row found outside: between the table and the list
   * of the job a process may end. None where there is no job object.
   */
  look({ members, inJob }: Pick<RunMembers, 'members' | 'inJob'>): readonly string[] {
    if (inJob === null) return [];
    const outside = new Set<string>();
    const lines: string[] = [];
    for (const { row } of members.values()) {
      if (inJob.has(row.pid)) continue;
      const key = `${row.pid} ${row.startTicks}`;
      outside.add(key);
      if (!this.#before.has(key) || this.#told.has(key)) continue;
      this.#told.add(key);
      lines.push(
        `process ${row.pid} (${visibleText(row.comm)}) was started outside of the job object of this run: if \`curfew run\` is killed, it stays`,
      );
    }
    this.#before = outside;
    return lines;
  }
}
