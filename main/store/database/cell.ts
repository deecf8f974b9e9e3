import type { Cell } from './sqlite.ts';

/**
 * Returns a cell as a number. Columns are typed (STRICT), so any other value was written by hand
 * and counts as 0.
 */
export const numberCell = (cell: Cell | undefined): number => (typeof cell === 'number' ? cell : 0);

/** Returns a cell as a text; see `numberCell`. */
export const textCell = (cell: Cell | undefined): string => (typeof cell === 'string' ? cell : '');
