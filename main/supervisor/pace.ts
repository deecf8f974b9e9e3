import type { Look } from '../observing/look.ts';

/** With nothing to watch, looks this many times rarer suffice: commands need an agent first. */
const idleFactor = 3;
/** Milliseconds after a session told its end: it has exited, or what it left shows itself. */
const hurriedMs = 1000;
/** Looks come when a limit passes between two, but at least these milliseconds apart. */
const minPauseMs = 1000;
/** While a user looks at the jobs, milliseconds: a new one shows within two seconds. */
const attendedMs = 1500;
/**
 * Looking may take at most this share of one core, whatever the machine's size. The first look of a
 * run and one at 500 jobs take 0.1 to 0.3 s of processor time (measured with two cores); they must
 * not put off the second sighting.
 */
const maxShare = 0.1;

/** The longest pause between two looks on a machine that answers, milliseconds. */
export const maxPauseMs = (scanIntervalSeconds: number): number => scanIntervalSeconds * 1000 * idleFactor;

/** Milliseconds until something happens to a job by itself, null when nothing will. */
const untilNext = ({ jobs, table }: Look): number | null => {
  let next: number | null = null;
  for (const { verdict } of jobs.values()) {
    if (verdict.atMs === null || verdict.atMs <= table.takenAtMs) continue;
    const ms = verdict.atMs - table.takenAtMs;
    if (next === null || ms < next) next = ms;
  }
  return next;
};

/**
 * Milliseconds until the next look. As the settings say while there are agents or jobs, less often
 * while there are none, and never so often that a slow machine does nothing but look. Soon, when
 * the look says so or a limit is about to pass: then what is due is sighted at once, and the second
 * sighting is a whole interval away. `attended`: a user looks at the jobs; what is seen more often
 * for that is not ended sooner, because two sightings are an interval apart all the same.
 */
export const pauseAfter = (look: Look, scanIntervalSeconds: number, attended = false): number => {
  const busy = look.jobs.size > 0 || look.sessions.some((session) => session.state !== 'gone');
  const steadyMs = scanIntervalSeconds * 1000 * (busy ? 1 : idleFactor);
  const untilMs = untilNext(look);
  const nextMs = untilMs === null ? steadyMs : Math.min(steadyMs, Math.max(minPauseMs, untilMs));
  const seenMs = attended ? Math.min(nextMs, attendedMs) : nextMs;
  const wantedMs = look.hurries === true ? Math.min(seenMs, hurriedMs) : seenMs;
  return Math.max(wantedMs, (look.cpuMs ?? look.tookMs) / maxShare);
};
