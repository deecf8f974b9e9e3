import stringWidth from 'string-width';

let made: Intl.Segmenter | null = null;
/** Made on demand: its tables take 2.6 MB, which an idle `curfew watch` does not need. */
const segmenter = (): Intl.Segmenter => (made ??= new Intl.Segmenter());

/**
 * Cuts text to at most `width` terminal columns, ending in an ellipsis. Wide and combined
 * characters stay whole.
 */
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

/** Cuts or pads text to exactly `width` terminal columns. */
export const column = (text: string, width: number): string => {
  const fitted = fit(text, width);
  return fitted + ' '.repeat(Math.max(0, width - stringWidth(fitted)));
};

/** Breaks text at spaces into lines of at most `width` terminal columns; a longer word is cut. */
export const wrap = (text: string, width: number): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (stringWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = fit(word, width);
  }
  if (line !== '') lines.push(line);
  return lines;
};
