import { useId, useRef, type ReactElement } from 'react';
import { flushSync } from 'react-dom';
import type { JobUsage } from '../../../app/contract/job-questions.ts';
import { AgentMark } from '../../parts/display/agent-mark.tsx';
import { ForeignText } from '../../parts/text/foreign-text.tsx';
import { AgeSince } from '../../parts/text/times.tsx';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { CardActions } from '../card/card-actions.tsx';
import { EndedCard } from '../card/ended-card.tsx';
import { JobCard } from '../card/job-card.tsx';
import { Choose } from '../leftovers/chosen-jobs.tsx';
import type { JobLine } from './job-lines.ts';
import styles from './job-table.module.css';
import { StateCell } from './state-cell.tsx';
import { UsageCell } from './usage-cell.tsx';

interface JobTableRowProps {
  readonly line: JobLine;
  readonly usage: JobUsage | null;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  /** Number of columns. */
  readonly columns: number;
}

/** A job in one row; a press opens its card below the row. */
export const JobTableRow = ({ line, usage, open, onOpen, columns }: JobTableRowProps): ReactElement => {
  const { texts } = useLanguage();
  const cardId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const { job, reaping } = line;
  const ports = job?.holds.ports ?? [];
  const about = [
    line.project === null ? texts.common.noProject : visibleText(line.project),
    line.agent,
    ...(line.host === 'local' ? [] : [texts.common.host(visibleText(line.host))]),
  ];
  return (
    <>
      <tr className={styles.row} data-line data-open={open}>
        <td className={styles.choice}>{job === null ? null : <Choose job={job} />}</td>
        <th scope="row">
          <button
            ref={button}
            type="button"
            className={styles.job}
            {...(open ? {} : { id: `job-${line.id}` })}
            data-row
            aria-expanded={open}
            aria-controls={open ? cardId : undefined}
            onClick={() => onOpen(!open)}
          >
            <AgentMark agent={job?.agent ?? reaping?.agent ?? ''} />
            <span className={styles.words}>
              <code className={styles.command}>
                <ForeignText text={line.command} />
              </code>
              <span className={styles.about}>{about.join(' · ')}</span>
            </span>
          </button>
        </th>
        <td>
          <StateCell line={line} />
        </td>
        <td>{job === null ? '–' : <AgeSince at={job.startedAt} />}</td>
        <td>
          <UsageCell figure="cpu" now={job?.holds.cpuPercent ?? null} usage={usage} />
        </td>
        <td>
          <UsageCell figure="memory" now={job?.holds.rssBytes ?? null} usage={usage} />
        </td>
        <td>{ports.length === 0 ? '' : ports.map((port) => `:${port}`).join(' ')}</td>
        <td>{job === null || open ? null : <CardActions job={job} reaping={reaping} />}</td>
      </tr>
      {open ? (
        <tr>
          <td id={cardId} className={styles.opened} colSpan={columns}>
            {job === null ? (
              <EndedCard
                id={line.id}
                agent={reaping?.agent ?? ''}
                project={reaping?.project ?? null}
                host={line.host}
                command={line.command}
                reaping={reaping?.phase === 'ended' ? reaping : null}
              />
            ) : (
              <JobCard
                job={job}
                reaping={reaping}
                initiallyOpen
                onClose={() => {
                  // The button that closed it goes with the card: the focus returns to the row.
                  flushSync(() => onOpen(false));
                  button.current?.focus();
                }}
              />
            )}
          </td>
        </tr>
      ) : null}
    </>
  );
};
