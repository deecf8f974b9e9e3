import { visibleText } from '../format/visible.ts';

/** The figures of a reason, a veto or a diagnosis. They may come from a record of an older Curfew, so any may be missing. */
export type Figures = Readonly<Record<string, number | string>>;

/** A figure as text for a sentence, made visible and cut to a length that fits one; empty when it is missing. */
export const textOf = (figures: Figures, name: string): string => {
  const text = visibleText(String(figures[name] ?? ''));
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
};

/** A figure as a number; null when it is missing or none. */
export const numberOf = (figures: Figures, name: string): number | null => {
  const figure = figures[name];
  return typeof figure === 'number' && Number.isFinite(figure) ? figure : null;
};

/** ` (…)` with a figure in it; nothing when the figure is missing. */
export const inBrackets = (text: string): string => (text === '' ? '' : ` (${text})`);

/** One of something or several: `1 process`, `3 processes`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
