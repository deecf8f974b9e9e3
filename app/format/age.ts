/**
 * Formats a duration with at most two units: `38 s`, `12 min`, `16 h 33 min`, `3 d 4 h`. Rounds
 * down; never negative. NaN and infinities are `an unknown time`.
 */
export const formatAge = (seconds: number): string => {
  if (!Number.isFinite(seconds)) return 'an unknown time';
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return withRest(`${hours} h`, minutes % 60, 'min');
  return withRest(`${Math.floor(hours / 24)} d`, hours % 24, 'h');
};

const withRest = (main: string, rest: number, unit: string): string => (rest === 0 ? main : `${main} ${rest} ${unit}`);

/** Formats a limit like `formatAge`, but exactly, in whole seconds: `1 min 30 s`, not `1 min`. */
export const formatLimit = (seconds: number): string => {
  if (!Number.isFinite(seconds)) return 'an unknown time';
  if (seconds > 0 && seconds < 60 && !Number.isInteger(seconds)) return `${Number(seconds.toFixed(2))} s`;
  const whole = Math.max(0, Math.round(seconds));
  const parts = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return said.length === 0 ? '0 s' : said.join(' ');
};

/** Formats one moment against another, epoch milliseconds: `just now`, `5 min ago`, `in 40 s`. */
export const formatMoment = (atMs: number, nowMs: number): string => {
  const seconds = (nowMs - atMs) / 1000;
  if (!Number.isFinite(seconds)) return 'at an unknown time';
  if (seconds >= 1) return `${formatAge(seconds)} ago`;
  return seconds <= -1 ? `in ${formatAge(-seconds)}` : 'just now';
};
