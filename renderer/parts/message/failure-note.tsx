import type { ReactElement } from 'react';
import type { Failure } from '../../../app/contract/answer.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { Button } from '../input/button.tsx';
import { Notice } from '../display/notice.tsx';

interface FailureNoteProps {
  readonly failure: Failure | null;
  /** Offers to retry. */
  readonly again?: () => void;
}

/** What went wrong, in place, with advice. Empty without a failure. */
export const FailureNote = ({ failure, again }: FailureNoteProps): ReactElement | null => {
  const { texts, voice } = useLanguage();
  if (failure === null) return null;
  return (
    <Notice
      tone="red"
      icon="alert"
      live="assertive"
      actions={
        again === undefined ? undefined : (
          <Button size="small" onClick={again}>
            {texts.common.tryAgain}
          </Button>
        )
      }
    >
      <p>{voice.said(failure.message)}</p>
      {failure.advice === null ? null : <p>{voice.said(failure.advice)}</p>}
    </Notice>
  );
};
