import { baseName } from '../../paths/path.ts';
import { adopterNames } from '../../programs/adopter-names.ts';
import type { ProcessRow } from '../../process/row.ts';

const names: ReadonlySet<string> = new Set(adopterNames);

/**
 * True for a process known to adopt orphans. False says nothing: any process can make itself a
 * subreaper, and the kernel does not tell. So "its parent is an adopter" is one hint among others,
 * and never "its parent is pid 1".
 */
export const isAdopter = (row: ProcessRow): boolean => {
  if (row.pid === 1) return true;
  if (!names.has(row.comm)) return false;
  const executable = row.argv[0] ?? row.comm;
  return names.has(baseName(executable));
};
