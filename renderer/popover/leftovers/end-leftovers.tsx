import { useState, type ReactElement } from 'react';
import { holdingsOf } from '../../../app/contract/claims/leftovers.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { projectName } from '../../../app/format/project-name.ts';
import { Button } from '../../parts/input/button.tsx';
import { Confirm } from '../../parts/message/dialog.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { ForeignText } from '../../parts/text/foreign-text.tsx';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useAction } from '../../state/use-action.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { holdingsWords } from './holdings-words.ts';
import { jobKey, useBulkEnd } from './bulk-end.tsx';
import styles from './leftovers.module.css';

interface EndLeftoversProps {
  readonly jobs: readonly SnapshotJob[];
  /** Probably left over: listed apart, and ended only where the user ticks them. */
  readonly probable?: readonly SnapshotJob[];
  readonly label: string;
  /** Name for screen readers. */
  readonly name: string;
  /** They are all leftovers: the palette finds the button by this. */
  readonly all?: boolean;
}

interface ListedProps {
  readonly job: SnapshotJob;
  readonly chosen: boolean;
  readonly onChoose: (chosen: boolean) => void;
}

const keyOf = ({ host, id }: SnapshotJob): string => jobKey(host, id);

const Listed = ({ job, chosen, onChoose }: ListedProps): ReactElement => {
  const { texts, format } = useLanguage();
  const { rssBytes, ports } = job.holds;
  const facts = [
    visibleText(projectName(job.project) ?? texts.common.noProject),
    texts.common.processes(job.members.length),
    format.bytes(rssBytes),
    ...ports.map((port) => `:${port}`),
    ...(job.host === 'local' ? [] : [texts.common.host(visibleText(job.host))]),
  ];
  return (
    <li>
      <label className={styles.listed}>
        <input
          type="checkbox"
          checked={chosen}
          onChange={(event) => {
            onChoose(event.currentTarget.checked);
          }}
        />
        <span>
          <code className={styles.command}>
            <ForeignText text={job.command} />
          </code>
          <span className={styles.quiet}>{facts.join(' · ')}</span>
        </span>
      </label>
    </li>
  );
};

/**
 * Ends several leftovers at once, after a preview of exactly what. The jobs are those of the moment
 * when it was opened: one that appears meanwhile is not ended with them.
 */
export const EndLeftovers = ({ jobs, probable = [], label, name, all = false }: EndLeftoversProps): ReactElement => {
  const language = useLanguage();
  const words = language.texts.popover.leftovers;
  const [asked, setAsked] = useState<{
    readonly proved: readonly SnapshotJob[];
    readonly probable: readonly SnapshotJob[];
  } | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const setEnd = useBulkEnd();
  const reap = useAction('job.reapAll');
  const close = (): void => {
    setAsked(null);
  };
  const shown = asked === null ? [] : [...asked.proved, ...asked.probable].filter((job) => chosen.has(keyOf(job)));
  const listed = (ones: readonly SnapshotJob[], title: string): ReactElement => (
    <ul className={styles.list} aria-label={title}>
      {ones.map((job) => (
        <Listed
          key={keyOf(job)}
          job={job}
          chosen={chosen.has(keyOf(job))}
          onChoose={(on) => {
            const next = new Set(chosen);
            if (on) next.add(keyOf(job));
            else next.delete(keyOf(job));
            setChosen(next);
          }}
        />
      ))}
    </ul>
  );
  return (
    <>
      <Button
        size="small"
        aria-label={name}
        {...(all ? { 'data-act': 'end-all' } : {})}
        aria-disabled={reap.busy}
        onClick={() => {
          setEnd();
          setAsked({ proved: jobs, probable });
          setChosen(new Set(jobs.map(keyOf)));
        }}
      >
        {label}
      </Button>
      <Confirm
        open={asked !== null}
        title={words.askTitle(shown.length)}
        body={words.askBody(holdingsWords(holdingsOf(shown), language))}
        confirm={words.confirm(shown.length)}
        danger
        busy={reap.busy || shown.length === 0}
        onConfirm={() => {
          close();
          void reap.run({ jobs: shown.map(({ id, host }) => ({ job: id, host })) }).then((done) => {
            if (done === null) return;
            const refused = new Set(done.refused.map(({ host, job }) => jobKey(host, job)));
            setEnd({ begun: shown.map(keyOf).filter((key) => !refused.has(key)), refused: done.refused });
          });
        }}
        onClose={close}
      >
        {/* Scrolled by keyboard, too. */}
        <div className={styles.preview} role="region" tabIndex={0} aria-label={words.preview}>
          {asked === null || asked.proved.length === 0 ? null : (
            <>
              <h3 className={styles.groupName}>{words.proved}</h3>
              {listed(asked.proved, words.proved)}
            </>
          )}
          {asked === null || asked.probable.length === 0 ? null : (
            <>
              <h3 className={styles.groupName}>{words.probable}</h3>
              {listed(asked.probable, words.probable)}
            </>
          )}
        </div>
      </Confirm>
      <FailureNote failure={reap.failure} />
    </>
  );
};
