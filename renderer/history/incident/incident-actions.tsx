import { useState, type ReactElement } from 'react';
import type { IncidentView } from '../../../app/contract/views/incident-view.ts';
import { inTerminal } from '../../../app/format/in-terminal.ts';
import { ActionsMenu } from '../../parts/input/actions-menu.tsx';
import { Button } from '../../parts/input/button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { SparedNotice } from '../../parts/message/spared-notice.tsx';
import { useAction } from '../../state/use-action.ts';
import { useConfirmed } from '../../state/use-confirmed.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './incident-actions.module.css';

type Copied = 'command' | 'rerun' | 'folder';

/** What can be done about an incident: spare the like of it, run it again, look at its folder. */
export const IncidentActions = ({ incident }: { readonly incident: IncidentView }): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.history.actions;
  const { surface } = useSnapshot().platform;
  const exempt = useAction('history.exempt');
  const copy = useAction('app.copy');
  const openPath = useAction('app.openPath');
  const [exemption, setExemption] = useState<string | null>(null);
  const [copied, confirm] = useConfirmed<Copied>();
  const { project } = incident;
  const isHere = incident.host === 'local';
  const never = (scope: 'project' | 'command') => (): void => {
    void exempt.run({ id: incident.id, scope }).then((done) => {
      if (done !== null) setExemption(done.createdAt);
    });
  };
  const copyAs = (what: Copied, text: string) => (): void => {
    void copy.run({ text }).then((done) => {
      confirm(done === null ? null : what);
    });
  };
  return (
    <div className={styles.actions}>
      <ActionsMenu
        label={words.never}
        actions={[
          { label: words.neverCommand, run: never('command') },
          { label: words.neverProject, run: never('project'), disabled: project === null },
        ]}
      />
      <Button size="small" onClick={copyAs('rerun', inTerminal(incident.command, project))}>
        {words.rerun}
      </Button>
      <Button size="small" look="plain" onClick={copyAs('command', incident.command)}>
        {texts.common.copyCommand}
      </Button>
      {project === null || !isHere ? null : surface === 'page' ? (
        <Button size="small" look="plain" onClick={copyAs('folder', project)}>
          {words.copyFolder}
        </Button>
      ) : (
        <Button size="small" look="plain" onClick={() => void openPath.run({ path: project })}>
          {words.folder}
        </Button>
      )}
      <span className={styles.told} role="status">
        {copied === null ? '' : copied === 'rerun' ? words.rerunCopied : texts.common.copied}
      </span>
      <SparedNotice
        exemption={exemption}
        text={words.exempted}
        onUndone={() => {
          setExemption(null);
        }}
      />
      <FailureNote failure={exempt.failure ?? copy.failure ?? openPath.failure} />
    </div>
  );
};
