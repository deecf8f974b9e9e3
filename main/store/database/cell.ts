import type { Cell } from './sqlite.ts';

/** A cell as a number. Columns are typed (STRICT), so anything else is a file that was changed by hand; that counts as 0. */
export const numberCell = (cell: Cell | undefined): number => (typeof cell === 'number' ? cell : 0);

/** A cell as a text; see `numberCell`. */
export const textCell = (cell: Cell | undefined): string => (typeof cell === 'string' ? cell : '');
