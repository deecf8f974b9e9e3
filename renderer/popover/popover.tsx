import { useMemo, type ReactElement } from 'react';
import { useSnapshot } from '../state/store-context.ts';
import { jobGroups } from './card/groups.ts';
import { Foot } from './foot.tsx';
import { Head } from './head.tsx';
import { JobLists } from './job-lists.tsx';
import { Notices } from './notices.tsx';
import styles from './popover.module.css';

/**
 * The view of five seconds: is anything stuck, what is it, may I end it. `focus` names the job
 * whose card is to be shown.
 */
export const Popover = ({ focus }: { readonly focus: string | null }): ReactElement => {
  const snapshot = useSnapshot();
  const { platform } = snapshot;
  const groups = useMemo(() => jobGroups(snapshot), [snapshot]);
  return (
    <div className={styles.popover} data-surface={platform.surface}>
      <Head />
      <main className={styles.body}>
        <Notices />
        <JobLists groups={groups} focus={focus} />
      </main>
      {platform.surface === 'page' ? null : <Foot />}
    </div>
  );
};
