import type { Holdings } from '../contract/claims/leftovers.ts';
import type { VerdictState } from '../judge/verdict.ts';
import { countedDown } from '../contract/claims/fate.ts';
import { formatAge, formatLimit } from '../format/age.ts';
import { type Form, listed, portsSaid, say, several, sized } from './form.ts';
import type { Said } from '../format/said.ts';

/** How urgent a job is, for a colour. */
export type Tone = 'red' | 'amber' | 'green' | 'quiet';

/** The states of a job in English: the one table for windows, command line and agents. */
export const englishStates = {
  'past-cap': 'past the hard cap',
  orphaned: 'left over',
  probable: 'probably left over',
  overdue: 'overdue',
  within: 'running',
  kept: 'kept',
  protected: 'protected',
} as const satisfies Readonly<Record<VerdictState, Form>>;

/** Returns the state of a job in a word or two; a code of a newer engine stands for itself. */
export const stateSaid = (state: string): Said => (isState(state) ? { key: englishStates[state], figures: {} } : state);

const isState = (code: string): code is VerdictState => Object.hasOwn(englishStates, code);

export const tones: Readonly<Record<VerdictState, Tone>> = {
  'past-cap': 'red',
  orphaned: 'amber',
  probable: 'amber',
  overdue: 'amber',
  within: 'green',
  kept: 'quiet',
  protected: 'quiet',
};

/** Formats the time to an end: seconds below two minutes, else whole minutes, rounded up. */
export const formatCountdown = (seconds: number): string =>
  (seconds < 120 ? formatLimit : formatAge)(countedDown(seconds));

/** Says in seconds when an end comes: `ends in 9 min`, `ends now`. */
export const sayEnd = (seconds: number): Said =>
  seconds < 1 ? say('ends now') : say('ends in {age}', { age: formatCountdown(seconds) });

/** Says what several jobs are and hold: `5 leftovers, 2.1 GB, ports 3000 and 5173`. */
export const sayTogether = ({ jobs, rssBytes, ports }: Omit<Holdings, 'processes'>, noun: 'job' | 'leftover'): Said => {
  const shown = ports.length > 4 ? say('{count} ports', { count: ports.length }) : portsSaid(ports);
  return listed([several(jobs, noun), sized(rssBytes), ...(ports.length === 0 ? [] : [shown])], ', ');
};
