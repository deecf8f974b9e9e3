import type { ReactElement } from 'react';
import { holdingsOf, leftoverGroups, probableLeftovers } from '../../app/contract/claims/leftovers.ts';
import type { SnapshotJob } from '../../app/contract/views/snapshot.ts';
import { projectName } from '../../app/format/project-name.ts';
import { stateSaid } from '../../app/text/states.ts';
import { ForeignText } from '../parts/text/foreign-text.tsx';
import { visibleText } from '../parts/text/visible-characters.ts';
import { useCountdown } from '../popover/card/use-countdown.ts';
import { EndLeftovers } from '../popover/leftovers/end-leftovers.tsx';
import { summaryOf } from '../popover/leftovers/holdings-words.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import styles from './welcome.module.css';

/** At most this many jobs are named; the sentence counts all. */
const maxNamed = 4;

const Row = ({ job }: { readonly job: SnapshotJob }): ReactElement => {
  const { texts, voice } = useLanguage();
  const countdown = useCountdown(job);
  const { state } = job.verdict;
  const word = voice.said(stateSaid(state));
  return (
    <li data-state={state}>
      <code>
        <ForeignText text={job.command} />
      </code>
      <span>{visibleText(projectName(job.project) ?? texts.common.noProject)}</span>
      {/* An end is named only where one would come now. */}
      <strong>{state === 'orphaned' && countdown !== null ? `${word}, ${countdown.text}` : word}</strong>
    </li>
  );
};

/** What agents left on this machine: what is left over, proved and probable, and its end. */
export const RunningNow = (): ReactElement => {
  const language = useLanguage();
  const { texts, format, voice } = language;
  const words = texts.welcome.now;
  const { leftovers } = texts.popover;
  const snapshot = useSnapshot();
  const jobs = snapshot.jobs.filter(({ host }) => host === 'local');
  const local = { jobs, reapings: snapshot.reapings };
  const proved = leftoverGroups(local).flatMap((group) => group.jobs);
  const probable = probableLeftovers(local);
  const left = [...proved, ...probable];
  const shown = [...left, ...jobs.filter((job) => !left.includes(job))];
  const held = holdingsOf(left);
  const rest = shown.length - left.length;
  const sentences = [
    ...(left.length === 0
      ? []
      : [
          `${voice.desktop.tray.holds(left.length, summaryOf(held, language))}${
            probable.length === 0 ? '' : ` (${leftovers.kinds(proved.length, probable.length)})`
          }.`,
        ]),
    ...(rest === 0 ? [] : [words.others(rest)]),
  ];
  return (
    <section className={styles.now} aria-labelledby="running-now">
      <div className={styles.nowHead}>
        <h2 id="running-now">{words.title}</h2>
        {left.length === 0 || !snapshot.platform.canReap ? null : (
          <EndLeftovers
            jobs={left}
            label={leftovers.endAll}
            name={leftovers.endAllName(left.length, format.bytes(held.rssBytes))}
          />
        )}
      </div>
      <p role="status">
        {snapshot.health.lastLookAt === null
          ? texts.settings.preview.checking
          : sentences.length === 0
            ? words.none
            : sentences.join(' ')}
      </p>
      <ul className={styles.jobs}>
        {shown.slice(0, maxNamed).map((job) => (
          <Row key={job.id} job={job} />
        ))}
      </ul>
      {shown.length > maxNamed ? (
        <p className={styles.note}>{texts.common.enforceAsk.more(shown.length - maxNamed)}</p>
      ) : null}
    </section>
  );
};
