const unitSeconds: Readonly<Record<string, number>> = {
  s: 1,
  sec: 1,
  min: 60,
  m: 60,
  h: 3600,
  d: 86_400,
};

/**
 * Reads a length of time as people write it: `90`, `90s`, `30 min`, `4h`, `1 h 30 min`. null when it is none. What the command line
 * takes, this takes too.
 */
export const readDuration = (text: string): number | null => {
  const words = text.trim().toLowerCase().replaceAll('\u00A0', ' ');
  if (/^\d{1,9}$/u.test(words)) return Number(words);
  if (!/^(?:\d{1,9}\s*(?:s|sec|min|m|h|d)\s*)+$/u.test(words)) return null;
  const parts = words.matchAll(/(?<count>\d{1,9})\s*(?<unit>sec|min|s|m|h|d)/gu);
  return [...parts].reduce(
    (sum, { groups }) => sum + Number(groups?.['count']) * (unitSeconds[groups?.['unit'] ?? ''] ?? 0),
    0,
  );
};

/** The same length of time in the form that is read again: whole units, nothing lost. */
export const writeDuration = (seconds: number): string => {
  const parts: string[] = [];
  let left = Math.max(0, Math.round(seconds));
  for (const [size, unit] of [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.length === 0 ? '0 s' : parts.join(' ');
};
