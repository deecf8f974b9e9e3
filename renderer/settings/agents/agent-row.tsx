import { useState, type ReactElement } from 'react';
import type { AgentHooks } from '../../../app/contract/app-questions.ts';
import { AgentMark } from '../../parts/display/agent-mark.tsx';
import { Button } from '../../parts/input/button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { useAction } from '../../state/use-action.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './agents.module.css';
import { InstallDialog } from './install-dialog.tsx';

interface AgentRowProps {
  readonly agent: AgentHooks;
  readonly onChange: (now: AgentHooks) => void;
}

/** One agent: where it is, whether it has hooks, and the button that installs or removes them. */
export const AgentRow = ({ agent, onChange }: AgentRowProps): ReactElement => {
  const { texts, voice } = useLanguage();
  const words = texts.settings.agents;
  const [asking, setAsking] = useState(false);
  const install = useAction('hooks.install');
  const uninstall = useAction('hooks.uninstall');
  const tell = (now: AgentHooks | null): void => {
    setAsking(false);
    if (now !== null) onChange(now);
  };
  const where = agent.found === null ? words.missing : words.found(agent.found);
  const about = agent.version === null ? where : `${words.version(agent.version)} · ${where}`;
  const canInstall = agent.found !== null && (agent.hooks === 'absent' || agent.hooks === 'partly');
  const canRemove = agent.hooks === 'installed' || agent.hooks === 'partly';
  return (
    <div className={styles.row}>
      <AgentMark agent={agent.agent} />
      <div className={styles.words}>
        <h2>{agent.name}</h2>
        <p className={styles.quiet}>{about}</p>
        {agent.found === null ? null : <p className={styles.state}>{words.hooks[agent.hooks]}</p>}
        {agent.note === null ? null : <p className={styles.quiet}>{voice.said(agent.note)}</p>}
        <FailureNote failure={install.failure ?? uninstall.failure} />
      </div>
      {canInstall ? (
        <Button aria-label={words.installName(agent.name)} onClick={() => setAsking(true)}>
          {words.install}
        </Button>
      ) : null}
      {canRemove ? (
        <Button
          look="plain"
          disabled={uninstall.busy}
          aria-label={words.uninstallName(agent.name)}
          onClick={() => void uninstall.run({ agent: agent.agent }).then(tell)}
        >
          {words.uninstall}
        </Button>
      ) : null}
      <InstallDialog
        agent={agent}
        open={asking}
        busy={install.busy}
        onClose={() => setAsking(false)}
        onConfirm={() => void install.run({ agent: agent.agent }).then(tell)}
      />
    </div>
  );
};
