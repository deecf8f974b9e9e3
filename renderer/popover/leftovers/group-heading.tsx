import type { ReactElement } from 'react';
import { holdingsOf, type LeftoverGroup } from '../../../app/contract/claims/leftovers.ts';
import { projectName } from '../../../app/format/project-name.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { EndGroup } from './end-group.tsx';
import styles from './leftovers.module.css';

/** Above the leftovers of one session and project: what they hold, and the end of these. */
export const GroupHeading = ({ group }: { readonly group: LeftoverGroup }): ReactElement => {
  const { texts, format } = useLanguage();
  const project = visibleText(projectName(group.project) ?? texts.common.noProject);
  const size = format.bytes(holdingsOf(group.jobs).rssBytes);
  return (
    <div className={styles.group}>
      <h3 className={styles.groupName}>
        {`${project} · ${agentName(group.agent)} `}
        <span className={styles.quiet}>{size}</span>
      </h3>
      <EndGroup jobs={group.jobs} />
    </div>
  );
};
