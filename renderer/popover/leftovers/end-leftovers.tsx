import { Fragment, useState, type ReactElement } from 'react';
import { isLeftover, isProbable } from '../../../app/contract/claims/claims.ts';
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
import { keyOf, toggled } from './choosing.ts';
import styles from './leftovers.module.css';

interface EndLeftoversProps {
  /** What is only probable is listed apart, and ended only where the user ticks it. */
  readonly jobs: readonly SnapshotJob[];
  readonly label: string;
  /** Name for screen readers. */
  readonly name: string;
  /** Keys and palette find it by this. `end-chosen`: each was chosen, so all are ticked. */
  readonly act?: 'end-all' | 'end-chosen';
}

type Kind = 'proved' | 'probable' | 'others';

const kindOf = (job: SnapshotJob): Kind => (isProbable(job) ? 'probable' : isLeftover(job) ? 'proved' : 'others');

const kinds: readonly Kind[] = ['proved', 'probable', 'others'];

interface ListedProps {
  readonly job: SnapshotJob;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

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
        <input type="checkbox" checked={chosen} onChange={onChoose} />
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
 * Ends several jobs at once, after a preview of exactly what. The jobs are those of the moment
 * when it was opened: one that appears meanwhile is not ended with them.
 */
export const EndLeftovers = ({ jobs, label, name, act }: EndLeftoversProps): ReactElement => {
  const language = useLanguage();
  const words = language.texts.popover.leftovers;
  const [asked, setAsked] = useState<readonly SnapshotJob[] | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const setEnd = useBulkEnd();
  const reap = useAction('job.reapAll');
  const close = (): void => setAsked(null);
  const shown = (asked ?? []).filter((job) => chosen.has(keyOf(job)));
  const ofKind = Map.groupBy(asked ?? [], kindOf);
  return (
    <>
      <Button
        size="small"
        aria-label={name}
        data-act={act}
        aria-disabled={reap.busy}
        onClick={() => {
          if (reap.busy) return;
          setEnd();
          setAsked(jobs);
          setChosen(new Set(jobs.filter((job) => act === 'end-chosen' || !isProbable(job)).map(keyOf)));
        }}
      >
        {label}
      </Button>
      <Confirm
        open={asked !== null}
        title={(ofKind.has('others') ? words.askJobs : words.askTitle)(shown.length)}
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
          {kinds
            .filter((kind) => ofKind.has(kind))
            .map((kind) => (
              <Fragment key={kind}>
                <h3 className={styles.groupName}>{words[kind]}</h3>
                <ul className={styles.list} aria-label={words[kind]}>
                  {ofKind.get(kind)?.map((job) => (
                    <Listed
                      key={keyOf(job)}
                      job={job}
                      chosen={chosen.has(keyOf(job))}
                      onChoose={() => setChosen(toggled(chosen, keyOf(job)))}
                    />
                  ))}
                </ul>
              </Fragment>
            ))}
        </div>
      </Confirm>
      <FailureNote failure={reap.failure} />
    </>
  );
};
