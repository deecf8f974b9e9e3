import { useState, type ReactElement } from 'react';
import { Button } from '../parts/input/button.tsx';
import { Confirm } from '../parts/message/dialog.tsx';
import { ForeignText } from '../parts/text/foreign-text.tsx';
import { useLanguage } from '../texts/texts-context.ts';
import type { Entry } from './entries.ts';
import styles from './files.module.css';

interface RemoveQuestionProps {
  readonly entries: readonly Entry[];
  readonly label: string;
  /** What the button is called for those who don't see its row. */
  readonly name: string;
  readonly busy: boolean;
  readonly onRemove: (entries: readonly Entry[]) => void;
}

/**
 * A button that removes entries, after a preview of exactly what. They are those of the moment when
 * it was opened.
 */
export const RemoveQuestion = ({ entries, label, name, busy, onRemove }: RemoveQuestionProps): ReactElement => {
  const { texts, voice } = useLanguage();
  const words = texts.files;
  const [asked, setAsked] = useState<readonly Entry[] | null>(null);
  const close = (): void => {
    setAsked(null);
  };
  const shown = asked ?? [];
  return (
    <>
      <Button
        size="small"
        aria-label={name}
        aria-disabled={busy}
        onClick={() => {
          if (!busy) setAsked(entries);
        }}
      >
        {label}
      </Button>
      <Confirm
        open={asked !== null}
        title={words.askTitle(shown.length)}
        body={words.askBody}
        confirm={words.confirm}
        danger
        busy={busy}
        onConfirm={() => {
          close();
          onRemove(shown);
        }}
        onClose={close}
      >
        {/* Scrolled by keyboard, too. */}
        <div className={styles.preview} role="region" tabIndex={0} aria-label={words.preview}>
          <ul className={styles.list} aria-label={words.preview}>
            {shown.map(({ id, path, facts, leave, reasons }) => (
              <li key={id}>
                <code className={styles.path}>
                  <ForeignText text={path} />
                </code>
                <span className={styles.quiet}>{facts.join(' · ')}</span>
                {leave === 'by-name' ? (
                  <span className={styles.quiet}>
                    {words.named} {reasons.map((one) => voice.said(one)).join('; ')}
                  </span>
                ) : null}
              </li>
            ))}
          </ul>
        </div>
      </Confirm>
    </>
  );
};
