import { asPid, type Pid } from '../../../../app/process/identity.ts';
import { hasEnded, type ProcessRow } from '../../../../app/process/row.ts';
import { relationsOf } from '../../../../app/process/tree.ts';

/**
 * Returns the processes that may be in the console of another: what is connected with it by
 * parentage, as far as each has a console. A console is inherited; one that a process opened for
 * itself can't be told from its parent's.
 */
export const consoleMatesOf = (rows: ReadonlyMap<Pid, ProcessRow>, pid: Pid): readonly ProcessRow[] => {
  const tree = relationsOf(rows);
  const found = new Set<ProcessRow>();
  const first = rows.get(asPid(pid));
  const queue = first === undefined ? [] : [first];
  for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
    if (found.has(row) || row.windows?.console !== true || row.kernelThread || hasEnded(row)) continue;
    found.add(row);
    const parent = rows.get(row.ppid);
    queue.push(...tree.children(row.pid), ...(parent === undefined ? [] : [parent]));
  }
  return [...found].filter((row) => row !== first);
};
