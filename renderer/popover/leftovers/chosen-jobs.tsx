import { useMemo, useState, type ReactElement, type ReactNode } from 'react';
import { keepSeconds } from '../../../app/contract/asked.ts';
import { isProbable, canKeep } from '../../../app/contract/claims/claims.ts';
import { canEnd, holdingsOf } from '../../../app/contract/claims/leftovers.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { Button } from '../../parts/input/button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useAction } from '../../state/use-action.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { ChoosingContext, keyOf, toggled, useChosen } from './choosing.ts';
import { EndLeftovers } from './end-leftovers.tsx';
import { summaryOf } from './holdings-words.ts';
import styles from './leftovers.module.css';

/** Chooses a job to be ended or kept together with others. Empty for one that can't be ended. */
export const Choose = ({ job }: { readonly job: SnapshotJob }): ReactElement | null => {
  const { texts } = useLanguage();
  const { keys, choose } = useChosen();
  if (!canEnd(job, useSnapshot())) return null;
  return (
    <input
      type="checkbox"
      data-act="choose"
      className={styles.choose}
      aria-label={texts.popover.leftovers.choose(visibleText(job.command).slice(0, 120))}
      checked={keys.has(keyOf(job))}
      onChange={() => choose(toggled(keys, keyOf(job)))}
    />
  );
};

/** What the chosen jobs hold, their end and Keep; covers the lower edge, so that nothing moves. */
const ChosenBar = (): ReactElement | null => {
  const language = useLanguage();
  const { leftovers: words, keep: keepWord } = language.texts.popover;
  const { jobs, choose } = useChosen();
  const keep = useAction('job.keep');
  if (jobs.length === 0) return null;
  const summary = words.chosen(jobs.length, summaryOf(holdingsOf(jobs), language));
  const kept = jobs.filter((job) => canKeep(job) && !isProbable(job));
  const keepAll = async (): Promise<void> => {
    for (const { id, host } of kept) if ((await keep.run({ job: id, host, seconds: keepSeconds })) === null) return;
    choose(new Set());
  };
  return (
    <section className={styles.chosen} data-chosen aria-label={words.chosenTitle}>
      <p role="status">{summary}</p>
      <div className={styles.chosenActions}>
        <EndLeftovers
          jobs={jobs}
          act="end-chosen"
          label={words.endChosen(jobs.length)}
          name={`${words.endChosen(jobs.length)} ${summary}`}
        />
        {kept.length < jobs.length ? null : (
          <Button size="small" aria-disabled={keep.busy} onClick={() => void keepAll()}>
            {keepWord}
          </Button>
        )}
        <Button look="plain" size="small" onClick={() => choose(new Set())}>
          {words.choseNone}
        </Button>
      </div>
      <FailureNote failure={keep.failure} />
    </section>
  );
};

/** Jobs of which the user can choose several, and below them what can be done with those. */
export const ChosenJobs = ({ children }: { readonly children: ReactNode }): ReactElement => {
  const [keys, choose] = useState<ReadonlySet<string>>(new Set());
  return (
    <ChoosingContext value={useMemo(() => ({ keys, choose }), [keys])}>
      {children}
      <ChosenBar />
    </ChoosingContext>
  );
};
