import { listedCommand } from '../../app/text/job.ts';
import { memo, useState, type ReactElement } from 'react';
import type { SnapshotJob } from '../../app/contract/views/snapshot.ts';
import { AgentMark } from '../parts/display/agent-mark.tsx';
import { ForeignText } from '../parts/text/foreign-text.tsx';
import { AgeSince } from '../parts/text/times.tsx';
import { agentName } from '../../app/text/agent-name.ts';
import { JobCard } from './card/job-card.tsx';
import styles from './job-row.module.css';

interface JobRowProps {
  readonly job: SnapshotJob;
  readonly initiallyOpen?: boolean;
}

/** A job without problems, in one line; a press opens its card in place. */
export const JobRow = memo(({ job, initiallyOpen = false }: JobRowProps): ReactElement => {
  const [open, setOpen] = useState(initiallyOpen);
  if (open)
    return (
      <li className={styles.opened}>
        <JobCard job={job} reaping={null} initiallyOpen onClose={() => setOpen(false)} />
      </li>
    );
  const { ports } = job.holds;
  return (
    <li>
      <button
        type="button"
        id={`job-${job.id}`}
        className={styles.row}
        data-row
        aria-expanded={false}
        onClick={() => setOpen(true)}
      >
        <AgentMark agent={job.agent} />
        <span className="visually-hidden">{agentName(job.agent, job.rule)}: </span>
        <code className={styles.command}>
          <ForeignText text={listedCommand(job)} />
        </code>
        {ports.length === 0 ? null : <span className={styles.quiet}>:{ports[0]}</span>}
        <span className={styles.quiet}>
          <AgeSince at={job.startedAt} />
        </span>
      </button>
    </li>
  );
});
JobRow.displayName = 'JobRow';
