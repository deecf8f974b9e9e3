import { useState, type ReactElement, type ReactNode } from 'react';
import { maxEntries } from '../../app/contract/files-questions.ts';
import type { FilesView } from '../../app/contract/views/files-view.ts';
import { notAsShown } from '../../app/text/abandoned/worktrees.ts';
import { agentName } from '../../app/text/agent-name.ts';
import { Centred } from '../parts/display/centred.tsx';
import { Heading } from '../parts/display/heading.tsx';
import { Icon } from '../parts/display/icon.tsx';
import { StateWord } from '../parts/display/state-word.tsx';
import { View } from '../parts/display/view.tsx';
import { Notice } from '../parts/display/notice.tsx';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { ForeignText } from '../parts/text/foreign-text.tsx';
import { Ago } from '../parts/text/times.tsx';
import { visibleText } from '../parts/text/visible-characters.ts';
import { useAction } from '../state/use-action.ts';
import { useAnswer } from '../state/use-answer.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { type Entries, entriesOf, type Entry } from './entries.ts';
import { RemoveQuestion } from './remove-question.tsx';
import styles from './files.module.css';

interface Removing {
  readonly busy: boolean;
  readonly remove: (entries: readonly Entry[]) => void;
}

const EntryRow = ({ entry, busy, remove }: Removing & { readonly entry: Entry }): ReactElement => {
  const { texts, voice } = useLanguage();
  const words = texts.files;
  const { path, facts, since, leave, reasons } = entry;
  const state = { 'may-go': words.mayGo, 'by-name': words.byName, stays: words.stays }[leave];
  return (
    <li className={styles.entry}>
      <span className={styles.words}>
        <span className={styles.first}>
          <code className={styles.path}>
            <ForeignText text={path} />
          </code>
          <StateWord tone={leave === 'may-go' ? 'amber' : 'quiet'}>{state}</StateWord>
        </span>
        <span className={styles.quiet}>
          {facts.map((fact) => visibleText(fact)).join(' · ')} · {since.word} <Ago at={since.at} />
        </span>
        {reasons.map((reason) => (
          <span key={voice.said(reason)} className={styles.quiet}>
            {visibleText(voice.said(reason))}
          </span>
        ))}
      </span>
      {leave === 'stays' ? null : (
        <RemoveQuestion
          entries={[entry]}
          label={words.remove}
          name={words.removeNamed(visibleText(path))}
          busy={busy}
          onRemove={remove}
        />
      )}
    </li>
  );
};

interface GroupProps {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

const Group = ({ id, title, children }: GroupProps): ReactElement => (
  <section className={styles.group} aria-labelledby={id}>
    <Heading id={id}>{title}</Heading>
    <ul className={styles.entries} aria-labelledby={id}>
      {children}
    </ul>
  </section>
);

const EntryGroup = ({
  entries,
  removing,
  ...group
}: Omit<GroupProps, 'children'> & {
  readonly entries: readonly Entry[];
  readonly removing: Removing;
}): ReactElement | null =>
  entries.length === 0 ? null : (
    <Group {...group}>
      {entries.map((entry) => (
        <EntryRow key={entry.id} entry={entry} {...removing} />
      ))}
    </Group>
  );

/** What may go with one button; what needs its name is not among it. */
const All = ({ entries, removing }: { readonly entries: Entries; readonly removing: Removing }): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.files;
  const due = [...entries.worktrees, ...entries.locks, ...entries.left]
    .filter(({ leave }) => leave === 'may-go')
    .slice(0, maxEntries);
  if (due.length === 0) return <p className={styles.totals}>{words.nothing}</p>;
  const total = words.total(due.length, format.bytes(due.reduce((sum, { bytes }) => sum + bytes, 0)));
  return (
    <div className={styles.all}>
      <p className={styles.totals}>{total}</p>
      <RemoveQuestion
        entries={due}
        label={words.removeAll(due.length)}
        name={`${words.removeAll(due.length)} ${total}`}
        busy={removing.busy}
        onRemove={removing.remove}
      />
    </div>
  );
};

