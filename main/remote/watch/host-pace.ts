/** Seconds between two looks at another machine: each costs a process here and some there. */
const everySeconds = 30;
/** A machine out of reach is asked again ever later, at last so many seconds apart. */
const longestSeconds = 600;
/** A look may take this share of the time at most. */
const largestShare = 0.1;
/** So much of each pause is left to chance, so that many machines are not all asked at once, nor all again when the network is back. */
const jitter = 0.2;

/**
 * Milliseconds until a machine is asked again.
 * @param failures so many looks in a row have failed
 * @param dueSeconds something was found due: the second sighting comes after so many seconds; null: nothing was
 * @param tookMs what the last one took, milliseconds
 * @param random from 0 to 1
 */
export const hostPauseMs = (
  {
    failures,
    tookMs,
    dueSeconds,
  }: { readonly failures: number; readonly tookMs: number; readonly dueSeconds: number | null },
  random: number,
): number => {
  const usualSeconds = Math.min(everySeconds * 2 ** failures, longestSeconds);
  const seconds = Math.min(usualSeconds, dueSeconds ?? usualSeconds);
  return Math.max(seconds * 1000, tookMs / largestShare) * (1 + (random - 0.5) * 2 * jitter);
};

/** Milliseconds until the first look: soon, and not at all machines at once. */
export const firstPauseMs = (random: number): number => random * 2_000;
