import { useCallback, type ReactElement } from 'react';
import { useClock } from '../../state/clock.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './times.module.css';

interface MomentProps {
  /** ISO 8601. */
  readonly at: string;
}

/** How long ago something was, updated live; the exact moment as a tooltip. */
export const Ago = ({ at }: MomentProps): ReactElement => {
  const { format } = useLanguage();
  const atMs = Date.parse(at);
  const words = useClock(useCallback((nowMs: number) => format.ago((nowMs - atMs) / 1000), [format, atMs]));
  return (
    <time dateTime={at} title={format.moment(atMs)}>
      {words}
    </time>
  );
};

/**
 * How long ago something was that happens again and again within a minute. It takes the same room
 * at each age: a line that breaks at some of them moves what is below it, under the pointer.
 */
export const SteadyAgo = ({ at }: MomentProps): ReactElement => {
  const { format } = useLanguage();
  const atMs = Date.parse(at);
  const words = useClock(
    useCallback((nowMs: number) => format.ago(Math.max(1, (nowMs - atMs) / 1000)), [format, atMs]),
  );
  return (
    <time className={styles.steady} data-longest={format.ago(59)} dateTime={at} title={format.moment(atMs)}>
      {words}
    </time>
  );
};

/** How long something has been running, updated live; the exact start as a tooltip. */
export const AgeSince = ({ at }: MomentProps): ReactElement => {
  const { format } = useLanguage();
  const atMs = Date.parse(at);
  const words = useClock(useCallback((nowMs: number) => format.duration((nowMs - atMs) / 1000), [format, atMs]));
  return (
    <time dateTime={at} title={format.moment(atMs)}>
      {words}
    </time>
  );
};

/** The time of day of a moment. */
export const AtTime = ({ at }: MomentProps): ReactElement => {
  const { format } = useLanguage();
  const atMs = Date.parse(at);
  const words = useClock(useCallback((nowMs: number) => format.clock(atMs, nowMs), [format, atMs]));
  return (
    <time dateTime={at} title={format.moment(atMs)}>
      {words}
    </time>
  );
};

/** Returns the seconds until a moment, rounded up; never negative. */
export const useSecondsUntil = (at: string | null): number => {
  const atMs = at === null ? 0 : Date.parse(at);
  return useClock(useCallback((nowMs: number) => Math.max(0, Math.ceil((atMs - nowMs) / 1000)), [atMs]));
};
