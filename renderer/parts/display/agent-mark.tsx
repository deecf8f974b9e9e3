import type { ReactElement } from 'react';
import { agentName } from '../../../app/text/agent-name.ts';
import { agentMark } from '../../../app/agents/names.ts';
import styles from './agent-mark.module.css';

/** A letter that stands for the agent; its name is beside it or in the tooltip. */
export const AgentMark = ({ agent }: { readonly agent: string }): ReactElement => (
  <span className={styles.mark} title={agentName(agent)} aria-hidden="true">
    {agentMark(agent)}
  </span>
);
