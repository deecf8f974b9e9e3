import { createContext, useContext, useMemo, useState, type ReactElement, type ReactNode } from 'react';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { shortCommand } from '../../../app/format/short-command.ts';
import { Notice } from '../display/notice.tsx';
import { Button } from '../input/button.tsx';
import { FailureNote } from './failure-note.tsx';
import { useAction } from '../../state/use-action.ts';
import { useLanguage } from '../../texts/texts-context.ts';

type Said = Pick<SnapshotJob, 'id' | 'host' | 'command'>;

const SaidContext = createContext<{ readonly said: Said | null; readonly say: (said: Said | null) => void }>({
  said: null,
  say: () => undefined,
});

/** Returns which job the user last said is theirs, and what notes that one is. */
export const useSaidMine = (): { readonly said: Said | null; readonly say: (said: Said | null) => void } =>
  useContext(SaidContext);

/** The user's last word with one undo, above its children: the job leaves with its card. */
export const SaidMine = ({ children }: { readonly children: ReactNode }): ReactElement => {
  const { texts } = useLanguage();
  const [said, say] = useState<Said | null>(null);
  const unkeep = useAction('job.unkeep');
  const value = useMemo(() => ({ said, say }), [said]);
  return (
    <SaidContext value={value}>
      {said === null ? null : (
        <Notice
          tone="quiet"
          icon="shield"
          live="polite"
          actions={
            <>
              <Button
                size="small"
                aria-disabled={unkeep.busy}
                onClick={() =>
                  void unkeep.run({ job: said.id, host: said.host }).then((done) => {
                    if (done !== null) say(null);
                  })
                }
              >
                {texts.common.undo}
              </Button>
              <Button look="plain" size="small" onClick={() => say(null)}>
                {texts.common.close}
              </Button>
            </>
          }
        >
          <p>{texts.popover.mineSaid(shortCommand(said.command, 80))}</p>
        </Notice>
      )}
      <FailureNote failure={unkeep.failure} />
      {children}
    </SaidContext>
  );
};
