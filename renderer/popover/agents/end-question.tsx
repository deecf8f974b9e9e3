import { useState, type ReactElement, type ReactNode } from 'react';
import { Button } from '../../parts/input/button.tsx';
import { Confirm } from '../../parts/message/dialog.tsx';

interface EndQuestionProps {
  /** On the button, and what it is called for those who don't see its row. */
  readonly end: string;
  readonly endName: string;
  readonly title: string;
  readonly body: string;
  readonly confirm: string;
  readonly busy: boolean;
  readonly onEnd: () => void;
  /** What goes. */
  readonly children: ReactNode;
}

/** A button that ends something, after the user has seen what goes. */
export const EndQuestion = ({ end, endName, children, onEnd, busy, ...question }: EndQuestionProps): ReactElement => {
  const [asking, setAsking] = useState(false);
  const close = (): void => {
    setAsking(false);
  };
  return (
    <>
      <Button
        size="small"
        aria-label={endName}
        disabled={busy}
        onClick={() => {
          setAsking(true);
        }}
      >
        {end}
      </Button>
      <Confirm
        {...question}
        open={asking}
        danger
        busy={busy}
        onConfirm={() => {
          close();
          onEnd();
        }}
        onClose={close}
      >
        {children}
      </Confirm>
    </>
  );
};
