import type { ReactElement } from 'react';
import { projectName } from '../../app/format/project-name.ts';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { ForeignText } from '../parts/text/foreign-text.tsx';
import { visibleText } from '../parts/text/visible-characters.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useAnswer } from '../state/use-answer.ts';
import { useLanguage } from '../texts/texts-context.ts';
import styles from './welcome.module.css';

/** At most this many jobs are named; the sentence counts all. */
const maxNamed = 4;

/** What agents left running on this machine, and what these limits would end of it. */
export const RunningNow = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.welcome.now;
  // The preview is of this machine.
  const jobs = useSnapshot().jobs.filter(({ host }) => host === 'local');
  // Asked anew when jobs come and go, and when one becomes overdue or left over.
  const stamp = jobs.map(({ id, verdict }) => `${id} ${verdict.state}`).join(' ');
  const { value, failure } = useAnswer('settings.preview', { changes: { mode: 'enforce' } }, stamp);
  const ended = new Set(value?.ended.map(({ job }) => job));
  const shown = jobs.toSorted((left, right) => Number(ended.has(right.id)) - Number(ended.has(left.id)));
  return (
    <section className={styles.now} aria-labelledby="running-now">
      <h2 id="running-now">{words.title}</h2>
      <FailureNote failure={failure} />
      {value === null ? (
        failure === null && <p role="status">{words.checking}</p>
      ) : (
        <>
          <p role="status">
            {value.jobs === 0 ? words.none : `${words.running(value.jobs)} ${words.ended(value.ended.length)}`}
          </p>
          <ul className={styles.jobs}>
            {shown.slice(0, maxNamed).map((job) => (
              <li key={job.id} data-ended={ended.has(job.id)}>
                <code>
                  <ForeignText text={job.command} />
                </code>
                <span>{visibleText(projectName(job.project) ?? texts.common.noProject)}</span>
                <strong>{ended.has(job.id) ? words.wouldEnd : words.stays}</strong>
              </li>
            ))}
          </ul>
          {shown.length > maxNamed ? <p className={styles.note}>{words.more(shown.length - maxNamed)}</p> : null}
        </>
      )}
    </section>
  );
};