const Stayed = ({ problems }: Pick<FilesView, 'problems'>): ReactElement | null => {
  const { texts, voice } = useLanguage();
  if (problems.length === 0) return null;
  return (
    <Notice tone="amber" icon="alert" live="polite">
      <p>{texts.files.stayed(problems.length)}</p>
      {problems.slice(0, 10).map(({ path, said }) => (
        <p key={path}>
          <ForeignText text={path} />: {visibleText(voice.said(said))}
        </p>
      ))}
    </Notice>
  );
};

const Shown = ({ view, removing }: { readonly view: FilesView; readonly removing: Removing }): ReactElement => {
  const language = useLanguage();
  const { texts, format, voice } = language;
  const words = texts.files;
  const entries = entriesOf(view, language);
  const count = view.worktrees.length + view.locks.length + entries.left.length;
  return (
    <>
      {count + view.heaps.length === 0 ? (
        <Centred picture={<Icon name="moon" />} title={words.emptyTitle}>
          <p>{words.emptyBody}</p>
        </Centred>
      ) : (
        <All entries={entries} removing={removing} />
      )}
      <EntryGroup id="worktrees" title={words.worktrees} entries={entries.worktrees} removing={removing} />
      <EntryGroup id="locks" title={words.locks} entries={entries.locks} removing={removing} />
      <EntryGroup id="left" title={words.left} entries={entries.left} removing={removing} />
      {entries.kept === 0 ? null : <p className={styles.totals}>{words.kept(entries.kept)}</p>}
      {view.heaps.length === 0 ? null : (
        <Group id="heaps" title={words.heaps}>
          {view.heaps.map(({ path, agent, what, bytes, files, changedAt }) => (
            <li key={path} className={styles.entry}>
              <span className={styles.words}>
                <code className={styles.path}>
                  <ForeignText text={path} />
                </code>
                <span className={styles.quiet}>
                  {[agentName(agent), voice.said(what), format.bytes(bytes), words.count(files)].join(' · ')}
                  {' · '}
                  {words.changed} <Ago at={changedAt} />
                </span>
              </span>
            </li>
          ))}
        </Group>
      )}
      {view.removals.length === 0 ? null : (
        <Group id="removals" title={words.removals}>
          {view.removals.map(({ at, what, path, bytes, why, by }) => (
            <li key={`${at} ${path}`} className={styles.entry}>
              <span className={styles.words}>
                <code className={styles.path}>
                  <ForeignText text={path} />
                </code>
                <span className={styles.quiet}>
                  {voice.said(what)} · {format.bytes(bytes)} · <Ago at={at} /> · {words.by[by]}
                </span>
                <span className={styles.quiet}>{visibleText(voice.said(why))}</span>
              </span>
            </li>
          ))}
        </Group>
      )}
    </>
  );
};

/** What agents left in files, locks and worktrees, with what may go and why the rest stays. */
export const Files = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.files;
  const { value, failure, loading, again } = useAnswer('files.list', {});
  const action = useAction('files.remove');
  const [problems, setProblems] = useState<FilesView['problems']>([]);
  const removing: Removing = {
    busy: action.busy || loading,
    remove: (entries) => {
      setProblems([]);
      void action.run({ ids: entries.map(({ id }) => id) }).then((done) => {
        if (done !== null)
          setProblems([
            ...done.problems,
            ...entries.filter(({ id }) => done.changed.includes(id)).map(({ path }) => ({ path, said: notAsShown })),
          ]);
        again();
      });
    },
  };
  return (
    <View title={words.title}>
      <FailureNote failure={failure} again={again} />
      <FailureNote failure={action.failure} />
      <Stayed problems={problems} />
      {action.busy ? <p role="status">{words.removing}</p> : null}
      {value === null ? (
        failure === null ? (
          <p role="status">{words.loading}</p>
        ) : null
      ) : (
        <Shown view={value} removing={removing} />
      )}
    </View>
  );
};
