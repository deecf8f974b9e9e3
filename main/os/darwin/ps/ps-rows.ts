import { fieldColumns, lookLineIn, type PsDialect, type PsFields } from './ps-fields.ts';

/** Columns of a look: those of fixed form, and the arguments last, because they are unbounded. */
export const lookColumns = (dialect: PsDialect): readonly string[] => [...fieldColumns(dialect), 'args'];

/** One process, with its command line as ps wrote it. */
export type PsRow = PsFields & { readonly text: string };

/** The processes in an output of ps, and how many lines could not be read. */
export interface PsRows {
  readonly rows: readonly PsRow[];
  readonly unread: number;
}

/**
 * Returns the processes in the output of `lookColumns`. Apple's ps prints a newline in an argument
 * as \012 (see `argumentTextsIn`), so a line of another form continues the one before. If a ps does
 * not escape newlines, a process could forge lines: of a process that is named twice nothing is
 * known.
 */
export const psRowsIn = (output: string): PsRows => {
  const rows = new Map<number, PsRow>();
  const twice = new Set<number>();
  let last: number | null = null;
  let unread = 0;
  for (const line of output.split('\n')) {
    const row = lookLineIn(line);
    if (row !== null) {
      if (rows.has(row.pid)) twice.add(row.pid);
      last = row.pid;
      rows.set(row.pid, row);
    } else if (line.trim() !== '') {
      const before = last === null ? undefined : rows.get(last);
      if (before === undefined) unread += 1;
      else rows.set(before.pid, { ...before, text: `${before.text}\n${line}` });
    }
  }
  for (const pid of twice) rows.delete(pid);
  return { rows: [...rows.values()], unread: unread + twice.size };
};
