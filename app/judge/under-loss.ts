import { reason } from './reasons.ts';
import type { Verdict } from './verdict.ts';

/**
 * Returns the verdict on what began before Curfew's memory was lost in this boot: what spared it
 * may be forgotten, so it is told and never ended automatically.
 */
export const underLoss = (wanted: Verdict, isForgotten: boolean): Verdict => {
  if (!isForgotten || (wanted.action !== 'reap' && wanted.announces !== true)) return wanted;
  const { announces: _none, ...said } = wanted;
  return { ...said, action: 'notify', atMs: null, reasons: [...wanted.reasons, reason('memory-lost', {})] };
};
