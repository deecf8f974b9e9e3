import { formatBytes } from '../../format/bytes.ts';
import { formatAge, formatLimit } from '../../format/age.ts';
import { numberOf, type Figures } from '../figures.ts';

/** Returns bytes with a decimal comma: `1,1 GB`. */
export const bytesIn = (bytes: number): string => formatBytes(bytes).replace('.', ',');

/** Returns ` seit 12 min`; empty if the time is unknown. */
export const since = (figures: Figures): string => {
  const seconds = numberOf(figures, 'seconds');
  return seconds === null ? '' : ` seit ${formatAge(seconds)}`;
};

/** Returns ` (Prozess 39)`; empty without one. */
export const process = (figures: Figures): string => {
  const pid = numberOf(figures, 'pid');
  return pid === null ? '' : ` (Prozess ${pid})`;
};

/** Returns a count with its German noun: `1 Prozess`, `3 Prozesse`. */
export const counted = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`;

/** Returns a length of time; `unbekannte Zeit` where it is missing. */
export const ageIn = (seconds: number): string => (Number.isFinite(seconds) ? formatAge(seconds) : 'unbekannte Zeit');

/** Returns a limit, exact; see `ageIn`. */
export const limitIn = (seconds: number): string =>
  Number.isFinite(seconds) ? formatLimit(seconds) : 'unbekannte Zeit';
