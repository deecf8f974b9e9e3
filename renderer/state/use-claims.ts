import { useCallback, useMemo } from 'react';
import { claimsOf, type Claims } from '../../app/contract/claims/claims.ts';
import { useClock } from './clock.ts';
import { useKnown, useSnapshot } from './store-context.ts';

/** Interval in ms at which a claim is checked against the clock: a check can become too old. */
const stepMs = 5000;

/** Returns what this window may claim now. */
export const useClaims = (): Claims => {
  const snapshot = useSnapshot();
  const { connection } = useKnown();
  const nowMs = useClock(useCallback((now: number) => Math.floor(now / stepMs) * stepMs, []));
  return useMemo(() => claimsOf(snapshot, connection, nowMs), [snapshot, connection, nowMs]);
};
