import type { Figure } from './bench.ts';
import { keepsBar } from './bench.ts';

const number = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** Returns a ratio as people write it: 0.038 is 1/26, 2.1 is 2.10. */
const ratioText = (ratio: number): string => (ratio < 1 ? `1/${number(1 / ratio)}` : number(ratio));

const measure = (value: number, unit: Figure['unit']): string =>
  unit === 'exponent' ? number(value) : `${number(value)} ${unit}`;

const barText = (figure: Figure): string => {
  const { bar, most = null, unit } = figure;
  const bars = [
    ...(bar === null ? [] : [`<= ${ratioText(bar)}`]),
    ...(most === null ? [] : [`<= ${measure(most, unit)}`]),
  ];
  return bars.length === 0 ? '' : `${bars.join(', ')} ${keepsBar(figure) ? 'kept' : 'MISSED'}`;
};

/** Returns the figures as a table for people, in columns of spaces. */
export const tableOf = (figures: readonly Figure[]): string => {
  const rows = [
    ['what', 'compared with', 'at', 'ours', 'theirs', 'ratio', 'bar'],
    ...figures.map((one) => [
      one.what,
      one.comparedWith,
      String(one.at),
      measure(one.ours, one.unit),
      measure(one.theirs, one.unit),
      ratioText(one.ratio),
      barText(one),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};
