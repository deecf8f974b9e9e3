import { useState, type ReactElement } from 'react';
import { useAction } from '../../state/use-action.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { Notice } from '../display/notice.tsx';
import { ActionsMenu } from '../input/actions-menu.tsx';
import { Button } from '../input/button.tsx';
import { FailureNote } from './failure-note.tsx';

/** What is never ended from now on, as a view of it needs. */
export interface Sparing {
  readonly busy: boolean;
  readonly spared: boolean;
  /** Makes an exemption for the project or the command of what was named. */
  readonly spare: (scope: 'project' | 'command') => void;
  /** Says what is spared from now on, with Undo in place, or why it is not. */
  readonly notice: ReactElement;
}

/** Spares the like of a job on the list, or of an incident. */
export const useSparing = (
  what: { readonly job: string; readonly host: string } | { readonly id: string },
): Sparing => {
  const { texts } = useLanguage();
  const job = useAction('job.exempt');
  const incident = useAction('history.exempt');
  const undo = useAction('settings.unexempt');
  /** When the exemption was made, which names it; null: none was, or it was undone. */
  const [exemption, setExemption] = useState<string | null>(null);
  const spare = async (scope: 'project' | 'command'): Promise<void> => {
    const done = 'id' in what ? await incident.run({ ...what, scope }) : await job.run({ ...what, scope });
    if (done !== null) setExemption(done.createdAt);
  };
  const takeBack = async (createdAt: string): Promise<void> => {
    if ((await undo.run({ createdAt })) !== null) setExemption(null);
  };
  const notice = (
    <>
      {exemption === null ? null : (
        <Notice
          tone="quiet"
          icon="shield"
          live="polite"
          actions={
            <Button size="small" aria-disabled={undo.busy} onClick={() => void takeBack(exemption)}>
              {texts.common.undo}
            </Button>
          }
        >
          <p>{texts.popover.details.exempted}</p>
        </Notice>
      )}
      <FailureNote failure={job.failure ?? incident.failure ?? undo.failure} />
    </>
  );
  return {
    busy: job.busy || incident.busy,
    spared: exemption !== null,
    spare: (scope) => void spare(scope),
    notice,
  };
};

interface NeverEndProps {
  readonly sparing: Sparing;
  readonly project: string | null;
}

/** The menu of what of a job may be spared. */
export const NeverEnd = ({ sparing: { spare }, project }: NeverEndProps): ReactElement => {
  const words = useLanguage().texts.popover.details;
  return (
    <ActionsMenu
      label={words.never}
      actions={[
        {
          label: words.neverCommand,
          run: () => spare('command'),
        },
        {
          label: words.neverProject,
          run: () => spare('project'),
          disabled: project === null,
        },
      ]}
    />
  );
};
