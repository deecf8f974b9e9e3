import type { VerdictState } from '../../judge/verdict.ts';

/** The states of a job in German: the one table. */
export const germanStates: Readonly<Record<VerdictState, string>> = {
  'past-cap': 'über der Höchstdauer',
  orphaned: 'übrig geblieben',
  probable: 'vermutlich übrig geblieben',
  overdue: 'überfällig',
  within: 'läuft',
  kept: 'behalten',
  protected: 'geschützt',
};
