import { inEnglish } from '../../app/text/say.ts';
import { byKey } from '../../app/format/said.ts';
import { useState, type ReactElement } from 'react';
import type { Check } from '../../app/contract/app-questions.ts';
import { Button } from '../parts/input/button.tsx';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { Icon, type IconName } from '../parts/display/icon.tsx';
import { Intro, Rows, Section } from '../parts/display/section.tsx';
import { useAction } from '../state/use-action.ts';
import { useConfirmed } from '../state/use-confirmed.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import styles from './about.module.css';

const icons: Readonly<Record<Check['state'], IconName>> = {
  good: 'check',
  warning: 'info',
  failure: 'alert',
  skipped: 'gone',
};

const CheckRow = ({ check }: { readonly check: Check }): ReactElement => {
  const { texts, voice } = useLanguage();
  return (
    <div className={styles.check} data-state={check.state}>
      <Icon name={icons[check.state]} />
      <div>
        <h3>
          {voice.said(byKey(check.title))}
          <span className="visually-hidden">: {texts.settings.about.states[check.state]}</span>
        </h3>
        <p>{voice.said(check.text)}</p>
        {check.advice === null ? null : <p className={styles.advice}>{voice.said(check.advice)}</p>}
      </div>
    </div>
  );
};

/** The version, and the diagnostics. */
export const About = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.settings.about;
  const { version } = useSnapshot().platform;
  const doctor = useAction('doctor.run');
  const copy = useAction('app.copy');
  const [checks, setChecks] = useState<readonly Check[] | null>(null);
  const [copied, confirm] = useConfirmed<true>();
  const report = (): string =>
    [
      words.version(version),
      ...(checks ?? []).map((check) =>
        `${check.state}: ${check.title}: ${inEnglish(check.text)} ${inEnglish(check.advice ?? '')}`.trim(),
      ),
    ].join('\n');
  return (
    <>
      <Intro>{words.version(version)}</Intro>
      <Section title={words.doctor} body={words.doctorBody}>
        <div className={styles.actions}>
          <Button
            disabled={doctor.busy}
            onClick={() =>
              void doctor.run({}).then((done) => {
                setChecks(done?.checks ?? null);
                confirm(null);
              })
            }
          >
            {doctor.busy ? texts.settings.preview.checking : checks === null ? words.run : words.runAgain}
          </Button>
          {checks === null ? null : (
            <Button
              look="plain"
              onClick={() => void copy.run({ text: report() }).then((done) => confirm(done === null ? null : true))}
            >
              {words.copy}
            </Button>
          )}
          {/* Said once; the button keeps its name. */}
          <span role="status">{copied === null ? '' : texts.common.copied}</span>
        </div>
        <FailureNote failure={doctor.failure ?? copy.failure} />
        {checks === null ? null : (
          <Rows>
            {checks.map((check) => (
              <CheckRow key={check.code} check={check} />
            ))}
          </Rows>
        )}
      </Section>
    </>
  );
};
