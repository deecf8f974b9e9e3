import type { VerdictState } from '../../judge/verdict.ts';

export const germanStates: Readonly<Record<VerdictState, string>> = {
  'past-cap': 'über der Höchstdauer',
  orphaned: 'übrig geblieben',
  probable: 'vermutlich übrig geblieben',
  overdue: 'überfällig',
  within: 'läuft',
  kept: 'behalten',
  protected: 'geschützt',
};
