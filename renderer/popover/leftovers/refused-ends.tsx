import { createContext, useContext, useState, type ReactElement, type ReactNode } from 'react';
import type { QuestionOutput } from '../../../app/contract/contract.ts';
import { Notice } from '../../parts/display/notice.tsx';
import { Button } from '../../parts/input/button.tsx';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useLanguage } from '../../texts/texts-context.ts';

type Refused = QuestionOutput<'job.reapAll'>['refused'];

const RefusedContext = createContext<(refused: Refused) => void>(() => undefined);

/** Returns what says which jobs of a bulk end were refused; an empty list takes it back. */
export const useRefusedEnds = (): ((refused: Refused) => void) => useContext(RefusedContext);

/**
 * Which jobs of a bulk end could not be taken up, and why, above its children. It stays until it is
 * closed: the button that asked goes together with the jobs that did end.
 */
export const RefusedEnds = ({ children }: { readonly children: ReactNode }): ReactElement => {
  const { texts, voice } = useLanguage();
  const [refused, setRefused] = useState<Refused>([]);
  const close = (
    <Button
      look="plain"
      size="small"
      onClick={() => {
        setRefused([]);
      }}
    >
      {texts.common.close}
    </Button>
  );
  return (
    <RefusedContext value={setRefused}>
      {refused.length === 0 ? null : (
        <Notice tone="red" icon="alert" live="assertive" actions={close}>
          <p>{texts.popover.leftovers.refused(refused.length)}</p>
          {[...new Set(refused.map(({ message }) => voice.said(message)))].map((message) => (
            <p key={message}>{visibleText(message)}</p>
          ))}
        </Notice>
      )}
      {children}
    </RefusedContext>
  );
};
