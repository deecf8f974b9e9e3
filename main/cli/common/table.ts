import stringWidth from 'string-width';
import { column, fit } from './columns.ts';

/** A column of a table; the last one of a row takes what is left and is no `Column`. */
export interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  /** Terminal columns at most. */
  readonly max: number;
  /** In a narrow terminal the lowest leaves first; null: it stays. */
  readonly leaves: number | null;
}

/** Widths of the columns, in their order; 0 for one that is left out. */
export interface Layout {
  readonly widths: readonly number[];
  /** Of the last column. */
  readonly last: number;
}

const gap = 2;

const usedBy = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + gap), 0);

/**
 * Fits columns to their content and to the width of the terminal: each is as wide as its widest
 * cell, and the last gets the rest, at least `minLast` while a column can be left out for it.
 */
export const layOut = (columns: readonly Column[], width: number, minLast: number): Layout => {
  let widths = columns.map(({ title, cells, max }) =>
    Math.min(max, Math.max(stringWidth(title), ...cells.map((cell) => stringWidth(cell)))),
  );
  const order = columns
    .map(({ leaves }, at) => ({ leaves, at }))
    .filter((one): one is { readonly leaves: number; readonly at: number } => one.leaves !== null)
    .toSorted((one, other) => one.leaves - other.leaves);
  for (const { at } of order) {
    if (width - usedBy(widths) >= minLast) break;
    widths = widths.map((size, index) => (index === at ? 0 : size));
  }
  return { widths, last: Math.max(1, width - usedBy(widths)) };
};

/** Returns one row: its cells padded or cut to the layout, without those that are left out. */
export const tableCells = (cells: readonly string[], last: string, layout: Layout): readonly string[] => [
  ...cells.flatMap((cell, at) => {
    const size = layout.widths[at] ?? 0;
    return size === 0 ? [] : [column(cell, size)];
  }),
  fit(last, layout.last),
];

/** Blanks between two columns. */
export const columnGap = ' '.repeat(gap);
