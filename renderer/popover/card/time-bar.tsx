import { useCallback, type ReactElement } from 'react';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { useClock } from '../../state/clock.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { jobLimits } from '../details/job-limits.ts';
import styles from './time-bar.module.css';

interface TimeBarProps {
  readonly job: SnapshotJob;
}

/** Age at which the session of a leftover ended, seconds; 0 where that moment is unknown. */
const ageAtSessionEnd = ({ startedAt, goneSince }: SnapshotJob): number =>
  goneSince === null ? 0 : Math.max(0, (Date.parse(goneSince) - Date.parse(startedAt)) / 1000);

/** Bar from the start over the soft limit to the hard cap; its limits as a tooltip. */
export const TimeBar = ({ job }: TimeBarProps): ReactElement => {
  const { texts, format } = useLanguage();
  const { values } = useSnapshot().settings;
  const { softSeconds, capSeconds: cap } = jobLimits(job, values);
  const orphan = job.owner === 'gone' && job.run === undefined;
  // The grace of a leftover counts from the end of its session.
  const soft = Math.min(cap, orphan ? ageAtSessionEnd(job) + values.orphanGraceSeconds : softSeconds);
  const named = orphan ? values.orphanGraceSeconds : soft;
  const startMs = Date.parse(job.startedAt);
  const age = useClock(useCallback((nowMs: number) => Math.max(0, Math.floor((nowMs - startMs) / 1000)), [startMs]));
  const share = Math.min(1, age / cap);
  const level = age >= cap ? styles.red : age >= soft || job.owner === 'gone' ? styles.amber : styles.calm;
  const { barLabel, barGrace, barSoft, graceAndCap, maxAndCap, hardCap } = texts.popover;
  const limits =
    age >= cap
      ? hardCap(format.duration(cap))
      : (orphan ? graceAndCap : maxAndCap)(format.duration(named), format.duration(cap));
  return (
    <div
      className={`${styles.track} ${level}`}
      title={`${format.duration(age)} · ${limits}`}
      role="meter"
      aria-label={texts.popover.details.age}
      aria-valuemin={0}
      aria-valuemax={cap}
      aria-valuenow={Math.min(age, cap)}
      aria-valuetext={barLabel(
        format.duration(age),
        (orphan ? barGrace : barSoft)(format.duration(named)),
        format.duration(cap),
      )}
    >
      <div className={styles.fill} style={{ inlineSize: `${(share * 100).toFixed(2)}%` }} />
      <div className={styles.tick} style={{ insetInlineStart: `${((soft / cap) * 100).toFixed(2)}%` }} />
    </div>
  );
};
