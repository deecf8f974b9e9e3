import { useState, type ReactElement, type ReactNode } from 'react';
import { Button } from '../../parts/input/button.tsx';
import { Confirm } from '../../parts/message/dialog.tsx';
import { useLanguage } from '../../texts/texts-context.ts';

interface EndQuestionProps {
  /** What stands on the button. Left out: that it ends. */
  readonly label?: string;
  /** What the button is called for those who don't see its row. */
  readonly endName: string;
  readonly title: string;
  readonly body: string;
  readonly busy: boolean;
  readonly onEnd: () => void;
  /** What goes. */
  readonly children: ReactNode;
}

/** A button that ends something, after the user has seen what goes. */
export const EndQuestion = ({ label, endName, children, onEnd, busy, ...question }: EndQuestionProps): ReactElement => {
  const { end, endIt } = useLanguage().texts.common;
  const [asking, setAsking] = useState(false);
  const close = (): void => setAsking(false);
  return (
    <>
      <Button size="small" aria-label={endName} disabled={busy} onClick={() => setAsking(true)}>
        {label ?? end}
      </Button>
      <Confirm
        {...question}
        confirm={endIt}
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
