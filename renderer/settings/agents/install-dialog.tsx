import type { ReactElement } from 'react';
import type { AgentHooks } from '../../../app/contract/app-questions.ts';
import { Confirm } from '../../parts/message/dialog.tsx';
import { ForeignText } from '../../parts/text/foreign-text.tsx';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './agents.module.css';

interface InstallDialogProps {
  readonly agent: AgentHooks;
  readonly open: boolean;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

const signs = { same: ' ', added: '+', removed: '−' } as const;

/** Shows exactly what will be written before it is. */
export const InstallDialog = ({ agent, open, busy, onConfirm, onClose }: InstallDialogProps): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.settings.agents;
  const spoken = { same: '', added: `${words.added}: `, removed: `${words.removed}: ` } as const;
  return (
    <Confirm
      open={open}
      busy={busy}
      title={words.dialogTitle(agent.name)}
      body={words.dialogBody}
      confirm={words.confirm}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p className={styles.file}>
        {words.dialogFile}: <code>{agent.file}</code>
      </p>
      <div className={styles.changes} role="region" aria-label={words.dialogChanges} tabIndex={0}>
        <ol>
          {agent.changes.map((change, index) => (
            <li key={index} className={styles.change} data-kind={change.kind}>
              <span aria-hidden="true">{signs[change.kind]}</span>
              <code>
                <span className="visually-hidden">{spoken[change.kind]}</span>
                <ForeignText text={change.line} lines />
              </code>
            </li>
          ))}
        </ol>
      </div>
    </Confirm>
  );
};
