import type { Said } from '../format/said.ts';
import { visibleText } from '../format/visible.ts';
import { say } from './form.ts';

/** Figures of a reason, a veto or a diagnosis. A record of an older Curfew may lack any of them. */
export type Figures = Readonly<Record<string, number | string>>;

const maxText = 160;

/** Returns a text of at most 160 characters, counted with what stands before it. */
export const cutBehind = (before: string, text: string): string => {
  const max = Math.max(1, maxText - before.length);
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
};

/** Returns a figure as visible text of at most 160 characters; empty if it is missing. */
export const textOf = (figures: Figures, name: string): string =>
  cutBehind('', visibleText(String(figures[name] ?? '')));

/** Returns a figure as a number; null if it is missing or not a number. */
export const numberOf = (figures: Figures, name: string): number | null => {
  const figure = figures[name];
  return typeof figure === 'number' && Number.isFinite(figure) ? figure : null;
};

/** Returns what goes with the text of a figure, or the last: records hold texts of any version. */
export const byText =
  <One>(name: string, known: Readonly<Record<string, One>>, other: One) =>
  (figures: Figures): One =>
    Object.hasOwn(known, textOf(figures, name)) ? (known[textOf(figures, name)] ?? other) : other;

/** Returns ` (…)` around a text; empty for an empty text. */
export const inBrackets = (text: string): string => (text === '' ? '' : ` (${text})`);

/** The same of a figure. */
export const bracket =
  (name: string) =>
  (figures: Figures): string =>
    inBrackets(textOf(figures, name));

/** Returns ` (process 39)`; empty without one. */
export const processIn = (figures: Figures): Said => {
  const pid = numberOf(figures, 'pid');
  return pid === null ? '' : say(' (process {pid})', { pid });
};

/** Returns a count with its noun: `1 process`, `3 processes`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
