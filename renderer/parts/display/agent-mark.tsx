import type { ReactElement } from 'react';
import { agentName } from '../../../app/text/agent-name.ts';
import { agentGlyph } from '../../../app/agents/names.ts';
import styles from './agent-mark.module.css';

/** The mark of an agent; the name is beside it or in the tooltip. */
export const AgentMark = ({ agent }: { readonly agent: string }): ReactElement => (
  <span className={styles.mark} title={agentName(agent)} aria-hidden="true">
    <svg viewBox="0 0 16 16" focusable="false">
      <path d={agentGlyph(agent)} />
    </svg>
  </span>
);
