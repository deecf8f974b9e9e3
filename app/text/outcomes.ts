import type { Freed, Outcome } from '../history/incident.ts';
import type { VerdictAction, VerdictState } from '../judge/verdict.ts';
import { formatBytes } from './bytes.ts';
import { counted } from './figures.ts';

const outcomeWords: Readonly<Record<Outcome, string>> = {
  reaped: 'it ended when asked to',
  killed: 'it did not end when asked to and was killed',
  survived: 'not all of it could be ended',
  spared: 'it was spared: something changed before the signal',
  vanished: 'it had ended by itself before any signal',
  interrupted: 'Curfew itself ended in the middle, so nobody saw how it went',
};

/** How a reaping ended, as a sentence without a full stop. */
export const sayOutcome = (outcome: Outcome): string => outcomeWords[outcome];

const stateWords: Readonly<Record<VerdictState, string>> = {
  within: 'within its time',
  overdue: 'overdue',
  orphaned: 'left behind',
  'past-cap': 'past the hard cap',
  kept: 'kept',
  protected: 'protected',
};

/** A verdict's state in one or few words. */
export const sayState = (state: VerdictState): string => stateWords[state];

const actionWords: Readonly<Record<VerdictAction, string>> = {
  none: 'nothing to do',
  notify: 'for you to look at',
  reap: 'will be ended',
};

/** What follows from a verdict by itself, in few words. */
export const sayAction = (action: VerdictAction): string => actionWords[action];

/** What ending a job gave back: `3 processes, 1.1 GB and port 3000`. `nothing` when nothing was confirmed dead. */
export const sayFreed = ({ processes, rssBytes, ports, locks }: Freed): string => {
  const parts = [
    ...(processes === 0 ? [] : [counted(processes, 'process', 'processes')]),
    ...(rssBytes === 0 ? [] : [formatBytes(rssBytes)]),
    ...(ports.length === 0 ? [] : [`${ports.length === 1 ? 'port' : 'ports'} ${ports.join(', ')}`]),
    ...(locks.length === 0 ? [] : [counted(locks.length, 'lock')]),
  ];
  const last = parts.pop();
  if (last === undefined) return 'nothing';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
};
