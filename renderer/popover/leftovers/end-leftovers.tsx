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
import { useRefusedEnds } from './refused-ends.tsx';
import styles from './leftovers.module.css';

interface EndLeftoversProps {
  readonly jobs: readonly SnapshotJob[];
  readonly label: string;
  /** Name for screen readers. */
  readonly name: string;
  /** They are all leftovers: the palette finds the button by this. */
  readonly all?: boolean;
}

const Listed = ({ job }: { readonly job: SnapshotJob }): ReactElement => {
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
      <code className={styles.command}>
        <ForeignText text={job.command} />
      </code>
      <span className={styles.quiet}>{facts.join(' · ')}</span>
    </li>
  );
};

/**
 * Ends several leftovers at once, after a preview of exactly what. The jobs are those of the moment
 * when it was opened: one that appears meanwhile is not ended with them.
 */
export const EndLeftovers = ({ jobs, label, name, all = false }: EndLeftoversProps): ReactElement => {
  const language = useLanguage();
  const words = language.texts.popover.leftovers;
  const [asked, setAsked] = useState<readonly SnapshotJob[] | null>(null);
  const setRefused = useRefusedEnds();
  const reap = useAction('job.reapAll');
  const close = (): void => {
    setAsked(null);
  };
  const shown = asked ?? [];
  return (
    <>
      <Button
        size="small"
        aria-label={name}
        {...(all ? { 'data-act': 'end-all' } : {})}
        aria-disabled={reap.busy}
        onClick={() => {
          setRefused([]);
          setAsked(jobs);
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
        busy={reap.busy}
        onConfirm={() => {
          close();
          void reap.run({ jobs: shown.map(({ id, host }) => ({ job: id, host })) }).then((done) => {
            if (done !== null) setRefused(done.refused);
          });
        }}
        onClose={close}
      >
        {/* Scrolled by keyboard, too. */}
        <ul className={styles.preview} tabIndex={0} aria-label={words.preview}>
          {shown.map((job) => (
            <Listed key={`${job.host} ${job.id}`} job={job} />
          ))}
        </ul>
      </Confirm>
      <FailureNote failure={reap.failure} />
    </>
  );
};
