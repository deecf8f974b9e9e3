/** Seconds between two looks at another machine: each costs a process here and some there. */
const everySeconds = 30;
/** A machine out of reach is asked ever more rarely, down to once in this time. */
const maxPauseSeconds = 600;
/** Share of the time that looks may take. */
const maxShare = 0.1;
/**
 * Share of each pause that is left to chance, so that many machines are not all asked at once, nor
 * all again when the network is back.
 */
const jitter = 0.2;

/**
 * Returns the milliseconds until a machine is asked again.
 * @param failures number of looks in a row that failed
 * @param dueSeconds seconds until the second sighting of what was found due; null: nothing was
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
  const usualSeconds = Math.min(everySeconds * 2 ** failures, maxPauseSeconds);
  const seconds = Math.min(usualSeconds, dueSeconds ?? usualSeconds);
  return Math.max(seconds * 1000, tookMs / maxShare) * (1 + (random - 0.5) * 2 * jitter);
};

/** Returns the milliseconds until the first look: soon, and not at all machines at once. */
export const firstPauseMs = (random: number): number => random * 2_000;
