import type { ReactElement } from 'react';
import { useAction } from '../../state/use-action.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { Notice } from '../display/notice.tsx';
import { Button } from '../input/button.tsx';
import { FailureNote } from './failure-note.tsx';

interface SparedNoticeProps {
  /** When the exemption was made, which names it; null: none was, or it was undone. */
  readonly exemption: string | null;
  /** What is spared from now on. */
  readonly text: string;
  readonly onUndone: () => void;
}

/** Says that something is never ended from now on, with Undo in place. */
export const SparedNotice = ({ exemption, text, onUndone }: SparedNoticeProps): ReactElement => {
  const { texts } = useLanguage();
  const unexempt = useAction('settings.unexempt');
  return (
    <>
      {exemption === null ? null : (
        <Notice
          tone="quiet"
          icon="shield"
          live="polite"
          actions={
            <Button
              size="small"
              aria-disabled={unexempt.busy}
              onClick={() => {
                void unexempt.run({ createdAt: exemption }).then((done) => {
                  if (done !== null) onUndone();
                });
              }}
            >
              {texts.common.undo}
            </Button>
          }
        >
          <p>{text}</p>
        </Notice>
      )}
      <FailureNote failure={unexempt.failure} />
    </>
  );
};
