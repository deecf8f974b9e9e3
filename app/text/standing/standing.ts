import type { Holdings } from '../../contract/claims/leftovers.ts';
import type { VerdictState } from '../../judge/verdict.ts';
import { formatAge, formatLimit } from '../../format/age.ts';
import { formatBytes } from '../../format/bytes.ts';
import { counted } from '../figures.ts';

/** How urgent a job is, for a colour. */
export type Tone = 'red' | 'amber' | 'green' | 'quiet';

const words: Readonly<Record<VerdictState, { readonly word: string; readonly tone: Tone }>> = {
  'past-cap': { word: 'past cap', tone: 'red' },
  orphaned: { word: 'left over', tone: 'amber' },
  probable: { word: 'probably left over', tone: 'amber' },
  overdue: { word: 'overdue', tone: 'amber' },
  within: { word: 'running', tone: 'green' },
  kept: { word: 'kept', tone: 'quiet' },
  protected: { word: 'protected', tone: 'quiet' },
};

/** Returns the state of a job in one or two words, with its tone. */
export const standingWord = (state: VerdictState): { readonly word: string; readonly tone: Tone } => words[state];

/** Formats the time to an end: seconds below two minutes, else whole minutes, rounded up. */
export const formatCountdown = (seconds: number): string =>
  seconds < 120 ? formatLimit(Math.max(0, Math.ceil(seconds))) : formatAge(Math.ceil(seconds / 60) * 60);

/** An end farther away than this is not urgent, milliseconds. */
const urgentMs = 3_600_000;

/** True if its end is the most urgent fact of a job: that of a leftover always, else a near one. */
export const isUrgent = (state: VerdictState, endsAtMs: number, nowMs: number): boolean =>
  state === 'orphaned' || endsAtMs - nowMs <= urgentMs;

/** Says when an end comes: `ends in 9 min`, `ends now`. */
export const sayEnd = (atMs: number, nowMs: number): string =>
  atMs - nowMs < 1000 ? 'ends now' : `ends in ${formatCountdown((atMs - nowMs) / 1000)}`;

/** Says what several jobs are and hold: `5 leftovers, 2.1 GB, ports 3000 and 5173`. */
export const sayTogether = (
  { jobs, rssBytes, ports }: Omit<Holdings, 'processes'>,
  one: string,
  several = `${one}s`,
): string => {
  const shown =
    ports.length > 4 ? `${ports.length} ports` : `${ports.length === 1 ? 'port' : 'ports'} ${ports.join(', ')}`;
  return [counted(jobs, one, several), formatBytes(rssBytes), ...(ports.length === 0 ? [] : [shown])].join(', ');
};
