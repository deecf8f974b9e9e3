import { useState, type ReactElement } from 'react';
import { CardChoice } from '../parts/input/card-choice.tsx';
import { Button } from '../parts/input/button.tsx';
import { EnforceConfirm } from '../parts/message/enforce-confirm.tsx';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { Icon } from '../parts/display/icon.tsx';
import { useModeChange } from '../state/use-mode-change.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { BulkEnds } from '../popover/leftovers/bulk-end.tsx';
import { RunningNow } from './running-now.tsx';
import { Setup } from './setup.tsx';
import styles from './welcome.module.css';

const leave = (): void => {
  window.location.hash = '#/popover';
};

type Step = 'choice' | 'setup';

/** The first run: what is ended and what isn't, one question. Unanswered, Curfew observes. */
export const Welcome = (): ReactElement => {
  const { texts, format } = useLanguage();
  const { values } = useSnapshot().settings;
  const words = texts.welcome;
  const [mode, setMode] = useState<'enforce' | 'observe' | null>(null);
  const [step, setStep] = useState<Step>('choice');
  const change = useModeChange(() => setStep('setup'));
  const choices = [
    {
      value: 'enforce',
      title: texts.common.mode.enforce,
      body: words.enforceBody(
        format.limit(values.orphanGraceSeconds),
        format.limit(values.backgroundMaxElapsedSeconds),
        format.limit(values.backgroundMaxElapsedSecondsHardCap),
        format.limit(values.noticeSeconds),
      ),
    },
    { value: 'observe', title: texts.common.mode.observe, body: words.observeBody },
  ] as const;
  if (step === 'setup')
    return (
      <main className={styles.welcome}>
        <Setup onDone={leave} />
      </main>
    );
  return (
    <main className={styles.welcome}>
      <div className={styles.nowHead} data-start>
        <div className={styles.picture}>
          <Icon name="moon" />
        </div>
        <h1 className={styles.title}>{words.title}</h1>
      </div>
      <BulkEnds>
        <RunningNow />
      </BulkEnds>
      <h2 className={styles.question}>{texts.settings.general.mode}</h2>
      <CardChoice label={texts.settings.general.mode} value={mode} choices={choices} onChange={setMode} />
      <FailureNote failure={change.failure} />
      <div className={styles.actions}>
        <Button look="plain" onClick={leave}>
          {words.later}
        </Button>
        <Button
          look="solid"
          disabled={mode === null || change.busy}
          onClick={() => {
            if (mode !== null) change.choose(mode);
          }}
        >
          {words.start}
        </Button>
      </div>
      <p className={styles.note}>{words.change}</p>
      <ul className={styles.sentences}>
        <li>
          <Icon name="search" />
          <span>{words.what}</span>
        </li>
        <li>
          <Icon name="check" />
          <span>{words.will}</span>
        </li>
        <li>
          <Icon name="shield" />
          <span>{words.wont}</span>
        </li>
      </ul>
      <EnforceConfirm ended={change.ended} busy={change.busy} onConfirm={change.confirm} onClose={change.cancel} />
    </main>
  );
};
