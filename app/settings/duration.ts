export type DurationProblem = 'empty' | 'form' | 'too-long';

/** A duration in seconds, or what is wrong with the text. */
export type DurationResult =
  | { readonly ok: true; readonly seconds: number }
  | { readonly ok: false; readonly problem: DurationProblem };

/** Each unit with its seconds and its words, of which the first is written. */
const units = [
  { seconds: 86_400, words: ['d'] },
  { seconds: 3600, words: ['h'] },
  { seconds: 60, words: ['min', 'm'] },
  { seconds: 1, words: ['s', 'sec'] },
] as const;

const secondsOfWord: ReadonlyMap<string, number> = new Map(
  units.flatMap(({ seconds, words }) => words.map((word) => [word, seconds] as const)),
);

const letters = 's|m|h|d';

/** The largest duration, in seconds: a thousand years, where whole numbers are exact. */
export const maxDurationSeconds = 1000 * 365 * 86_400;

const bounded = (seconds: number): DurationResult =>
  seconds > maxDurationSeconds ? { ok: false, problem: 'too-long' } : { ok: true, seconds };

/**
 * Reads a duration of the command line: `90` or `90s`, `30m`, `4h`, `2d`. Refuses everything else:
 * fractions, signs, blanks, several units, capital letters. Never throws.
 */
export const parseDuration = (text: string): DurationResult => {
  if (text === '') return { ok: false, problem: 'empty' };
  const match = new RegExp(`^(\\d+)(${letters})?$`, 'u').exec(text);
  if (match === null) return { ok: false, problem: 'form' };
  const [, digits, letter = 's'] = match;
  return bounded(Number(digits) * (secondsOfWord.get(letter) ?? 1));
};

const partPattern = /(?<whole>\d+)(?<fraction>\.\d+)?\s*(?<word>min|sec|[smhd])\s*/uy;

/**
 * Reads a duration as users write it in a window: all that `parseDuration` reads, and several units
 * with blanks between, capital letters and parts of a second: `1 min 30 s`, `1H 30M`, `0.5 s`.
 * Reads back what `durationText` writes, exactly. Never throws.
 */
export const parseWrittenDuration = (text: string): DurationResult => {
  const words = text.replaceAll('\u00A0', ' ').trim().toLowerCase();
  if (words === '') return { ok: false, problem: 'empty' };
  const written = /^\d+(?:\.\d+)?$/u.test(words) ? `${words}s` : words;
  let wholeSeconds = 0;
  let fraction = '';
  for (let at = 0; at < written.length; at = partPattern.lastIndex) {
    partPattern.lastIndex = at;
    const part = partPattern.exec(written)?.groups;
    const unit = secondsOfWord.get(part?.['word'] ?? '');
    if (part === undefined || unit === undefined) return { ok: false, problem: 'form' };
    // A part of an hour is refused, and so are two parts of a second.
    if (part['fraction'] !== undefined && (unit !== 1 || fraction !== '')) return { ok: false, problem: 'form' };
    fraction = part['fraction'] ?? fraction;
    wholeSeconds += Number(part['whole']) * unit;
  }
  if (wholeSeconds > maxDurationSeconds) return { ok: false, problem: 'too-long' };
  // Joined as text, because a sum of fractions would not be exact: 60 + 30.1 and the like.
  return bounded(Number(`${wholeSeconds}${fraction}`));
};

/**
 * Writes a duration in every unit that it has, nothing rounded: `1 min 30 s`, `2 h`, `0.5 s`. What
 * is negative, no number, or less than a microsecond is `0 s`.
 */
export const durationText = (seconds: number): string => {
  // `String` gives the shortest digits that mean this very number, and below 1e-6 an exponent.
  const known = Number.isFinite(seconds) && seconds >= 1e-6 ? Math.min(seconds, maxDurationSeconds) : 0;
  let left = Math.floor(known);
  const fraction = Number.isInteger(known) ? '' : String(known).replace(/^\d+/u, '');
  const parts: string[] = [];
  for (const { seconds: size, words } of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    const shown = size === 1 ? `${count}${fraction}` : String(count);
    if (shown !== '0') parts.push(`${shown} ${words[0]}`);
  }
  return parts.length === 0 ? '0 s' : parts.join(' ');
};
