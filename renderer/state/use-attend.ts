import { useEffect } from 'react';
import { useBridge } from './bridge-context.ts';

/** Interval in ms; the engine takes a window for closed after twice that. */
const againMs = 5000;

/**
 * Tells the engine that the user looks at the jobs, while the window is visible: then it checks
 * often enough that a new job shows within two seconds.
 */
export const useAttend = (): void => {
  const bridge = useBridge();
  useEffect(() => {
    const attend = (): void => {
      if (document.visibilityState === 'visible') void bridge.ask('watch.attend', {});
    };
    attend();
    const timer = setInterval(attend, againMs);
    document.addEventListener('visibilitychange', attend);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', attend);
    };
  }, [bridge]);
};
