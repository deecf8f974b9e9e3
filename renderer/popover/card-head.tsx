import type { ReactElement } from 'react';
import type { SnapshotJob } from '../../app/contract/snapshot.ts';
import { AgentMark } from '../parts/agent-mark.tsx';
import { visibleText } from '../parts/visible-characters.ts';
import { agentName } from '../texts/agents.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { projectName } from './groups.ts';
import styles from './job-card.module.css';

interface CardHeadProps {
  readonly id: string;
  readonly agent: string;
  readonly project: string | null;
  readonly host: string;
  readonly owner: SnapshotJob['owner'] | null;
}

/** Whose job it is: agent mark, project, agent, session, and the machine if it isn't this one. */
export const CardHead = ({ id, agent, project, host, owner }: CardHeadProps): ReactElement => {
  const { texts } = useLanguage();
  const name = projectName(project);
  return (
    <header className={styles.head}>
      <AgentMark agent={agent} />
      <h3 id={id} className={styles.project} title={project === null ? undefined : visibleText(project)}>
        {name === null ? texts.common.noProject : visibleText(name)}
      </h3>
      <p className={styles.about}>
        {[
          agentName(agent),
          ...(owner === 'live' ? [texts.common.owner.live] : []),
          ...(host === 'local' ? [] : [texts.common.host(visibleText(host))]),
        ].join(' · ')}
      </p>
    </header>
  );
};
