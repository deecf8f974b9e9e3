import { useMemo, type ReactElement } from 'react';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { maxUsageSteps } from '../../../app/jobs/measure/usage-series.ts';
import { Sparkline } from '../../parts/chart/sparkline.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { useUsage } from '../../state/use-usage.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { extentOf, figureText, topOf, type Figure } from './usage-words.ts';
import styles from './usage.module.css';

interface FigureChartProps {
  readonly figure: Figure;
  readonly values: readonly (number | null)[];
}

const FigureChart = ({ figure, values }: FigureChartProps): ReactElement | null => {
  const language = useLanguage();
  const words = language.texts.popover.details.usage;
  const extent = extentOf(values);
  if (extent === null) return null;
  const now = figureText(figure, extent.now, language);
  const most = figureText(figure, extent.most, language);
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <span>
          {words[figure]} <strong>{now}</strong>
        </span>
        <span className={styles.most}>{words.most(most)}</span>
      </figcaption>
      <Sparkline
        values={values}
        steps={maxUsageSteps}
        max={topOf(figure, extent.most)}
        label={words.chart(words[figure], now, most)}
      />
    </figure>
  );
};

/** CPU and memory of a job over the last ten minutes. */
export const JobUsage = ({ job }: { readonly job: SnapshotJob }): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.popover.details.usage;
  const { of, failure } = useUsage(useMemo(() => [job], [job]));
  const usage = of(job);
  return (
    <section>
      <h4>{words.title}</h4>
      {usage === null ? (
        failure === null && <p className={styles.none}>{words.none}</p>
      ) : (
        <div className={styles.figures}>
          <FigureChart figure="cpu" values={usage.cpuPercent} />
          <FigureChart figure="memory" values={usage.rssBytes} />
        </div>
      )}
      <FailureNote failure={failure} />
    </section>
  );
};
