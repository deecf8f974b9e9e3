import type { ReactElement } from 'react';
import type { SettingsPreview } from '../../../app/contract/settings-questions.ts';
import type { QuestionInput } from '../../../app/contract/contract.ts';
import { stateSaid } from '../../../app/text/states.ts';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { ForeignText } from '../../parts/text/foreign-text.tsx';
import { useAnswer } from '../../state/use-answer.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './limits.module.css';

/** At most this many jobs are named; the sentence counts all. */
const maxNamed = 4;

const Changed = ({ preview }: { readonly preview: SettingsPreview }): ReactElement => {
  const { texts, voice } = useLanguage();
  const words = texts.settings.preview;
  if (preview.jobs === 0) return <p>{words.noJobs}</p>;
  if (preview.changed.length === 0) return <p>{words.none}</p>;
  return (
    <>
      <p>{words.changes(preview.changed.length)}</p>
      <ul>
        {preview.changed.slice(0, maxNamed).map((change) => (
          <li key={change.job} className={styles.change}>
            <code>
              <ForeignText text={change.command} />
            </code>
            <span>{voice.said(stateSaid(change.after.state))}</span>
          </li>
        ))}
      </ul>
    </>
  );
};

/** What values that are not saved yet would do to the running jobs. */
export const LimitPreview = ({ changes }: QuestionInput<'settings.preview'>): ReactElement => {
  const { texts } = useLanguage();
  const { value, failure } = useAnswer('settings.preview', { changes });
  if (failure !== null) return <FailureNote failure={failure} />;
  return <div role="status">{value === null ? texts.settings.preview.checking : <Changed preview={value} />}</div>;
};
