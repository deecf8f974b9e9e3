import type { ReactElement } from 'react';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { endingSaid } from '../../../app/text/outcomes.ts';
import { stateSaid } from '../../../app/text/states.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { isProbable } from '../../../app/contract/claims/claims.ts';
import { useCountdown } from '../card/use-countdown.ts';
import type { JobLine } from './job-lines.ts';
import styles from './job-table.module.css';

const Judged = ({ job }: { readonly job: SnapshotJob }): ReactElement => {
  const { voice } = useLanguage();
  const countdown = useCountdown(job);
  return (
    <span className={styles.state} data-tone={isProbable(job) ? 'probable' : (countdown?.tone ?? 'quiet')}>
      {(isProbable(job) ? null : countdown?.text) ?? voice.said(stateSaid(job.verdict.state))}
    </span>
  );
};

/** What is to become of a job: its countdown, or its state in a word. */
export const StateCell = ({ line: { job, reaping } }: { readonly line: JobLine }): ReactElement => {
  const { texts, voice } = useLanguage();
  if (reaping !== null && reaping.phase !== 'ended')
    return <span className={styles.state}>{texts.popover.table.ending}</span>;
  if (job === null) return <span className={styles.state}>{voice.said(endingSaid('reaped'))}</span>;
  return <Judged job={job} />;
};
