import type { Language } from '../../texts/texts-context.ts';

/** The newest and the highest value of a series; null where none is known. */
export interface Extent {
  readonly now: number;
  readonly most: number;
}

/** Returns the newest and the highest value; null: nothing was measured. */
export const extentOf = (values: readonly (number | null)[]): Extent | null => {
  const known = values.filter((value) => value !== null);
  const now = known.at(-1);
  return now === undefined ? null : { now, most: Math.max(...known) };
};

export type Figure = 'cpu' | 'memory';

/** Returns a figure in its unit. */
export const figureText = (figure: Figure, value: number, { format }: Language): string =>
  figure === 'cpu' ? format.percent(value) : format.bytes(value);

/** CPU below one core is drawn on the scale of one core: noise of an idle job must not fill it. */
const oneCore = 100;

/** Returns the value at the top of a chart. */
export const topOf = (figure: Figure, most: number): number => (figure === 'cpu' ? Math.max(oneCore, most) : most);
