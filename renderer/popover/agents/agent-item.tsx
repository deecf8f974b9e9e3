import { useState, type ReactElement } from 'react';
import type { AgentView } from '../../../app/contract/views/agent-view.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import { AgentMark } from '../../parts/display/agent-mark.tsx';
import { Button } from '../../parts/input/button.tsx';
import { Confirm } from '../../parts/message/dialog.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { ForeignText } from '../../parts/text/foreign-text.tsx';
import { AgeSince, Ago } from '../../parts/text/times.tsx';
import { useAction } from '../../state/use-action.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './agent-list.module.css';

interface AgentItemProps {
  readonly agent: AgentView;
  readonly canReap: boolean;
}

/** What it costs, and when its transcript was written. */
const Costs = ({ agent }: Pick<AgentItemProps, 'agent'>): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.popover.agents;
  return (
    <span className={styles.quiet}>
      {words.processes(agent.tree.length)} · {format.bytes(agent.rssBytes)}
      {agent.cpuPercent === null ? null : ` · ${words.cpu(format.percent(agent.cpuPercent))}`}
      {agent.lastWriteAt === null ? null : (
        <>
          {' · '}
          {words.lastWrite} <Ago at={agent.lastWriteAt} />
        </>
      )}
    </span>
  );
};

/** One agent: why no user can reach it, what it costs, and its end, which asks first. */
export const AgentItem = ({ agent, canReap }: AgentItemProps): ReactElement => {
  const { texts, format, voice } = useLanguage();
  const words = texts.popover.agents;
  const reach = voice.reach(agent);
  const [asking, setAsking] = useState(false);
  const reap = useAction('job.reap');
  const name = agentName(agent.agent);
  const { job } = agent;
  const close = (): void => {
    setAsking(false);
  };
  return (
    <li className={styles.agent}>
      <AgentMark agent={agent.agent} />
      <div className={styles.what}>
        <span>
          {name}, {reach.word}, <AgeSince at={agent.startedAt} />
        </span>
        {agent.project === null ? null : (
          <span className={styles.quiet}>
            <ForeignText text={agent.project} />
          </span>
        )}
        <span className={styles.quiet}>
          <ForeignText text={reach.text} />
        </span>
        <Costs agent={agent} />
        {agent.endWith === null ? null : (
          <span className={styles.quiet}>
            {words.endWith} <code>{agent.endWith}</code>
          </span>
        )}
        <FailureNote failure={reap.failure} />
      </div>
      {!agent.canEnd || job === null || !canReap ? null : (
        <>
          <Button
            size="small"
            aria-label={words.endName(name, String(agent.pid))}
            disabled={reap.busy}
            onClick={() => {
              setAsking(true);
            }}
          >
            {words.end}
          </Button>
          <Confirm
            open={asking}
            title={words.askTitle(name)}
            body={words.askBody}
            confirm={words.confirm}
            danger
            busy={reap.busy}
            onConfirm={() => {
              close();
              void reap.run({ job });
            }}
            onClose={close}
          >
            <ul className={styles.tree}>
              {agent.tree.map((one) => (
                <li key={one.pid}>
                  <code>
                    <ForeignText text={one.args} />
                  </code>{' '}
                  <span className={styles.quiet}>
                    {words.pid(String(one.pid))}, {format.bytes(one.rssBytes)}, {one.own ? words.own : words.left}
                  </span>
                </li>
              ))}
            </ul>
          </Confirm>
        </>
      )}
    </li>
  );
};
