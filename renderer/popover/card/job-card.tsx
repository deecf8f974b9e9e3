import { memo, useId, useState, type ReactElement } from 'react';
import { isProbable } from '../../../app/contract/claims/claims.ts';
import type { ReapingView } from '../../../app/contract/views/reaping-view.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { Choose } from '../leftovers/chosen-jobs.tsx';
import { Command } from '../../parts/text/command.tsx';
import { CardActions } from './card-actions.tsx';
import { CardHead } from './card-head.tsx';
import styles from './job-card.module.css';
import { JobDetails } from '../details/job-details.tsx';
import { ReapingProgress } from './reaping-progress.tsx';
import { ReasonChips } from './reason-chips.tsx';
import { TimeBar } from './time-bar.tsx';
import { StateMark } from './state-mark.tsx';
import { useCountdown } from './use-countdown.ts';

interface JobCardProps {
  readonly job: SnapshotJob;
  readonly reaping: ReapingView | null;
  readonly initiallyOpen?: boolean;
  /** A row that was opened closes as a whole. */
  readonly onClose?: () => void;
}

/** One job: its command, its age, why it is shown, and its actions. */
export const JobCard = memo(({ job, reaping, initiallyOpen = false, onClose }: JobCardProps): ReactElement => {
  const [open, setOpen] = useState(initiallyOpen);
  const titleId = useId();
  const detailsId = useId();
  const countdown = useCountdown(job);
  const going = reaping !== null && reaping.phase !== 'ended';
  return (
    <article
      id={`job-${job.id}`}
      className={styles.card}
      data-state={job.verdict.state}
      aria-labelledby={titleId}
      tabIndex={-1}
    >
      <CardHead
        id={titleId}
        name={job.name ?? null}
        agent={job.agent}
        rule={job.rule}
        project={job.project}
        host={job.host}
        owner={job.owner}
        // A row that was opened has it already, or is no leftover.
        choice={onClose === undefined ? <Choose job={job} /> : null}
      >
        {going ? null : <StateMark state={job.verdict.state} countdown={countdown} />}
      </CardHead>
      {/* It has no end to run to. */}
      {going || isProbable(job) ? null : <TimeBar job={job} />}
      <Command text={job.command} />
      {going ? <ReapingProgress reaping={reaping} /> : null}
      {going ? null : <ReasonChips job={job} />}
      {reaping !== null && !going ? (
        <div className={styles.ended}>
          <ReapingProgress reaping={reaping} />
        </div>
      ) : null}
      <CardActions
        job={job}
        reaping={reaping}
        card={{
          countdown: countdown?.short ?? null,
          open,
          detailsId,
          onToggle: () => {
            if (open && onClose !== undefined) onClose();
            else setOpen(!open);
          },
        }}
      />
      {open ? <JobDetails job={job} id={detailsId} /> : null}
    </article>
  );
});
JobCard.displayName = 'JobCard';
