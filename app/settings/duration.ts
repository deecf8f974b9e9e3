/** Why a text is no duration. */
export type DurationProblem = 'empty' | 'form' | 'too-long';

/** A duration in whole seconds, or what is wrong with the text. */
export type DurationResult =
  | { readonly ok: true; readonly seconds: number }
  | { readonly ok: false; readonly problem: DurationProblem };

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
type Unit = keyof typeof unitSeconds;
const isUnit = (text: string): text is Unit => Object.hasOwn(unitSeconds, text);

/** The longest duration that can be said, in seconds: a thousand years, far below where whole numbers stop being exact. */
export const longestDurationSeconds = 1000 * 365 * 86_400;

/**
 * Reads `90` or `90s`, `30m`, `4h`, `2d`. Everything else is refused: fractions, signs, blanks, several units, capital letters.
 * Never throws.
 */
export const parseDuration = (text: string): DurationResult => {
  if (text === '') return { ok: false, problem: 'empty' };
  const [, digits = '', letter = ''] = /^(\d+)([a-z]?)$/u.exec(text) ?? [];
  const unit = letter === '' ? 's' : letter;
  if (digits === '' || !isUnit(unit)) return { ok: false, problem: 'form' };
  const seconds = Number(digits) * unitSeconds[unit];
  return seconds > longestDurationSeconds ? { ok: false, problem: 'too-long' } : { ok: true, seconds };
};

/**
 * The shortest text that `parseDuration` reads as this many seconds: `90s`, `30m`, `4h`, `2d`. Parts of a second are dropped; what is
 * negative or no number is `0s`.
 */
export const formatDuration = (seconds: number): string => {
  const whole = Number.isFinite(seconds) && seconds > 0 ? Math.floor(seconds) : 0;
  const fits = (['d', 'h', 'm'] as const).find((unit) => whole > 0 && whole % unitSeconds[unit] === 0) ?? 's';
  return `${whole / unitSeconds[fits]}${fits}`;
};
