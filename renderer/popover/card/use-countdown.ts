import { useCallback } from 'react';
import { endsByItself } from '../../../app/contract/claims/claims.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { useClock } from '../../state/clock.ts';
import { useKnown, useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { countdownOf, type CountdownText } from './countdown-of.ts';

/** Returns the countdown of a job; it counts in seconds only shortly before the end. */
export const useCountdown = (job: SnapshotJob): CountdownText | null => {
  const language = useLanguage();
  const snapshot = useSnapshot();
  const { connection } = useKnown();
  const { endsAt } = job.verdict;
  const atMs = endsAt === null ? null : Date.parse(endsAt);
  const nowMs = useClock(
    useCallback(
      (now: number) => {
        const soon = atMs !== null && Math.abs(atMs - now) < 180_000;
        const step = soon ? 1000 : 15_000;
        return Math.floor(now / step) * step;
      },
      [atMs],
    ),
  );
  return countdownOf({
    job,
    settings: snapshot.settings.values,
    nowMs,
    // What can't be reached promises nothing.
    endsByItself: connection === 'connected' && endsByItself(snapshot),
    language,
  });
};
