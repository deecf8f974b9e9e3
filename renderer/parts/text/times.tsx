import { useCallback, type ReactElement } from 'react';
import { useClock } from '../../state/clock.ts';
import type { Format } from '../../texts/format.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './times.module.css';

interface MomentProps {
  /** ISO 8601. */
  readonly at: string;
}

type Words = (format: Format, atMs: number, nowMs: number) => string;

interface LiveProps extends MomentProps {
  readonly say: Words;
}

/** A moment in words that follow the clock; the exact moment as a tooltip. */
const Live = ({ at, say }: LiveProps): ReactElement => {
  const { format } = useLanguage();
  const atMs = Date.parse(at);
  const words = useClock(useCallback((nowMs: number) => say(format, atMs, nowMs), [say, format, atMs]));
  return (
    <time dateTime={at} title={format.moment(atMs)}>
      {words}
    </time>
  );
};

const ago: Words = (format, atMs, nowMs) => format.ago((nowMs - atMs) / 1000);
const duration: Words = (format, atMs, nowMs) => format.duration((nowMs - atMs) / 1000);
const clock: Words = (format, atMs, nowMs) => format.clock(atMs, nowMs);

/** How long ago something was. */
export const Ago = ({ at }: MomentProps): ReactElement => <Live at={at} say={ago} />;

/** How long something has been running. */
export const AgeSince = ({ at }: MomentProps): ReactElement => <Live at={at} say={duration} />;

/** The time of day of a moment. */
export const AtTime = ({ at }: MomentProps): ReactElement => <Live at={at} say={clock} />;

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

/** Returns the seconds until a moment, rounded up; never negative. */
export const useSecondsUntil = (at: string | null): number => {
  const atMs = at === null ? 0 : Date.parse(at);
  return useClock(useCallback((nowMs: number) => Math.max(0, Math.ceil((atMs - nowMs) / 1000)), [atMs]));
};
