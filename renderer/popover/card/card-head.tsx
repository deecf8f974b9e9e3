import type { ReactElement, ReactNode } from 'react';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { AgentMark } from '../../parts/display/agent-mark.tsx';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { projectName } from '../../../app/format/project-name.ts';
import styles from './job-card.module.css';

interface CardHeadProps {
  readonly id: string;
  /** Name from the user or the agent; null: none. */
  readonly name: string | null;
  readonly agent: string;
  /** Rule that recognised the job; names a lesser-known agent. */
  readonly rule?: string;
  readonly project: string | null;
  readonly host: string;
  readonly owner: SnapshotJob['owner'] | null;
  /** Before all else: the choice of the job. */
  readonly choice?: ReactNode;
  /** The most urgent fact, at the end of the line. */
  readonly children?: ReactNode;
}

/** Owner of the job: agent mark, project, agent, session, and the machine unless it is this one. */
export const CardHead = ({
  id,
  name,
  agent,
  rule,
  project,
  host,
  owner,
  choice,
  children,
}: CardHeadProps): ReactElement => {
  const { texts } = useLanguage();
  const folder = projectName(project);
  return (
    <header className={styles.head}>
      {choice}
      <AgentMark agent={agent} />
      <h3 id={id} className={styles.project} title={project === null ? undefined : visibleText(project)}>
        {folder === null ? texts.common.noProject : visibleText(folder)}
      </h3>
      <p className={styles.about}>
        {[
          ...(name === null ? [] : [visibleText(name)]),
          agentName(agent, rule),
          ...(owner === 'live' ? [texts.common.owner.live] : []),
          ...(host === 'local' ? [] : [texts.common.host(visibleText(host))]),
        ].join(' · ')}
      </p>
      {children}
    </header>
  );
};
