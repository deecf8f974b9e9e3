import type { ReactElement } from 'react';
import type { JobUsage } from '../../../app/contract/job-questions.ts';
import { maxUsageSteps } from '../../../app/jobs/measure/usage-series.ts';
import { Sparkline } from '../../parts/chart/sparkline.tsx';
import { useLanguage } from '../../texts/texts-context.ts';
import { extentOf, figureText, topOf, type Figure } from '../usage/usage-words.ts';
import styles from './job-table.module.css';

interface UsageCellProps {
  readonly figure: Figure;
  /** The figure of now; null: the job has ended. */
  readonly now: number | null;
  readonly usage: JobUsage | null;
}

/** A figure of now, with its last ten minutes. */
export const UsageCell = ({ figure, now, usage }: UsageCellProps): ReactElement => {
  const language = useLanguage();
  const words = language.texts.popover.details.usage;
  const values = (figure === 'cpu' ? usage?.cpuPercent : usage?.rssBytes) ?? [];
  const extent = extentOf(values);
  return (
    <span className={styles.usage}>
      <span className={styles.spark}>
        {extent === null ? null : (
          <Sparkline
            values={values}
            steps={maxUsageSteps}
            max={topOf(figure, extent.most)}
            label={words.chart(
              words[figure],
              figureText(figure, extent.now, language),
              figureText(figure, extent.most, language),
            )}
          />
        )}
      </span>
      <span className={styles.figure}>{now === null ? '–' : figureText(figure, now, language)}</span>
    </span>
  );
};
