import stringWidth from 'string-width';

let made: Intl.Segmenter | null = null;
/** Made on demand: its tables take 2.6 MB, which an idle `curfew watch` does not need. */
const segmenter = (): Intl.Segmenter => (made ??= new Intl.Segmenter());

/** Cuts text to `width` terminal columns, ending in an ellipsis; no character is split. */
export const fit = (text: string, width: number): string => {
  if (width <= 0) return '';
  if (stringWidth(text) <= width) return text;
  let used = 0;
  let kept = '';
  for (const { segment } of segmenter().segment(text)) {
    const next = stringWidth(segment);
    if (used + next > width - 1) break;
    used += next;
    kept += segment;
  }
  return `${kept}…`;
};

/** Cuts text to `width` columns in its middle: commands that begin alike differ at the end. */
export const fitMiddle = (text: string, width: number): string => {
  if (width <= 0 || stringWidth(text) <= width) return fit(text, width);
  const head = fit(text, Math.ceil(width / 2));
  let tail = '';
  for (const { segment } of [...segmenter().segment(text)].toReversed()) {
    if (stringWidth(head) + stringWidth(segment + tail) > width) break;
    tail = segment + tail;
  }
  return head + tail;
};

/** Cuts or pads text to exactly `width` terminal columns. */
export const column = (text: string, width: number): string => {
  const fitted = fit(text, width);
  return fitted + ' '.repeat(Math.max(0, width - stringWidth(fitted)));
};

/** Cuts a word into pieces of at most `width` terminal columns; nothing of it is lost. */
const pieces = (word: string, width: number): readonly string[] => {
  if (stringWidth(word) <= width) return [word];
  const cut: string[] = [];
  let piece = '';
  for (const { segment } of segmenter().segment(word)) {
    if (piece !== '' && stringWidth(piece + segment) > width) {
      cut.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...cut, piece];
};

const linesOf = (words: readonly string[], width: number): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (stringWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
  }
  if (line !== '') lines.push(line);
  return lines;
};

/** Breaks text at spaces to `width` columns. A longer word takes several lines; all is kept. */
export const wrap = (text: string, width: number): readonly string[] =>
  linesOf(
    text.split(' ').flatMap((word) => pieces(word, Math.max(1, width))),
    width,
  );

/** Breaks text at spaces only. A longer word is its own line, so that a path copies whole. */
export const wrapWords = (text: string, width: number): readonly string[] => linesOf(text.split(' '), width);

/** A column of a table; the last one of a row takes what is left and is no `Column`. */
export interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  /** Terminal columns at most. */
  readonly max: number;
  /** In a narrow terminal the lowest leaves first; null: it stays. */
  readonly leaves: number | null;
  /** Its cells end where the column ends, so that figures can be compared. */
  readonly figures?: boolean;
}

/** Widths of the columns, in their order; 0 for one that is left out. */
export interface Layout {
  readonly widths: readonly number[];
  readonly figures: readonly boolean[];
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
  const figures = columns.map((one) => one.figures === true);
  return { widths, figures, last: Math.max(1, width - usedBy(widths)) };
};

/** Returns one row: its cells padded or cut to the layout, without those that are left out. */
export const tableCells = (cells: readonly string[], last: string, layout: Layout): readonly string[] => [
  ...cells.flatMap((cell, at) => {
    const size = layout.widths[at] ?? 0;
    if (size === 0) return [];
    const fitted = fit(cell, size);
    return [
      layout.figures[at] === true ? ' '.repeat(Math.max(0, size - stringWidth(fitted))) + fitted : column(fitted, size),
    ];
  }),
  fitMiddle(last, layout.last),
];

/** Blanks between two columns. */
export const columnGap = ' '.repeat(gap);
