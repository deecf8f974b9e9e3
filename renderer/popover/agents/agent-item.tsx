import type { ReactElement } from 'react';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import { AgentMark } from '../../parts/display/agent-mark.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { ForeignText } from '../../parts/text/foreign-text.tsx';
import { AgeSince, Ago } from '../../parts/text/times.tsx';
import { useAction } from '../../state/use-action.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { EndQuestion } from './end-question.tsx';
import styles from './agent-list.module.css';

interface AgentItemProps {
  readonly agent: Snapshot['agents'][number];
  readonly canReap: boolean;
}

/** What it costs, and when its transcript was written. */
const Costs = ({ agent }: Pick<AgentItemProps, 'agent'>): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.popover.agents;
  return (
    <span className={styles.quiet}>
      {texts.common.processes(agent.tree.length)} · {format.bytes(agent.rssBytes)}
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

/** What is ended with it, and what then is left over; by its own command it is not known. */
const Tree = ({ agent }: Pick<AgentItemProps, 'agent'>): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.popover.agents;
  const becomes = (own: boolean): string => (agent.ownEnd === null ? `, ${own ? words.own : words.left}` : '');
  return (
    <ul className={styles.tree}>
      {agent.tree.map((one) => (
        <li key={one.pid}>
          <code>
            <ForeignText text={one.args} />
          </code>{' '}
          <span className={styles.quiet}>
            {texts.common.process(one.pid)}, {format.bytes(one.rssBytes)}
            {becomes(one.own)}
          </span>
        </li>
      ))}
    </ul>
  );
};

/** The command that ends it, as the user would write it. */
const OwnCommand = ({ command }: { readonly command: string }): ReactElement => (
  <code>
    <ForeignText text={command} />
  </code>
);

/** One agent: why no user can reach it, what it costs, and its end, which asks first. */
export const AgentItem = ({ agent, canReap }: AgentItemProps): ReactElement => {
  const { texts, voice } = useLanguage();
  const words = texts.popover.agents;
  const reap = useAction('job.reap');
  // A service is never signalled: its agent's own command ends it.
  const stop = useAction('agent.end');
  const name = agentName(agent.agent);
  const { job, ownEnd, endWith } = agent;
  const end = (): void => {
    if (ownEnd !== null) void stop.run({ id: ownEnd });
    else if (job !== null) void reap.run({ job });
  };
  return (
    <li className={styles.agent}>
      <AgentMark agent={agent.agent} />
      <div className={styles.what}>
        <span>
          {name}, {voice.reachWord(agent.state)}, <AgeSince at={agent.startedAt} />
        </span>
        {agent.project === null ? null : (
          <span className={styles.quiet}>
            <ForeignText text={agent.project} />
          </span>
        )}
        <span className={styles.quiet}>
          <ForeignText text={voice.said(agent.said)} />
        </span>
        <Costs agent={agent} />
        {endWith === null ? null : (
          <span className={styles.quiet}>
            {words.endWith} <OwnCommand command={endWith} />
          </span>
        )}
        <FailureNote failure={reap.failure ?? stop.failure} />
      </div>
      {!canReap || (ownEnd === null && (!agent.canEnd || job === null)) ? null : (
        <EndQuestion
          endName={words.endName(name, String(agent.pid))}
          title={words.askTitle(name)}
          body={ownEnd === null ? words.askBody : words.askOwnBody}
          busy={reap.busy || stop.busy}
          onEnd={end}
        >
          {ownEnd === null || endWith === null ? null : (
            <p>
              <OwnCommand command={endWith} />
            </p>
          )}
          <Tree agent={agent} />
        </EndQuestion>
      )}
    </li>
  );
};
