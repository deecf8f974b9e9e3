import type { ReactElement } from 'react';
import type { SettingsView } from '../../../app/contract/views/settings-view.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './limit-timeline.module.css';

interface Mark {
  readonly seconds: number;
  readonly label: string;
}

interface LaneProps {
  readonly title: string;
  readonly end: number;
  /** From here on it is overdue, and from here on ended, seconds. */
  readonly overdue: number;
  readonly ended: number;
  readonly marks: readonly Mark[];
}

/** Minutes and hours on one line: the square root gives minutes room beside hours. */
const placeOf = (seconds: number, end: number): number => Math.sqrt(Math.min(1, seconds / end)) * 100;

const percent = (value: number): string => `${value.toFixed(2)}%`;

const Lane = ({ title, end, overdue, ended, marks }: LaneProps): ReactElement => {
  const { format } = useLanguage();
  const soft = placeOf(overdue, end);
  const hard = placeOf(ended, end);
  return (
    <div className={styles.lane}>
      <p className={styles.title}>{title}</p>
      <div className={styles.track}>
        <span className={styles.fits} style={{ inlineSize: percent(soft) }} />
        <span
          className={styles.overdue}
          style={{ insetInlineStart: percent(soft), inlineSize: percent(hard - soft) }}
        />
        <span className={styles.ended} style={{ insetInlineStart: percent(hard), inlineSize: percent(100 - hard) }} />
        {marks.map((mark) => (
          <span
            key={mark.label}
            className={styles.mark}
            data-side={placeOf(mark.seconds, end) > 80 ? 'before' : 'after'}
            style={{ insetInlineStart: percent(placeOf(mark.seconds, end)) }}
          >
            <span className={styles.label}>
              {mark.label}
              <br />
              {format.limit(mark.seconds)}
            </span>
          </span>
        ))}
      </div>
    </div>
  );
};

/** The life of a job under these limits, as a picture that moves with them. */
export const LimitTimeline = ({ values }: { readonly values: SettingsView }): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.settings.limits;
  const cap = values.backgroundMaxElapsedSecondsHardCap;
  const max = Math.min(cap, values.backgroundMaxElapsedSeconds);
  const grace = Math.min(cap, values.orphanGraceSeconds);
  const end = cap * 1.12;
  return (
    <div
      className={styles.timeline}
      role="img"
      aria-label={`${words.pictureLive(format.limit(max), format.limit(cap))} ${words.pictureGone(format.limit(grace))}`}
    >
      <Lane
        title={words.laneLive}
        end={end}
        overdue={max}
        ended={cap}
        marks={[
          { seconds: max, label: words.markMax },
          { seconds: cap, label: words.markCap },
        ]}
      />
      <Lane
        title={words.laneGone}
        end={end}
        overdue={grace}
        ended={grace}
        marks={[{ seconds: grace, label: words.markGrace }]}
      />
      <p className={styles.legend}>
        <span className={styles.keyFits}>{words.fits}</span>
        <span className={styles.keyOverdue}>{words.overdue}</span>
        <span className={styles.keyEnded}>{words.ended}</span>
      </p>
    </div>
  );
};
