import type { ReactElement, ReactNode } from 'react';
import type { HistoryOverview } from '../../app/contract/history-questions.ts';
import { useNow } from '../state/clock.ts';
import { endingSaid } from '../../app/text/outcomes.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { filledBars, roundedUp } from './chart-bars.ts';
import styles from './chart.module.css';

type Bar = HistoryOverview['bars'][number];

/** Units of a chart's height; the sheet makes pixels of them. */
const height = 100;

interface PlotProps {
  readonly title: string;
  readonly label: string;
  readonly most: string;
  readonly bars: readonly Bar[];
  readonly wordsOf: (bar: Bar) => string;
  /** Draws what stands at a place, as wide as given. */
  readonly draw: (bar: Bar, x: number, width: number) => ReactNode;
}

const Plot = ({ title, label, most, bars, wordsOf, draw }: PlotProps): ReactElement => {
  const width = 100 / Math.max(1, bars.length);
  return (
    <div className={styles.plot}>
      <p className={styles.scale}>
        <span>{title}</span>
        <span>{most}</span>
      </p>
      <svg
        className={styles.bars}
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <line className={styles.half} x1={0} x2={100} y1={height / 2} y2={height / 2} />
        {bars.map((bar, index) => (
          <g key={bar.at}>
            <title>{wordsOf(bar)}</title>
            <rect className={styles.hit} x={index * width} y={0} width={width} height={height} />
            {draw(bar, index * width + width * 0.12, width * 0.76)}
          </g>
        ))}
      </svg>
    </div>
  );
};

/** What happened over time, and memory freed: two plots of one axis, each with its scale. */
export const Chart = ({ overview }: { readonly overview: HistoryOverview }): ReactElement => {
  const { texts, voice, format } = useLanguage();
  const words = texts.history;
  const now = useNow();
  const bars = filledBars(overview, now());
  const { step } = overview;
  const countOf = (bar: Bar): number => bar.ended + bar.survived + bar.other;
  const most = roundedUp(Math.max(...bars.map(countOf)));
  const topBytes = roundedUp(Math.max(...bars.map(({ freedBytes }) => freedBytes)));
  const when = (at: string): string => (step === 'hour' ? format.clock : format.day)(Date.parse(at), now());
  const wordsOf = (bar: Bar): string =>
    words.chartBar(when(bar.at), bar.ended, bar.survived + bar.other, format.bytes(bar.freedBytes));
  const summary = words.summary(texts.common.processes(overview.processes), format.bytes(overview.freedBytes));
  const size = (count: number): number => (count / most) * height;
  const [first, last] = [bars[0], bars.at(-1)];
  const title = `${words.chartTitle}, ${words.chartSteps[step]}`;
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.caption}>
        <strong>{words.total(overview.incidents)}</strong>
        <span>{summary}</span>
        {overview.countedSince === null ? null : (
          <span>{words.countedSince(format.day(Date.parse(overview.countedSince)))}</span>
        )}
      </figcaption>
      <Plot
        title={title}
        label={`${title}, ${words.chartMost(most)}. ${summary}`}
        most={format.number(most)}
        bars={bars}
        wordsOf={wordsOf}
        draw={(bar, x, width) => {
          const [ended, other, survived] = [size(bar.ended), size(bar.other), size(bar.survived)];
          const at = { x, width };
          return (
            <>
              <rect className={styles.ended} {...at} y={height - ended} height={ended} />
              <rect className={styles.other} {...at} y={height - ended - other} height={other} />
              <rect className={styles.survived} {...at} y={height - ended - other - survived} height={survived} />
            </>
          );
        }}
      />
      <Plot
        title={words.chartFreed}
        label={`${words.chartFreed}, ${words.chartSteps[step]}, ${words.chartMostBytes(format.bytes(topBytes))}`}
        most={format.bytes(topBytes)}
        bars={bars}
        wordsOf={wordsOf}
        draw={(bar, x, width) => {
          const tall = (bar.freedBytes / topBytes) * height;
          return <rect className={styles.freed} x={x} width={width} y={height - tall} height={tall} />;
        }}
      />
      {first === undefined || last === undefined ? null : (
        <div className={styles.axis} aria-hidden="true">
          <span>{when(first.at)}</span>
          <span>{when(last.at)}</span>
        </div>
      )}
      <div className={styles.keys} aria-hidden="true">
        <span className={styles.keyEnded}>{voice.said(endingSaid('reaped'))}</span>
        <span className={styles.keySurvived}>{voice.said(endingSaid('survived'))}</span>
        <span className={styles.keyOther}>{words.chartOther}</span>
      </div>
    </figure>
  );
};
