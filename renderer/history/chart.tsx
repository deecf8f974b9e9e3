import type { ReactElement } from 'react';
import type { HistoryOverview } from '../../app/contract/history-questions.ts';
import { useLanguage } from '../texts/texts-context.ts';
import styles from './chart.module.css';

const height = 56;

/**
 * Ended jobs over time: bars for ended ones, on top those that survived or were spared. The table
 * behind it has the same figures.
 */
export const Chart = ({ overview }: { readonly overview: HistoryOverview }): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.history;
  const { bars, step } = overview;
  const most = Math.max(1, ...bars.map((bar) => bar.ended + bar.survived + bar.other));
  const width = 100 / Math.max(1, bars.length);
  const size = (count: number): number => (count / most) * height;
  const barWords = (bar: (typeof bars)[number]): string =>
    words.chartBar(
      step === 'hour' ? format.moment(Date.parse(bar.at)) : format.day(Date.parse(bar.at)),
      bar.ended,
      bar.survived + bar.other,
      format.bytes(bar.freedBytes),
    );
  const first = bars[0];
  const last = bars.at(-1);
  const summary = words.summary(texts.common.processes(overview.processes), format.bytes(overview.freedBytes));
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.caption}>
        <strong>{words.total(overview.incidents)}</strong>
        <span>{summary}</span>
      </figcaption>
      <svg
        className={styles.bars}
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${words.chartTitle}, ${words.chartSteps[step]}, ${words.chartMost(most)}. ${summary}`}
      >
        {bars.map((bar, index) => {
          const ended = size(bar.ended);
          const survived = size(bar.survived);
          const other = size(bar.other);
          const x = index * width + width * 0.12;
          const inner = width * 0.76;
          return (
            <g key={bar.at}>
              <title>{barWords(bar)}</title>
              <rect className={styles.hit} x={index * width} y={0} width={width} height={height} />
              <rect className={styles.ended} x={x} y={height - ended} width={inner} height={ended} />
              <rect className={styles.other} x={x} y={height - ended - other} width={inner} height={other} />
              <rect
                className={styles.survived}
                x={x}
                y={height - ended - other - survived}
                width={inner}
                height={survived}
              />
            </g>
          );
        })}
      </svg>
      {first === undefined || last === undefined ? null : (
        <div className={styles.axis} aria-hidden="true">
          <span>{format.day(Date.parse(first.at))}</span>
          <span className={styles.keys}>
            <span className={styles.keyEnded}>{words.chartEnded}</span>
            <span className={styles.keySurvived}>{words.chartSurvived}</span>
            <span className={styles.keyOther}>{words.chartOther}</span>
          </span>
          <span>{format.day(Date.parse(last.at))}</span>
        </div>
      )}
    </figure>
  );
};
