import type { ReactElement } from 'react';
import type { IncidentView } from '../../../app/contract/views/incident-view.ts';
import { inTerminal } from '../../../app/format/in-terminal.ts';
import { Button } from '../../parts/input/button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { NeverEnd, useSparing } from '../../parts/message/use-sparing.tsx';
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
  const sparing = useSparing({ id: incident.id });
  const copy = useAction('app.copy');
  const openPath = useAction('app.openPath');
  const [copied, confirm] = useConfirmed<Copied>();
  const { project } = incident;
  const isHere = incident.host === 'local';
  const copyAs = (what: Copied, text: string) => (): void => {
    void copy.run({ text }).then((done) => confirm(done === null ? null : what));
  };
  return (
    <div className={styles.actions}>
      <NeverEnd sparing={sparing} project={project} />
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
      {sparing.notice}
      <FailureNote failure={copy.failure ?? openPath.failure} />
    </div>
  );
};
