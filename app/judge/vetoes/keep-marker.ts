import type { VetoRule } from './context.ts';
import { veto } from './veto.ts';

/** The name of the variable with which anything can be marked as meant to stay. */
export const keepMarkerName = 'CURFEW_KEEP';

/** `CURFEW_KEEP=1` in its environment. No other value counts: `CURFEW_KEEP=0` says the opposite. */
export const keepMarker: VetoRule = (row, facts) =>
  facts?.environment?.[keepMarkerName] === '1' ? veto('keep-marker', row) : null;
