import type { ReactElement } from 'react';
import type { SessionList } from '../../app/contract/views/session-costs.ts';
import { Centred } from '../parts/display/centred.tsx';
import { Heading } from '../parts/display/heading.tsx';
import { Icon } from '../parts/display/icon.tsx';
import { View } from '../parts/display/view.tsx';
import { BulkEnds } from '../popover/leftovers/bulk-end.tsx';
import { EndQuestion } from '../popover/agents/end-question.tsx';
import { visibleText } from '../parts/text/visible-characters.ts';
import { useAction } from '../state/use-action.ts';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { useSorting } from '../parts/table/use-sorting.ts';
import { Command } from '../parts/text/command.tsx';
import { useRepeated } from '../state/use-repeated.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { firstDirection, SessionTable } from './session-table.tsx';
import styles from './sessions.module.css';

const Totals = ({
  costs: { totals },
  shown,
}: {
  readonly costs: SessionList;
  readonly shown: number;
}): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.sessions;
  const { memory, processes, jobs, servers } = totals;
  const swap = memory.swapBytes ?? 0;
  const parts = [
    texts.common.sessions(shown),
    texts.common.processes(processes),
    format.bytes(memory.bytes),
    ...(swap > 0 ? [words.swap(format.bytes(swap))] : []),
    texts.common.jobs(jobs),
    words.servers(servers),
  ];
  return <p className={styles.totals}>{parts.join(' · ')}</p>;
};

const Duplicates = ({ duplicates }: Pick<SessionList, 'duplicates'>): ReactElement | null => {
  const { texts, format } = useLanguage();
  const words = texts.sessions;
  if (duplicates.length === 0) return null;
  return (
    <section className={styles.group} aria-labelledby="duplicates">
      <Heading id="duplicates">{words.duplicatesTitle}</Heading>
      <ul className={styles.duplicates}>
        {duplicates.map(({ command, copies, sessions, memoryBytes }) => (
          <li key={command}>
            <Command text={command} />
            <span className={styles.quiet}>
              {words.copies(copies, sessions)} · {format.bytes(memoryBytes)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

type OlderSetsEntry = SessionList['olderSets'][number];

/** The end of the older sets of servers of one host, which asks first and says what goes. */
const EndOlderSets = ({ older }: { readonly older: OlderSetsEntry }): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.sessions.older;
  const reap = useAction('job.reapAll');
  const label = words.end(older.sets, format.bytes(older.memoryBytes));
  return (
    <>
      <EndQuestion
        label={label}
        endName={`${label}: ${visibleText(older.command)}`}
        title={words.title(older.sets)}
        body={words.body}
        busy={reap.busy}
        onEnd={() => void reap.run({ jobs: older.jobs.map((job) => ({ job, host: 'local' })) })}
      >
        <Command text={older.command} />
        {older.freesBytes === null ? null : <p>{texts.sessions.frees(format.bytes(older.freesBytes))}</p>}
      </EndQuestion>
      <FailureNote failure={reap.failure} />
    </>
  );
};

const OlderSets = ({ olderSets }: Pick<SessionList, 'olderSets'>): ReactElement | null => {
  const { texts } = useLanguage();
  const words = texts.sessions.older;
  if (olderSets.length === 0) return null;
  return (
    <section className={styles.group} aria-labelledby="older-sets">
      <Heading id="older-sets">{words.heading}</Heading>
      <ul className={styles.duplicates}>
        {olderSets.map((older) => (
          <li key={`${older.host} ${older.command}`}>
            <Command text={older.command} />
            <span className={styles.quiet}>
              {texts.common.process(older.host)}
              {older.waiting === 0 ? null : ` · ${words.waiting(older.waiting)}`}
            </span>
            {older.jobs.length === 0 ? null : <EndOlderSets older={older} />}
          </li>
        ))}
      </ul>
    </section>
  );
};

const Measured = ({ costs }: { readonly costs: SessionList }): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.sessions;
  const chosen = useSorting('sessions', 'memory', firstDirection);
  // One that has ended and left nothing costs nothing.
  const sessions = costs.sessions.filter(({ state, processes }) => state !== 'gone' || processes > 0);
  const unreachable = sessions.filter(({ state }) => state === 'unreachable');
  const others = sessions.filter(({ state }) => state !== 'unreachable');
  if (sessions.length === 0)
    return (
      <Centred picture={<Icon name="moon" />} title={words.emptyTitle}>
        <p>{words.emptyBody}</p>
      </Centred>
    );
  return (
    <>
      <Totals costs={costs} shown={sessions.length} />
      {unreachable.length === 0 ? null : (
        <SessionTable id="unreachable" title={words.unreachableTitle} sessions={unreachable} {...chosen} />
      )}
      {others.length === 0 ? null : (
        <SessionTable
          id="sessions"
          title={unreachable.length === 0 ? words.allTitle : words.otherTitle}
          sessions={others}
          {...chosen}
        />
      )}
      <OlderSets olderSets={costs.olderSets} />
      <Duplicates duplicates={costs.duplicates} />
      <p className={styles.note}>{words.measured}</p>
    </>
  );
};

/** Every session of every agent with what it costs, measured again while the window is visible. */
export const Sessions = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.sessions;
  const { value, failure, again } = useRepeated('sessions.list', {});
  return (
    <View title={words.title}>
      <FailureNote failure={failure} again={again} />
      {value === null ? (
        failure === null ? (
          <p role="status">{words.loading}</p>
        ) : null
      ) : (
        <BulkEnds>
          <Measured costs={value} />
        </BulkEnds>
      )}
    </View>
  );
};
