import { durationText } from '../../app/settings/duration.ts';
import { madeOnce } from './forms/made-once.ts';

/** Numbers, durations, moments in one locale; made once, as Intl objects are expensive. */
export interface Format {
  /** "16 h 33 min": at most two units, without a smaller one of zero. Never negative. */
  readonly duration: (seconds: number) => string;
  /** "1 min 30 s": exact, in every unit it has: users set limits to the second. */
  readonly limit: (seconds: number) => string;
  /** "16 h": the largest unit alone, rounded down. */
  readonly roughly: (seconds: number) => string;
  /** "12 min ago". */
  readonly ago: (seconds: number) => string;
  /** "1.1 GB", in powers of ten as current file managers count. */
  readonly bytes: (bytes: number) => string;
  readonly number: (value: number) => string;
  readonly percent: (hundredths: number) => string;
  /** Date and time to the second, the exact form of a relative time. */
  readonly moment: (atMs: number) => string;
  /** Time of day to the minute; with the date if it is another day than `nowMs`. */
  readonly clock: (atMs: number, nowMs: number) => string;
  /** Time of day to the minute. */
  readonly time: (atMs: number) => string;
  readonly day: (atMs: number) => string;
  readonly list: (items: readonly string[]) => string;
}

/** Narrow units of time in one language. */
export interface TimeUnits {
  /** A day has no short form in every language. */
  readonly d: { readonly one: string; readonly other: string };
  readonly h: string;
  readonly min: string;
  readonly s: string;
  readonly ms: string;
}

/** A number and its unit must stay on one line. */
const joiner = '\u00A0';

/** See `Format`. */
export const formatFor = (locale: string, units: TimeUnits, agoOf: (length: string) => string, now: string): Format => {
  const plain = madeOnce(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));
  const fine = madeOnce(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
  const exact = madeOnce(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }));
  const time = madeOnce(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
  const dayTime = madeOnce(
    () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }),
  );
  const date = madeOnce(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
  const conjunction = madeOnce(() => new Intl.ListFormat(locale, { type: 'conjunction' }));

  const steps = [
    [86_400, units.d],
    [3600, { one: units.h, other: units.h }],
    [60, { one: units.min, other: units.min }],
    [1, { one: units.s, other: units.s }],
  ] as const;

  const parts = (seconds: number, most: number): string => {
    let left = Math.max(0, Math.floor(seconds));
    const first = steps.findIndex(([size]) => left >= size);
    if (first === -1) return `0${joiner}${units.s}`;
    const words: string[] = [];
    for (const [size, unit] of steps.slice(first, first + most)) {
      const count = Math.floor(left / size);
      left -= count * size;
      if (count > 0) words.push(`${plain().format(count)}${joiner}${count === 1 ? unit.one : unit.other}`);
    }
    return words.join(joiner);
  };

  const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

  return {
    duration: (seconds) => parts(seconds, seconds < 3600 ? 1 : 2),
    // The units of a limit are those of the fields in which it is written.
    limit: (seconds) => durationText(seconds).replaceAll(' ', joiner),
    roughly: (seconds) => parts(seconds, 1),
    ago: (seconds) => (seconds < 1 ? now : agoOf(parts(seconds, 1))),
    bytes: (bytes) => {
      const power = bytes < 1000 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log10(bytes) / 3));
      const value = bytes / 1000 ** power;
      return `${(value < 10 && power > 0 ? fine : plain)().format(value)}${joiner}${byteUnits[power] ?? 'B'}`;
    },
    number: (value) => plain().format(value),
    percent: (hundredths) => `${(hundredths < 10 ? fine : plain)().format(hundredths)}${joiner}%`,
    moment: (atMs) => exact().format(atMs),
    clock: (atMs, nowMs) => (date().format(atMs) === date().format(nowMs) ? time : dayTime)().format(atMs),
    time: (atMs) => time().format(atMs),
    day: (atMs) => date().format(atMs),
    list: (items) => conjunction().format(items),
  };
};
