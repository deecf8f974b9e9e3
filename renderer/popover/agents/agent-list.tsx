import { useId, type ReactElement } from 'react';
import { Heading } from '../../parts/display/heading.tsx';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { AgentItem } from './agent-item.tsx';
import styles from './agent-list.module.css';

/** Agents that no user may be able to reach, in a section of their own. Empty without any. */
export const AgentList = (): ReactElement | null => {
  const { texts } = useLanguage();
  const { agents, platform } = useSnapshot();
  const id = useId();
  if (agents.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Heading id={id}>{texts.popover.agents.heading}</Heading>
      <ul className={styles.agents}>
        {agents.map((agent) => (
          <AgentItem key={`${agent.pid} ${agent.startedAt}`} agent={agent} canReap={platform.canReap} />
        ))}
      </ul>
    </section>
  );
};
