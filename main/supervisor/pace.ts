import type { Look } from './look.ts';

/** Nothing to watch over: then it is enough to look this many times less often. New commands need an agent first. */
const idleFactor = 3;
/**
 * Looking may take at most this share of one core, whatever the machine's size. The first look of a run and one at 500 jobs take
 * 0.1 to 0.3 s (measured with two cores); they must not put off the second sighting.
 */
const largestShare = 0.1;

/**
 * Milliseconds until the next look. As the settings say while there are agents or jobs, less often while there are none, and never
 * so often that a slow machine does nothing but look.
 */
export const pauseAfter = (look: Look, scanIntervalSeconds: number): number => {
  const busy = look.jobs.size > 0 || look.sessions.some((session) => session.state !== 'gone');
  const wantedMs = scanIntervalSeconds * 1000 * (busy ? 1 : idleFactor);
  return Math.max(wantedMs, look.tookMs / largestShare);
};
