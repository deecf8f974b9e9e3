import type { ReactElement } from 'react';
import { canKeep } from '../../../app/contract/claims/claims.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { ActionsMenu } from '../../parts/input/actions-menu.tsx';
import { EndWithSession } from '../leftovers/end-group.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { NeverEnd, useSparing } from '../../parts/message/use-sparing.tsx';
import { useAction } from '../../state/use-action.ts';
import { useNow } from '../../state/clock.ts';
import { useConfirmed } from '../../state/use-confirmed.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { detailsText } from './details-text.ts';
import styles from './details.module.css';
import { jobLimits } from './job-limits.ts';

/** Keep for longer, never end, copy. */
export const DetailActions = ({ job }: { readonly job: SnapshotJob }): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.popover.details;
  const { values } = useSnapshot().settings;
  const sparing = useSparing({ job: job.id, host: job.host });
  const keep = useAction('job.keep');
  const copy = useAction('app.copy');
  const [copied, confirm] = useConfirmed<true>();
  const keepFor = (seconds: number) => (): void => {
    void keep.run({ job: job.id, host: job.host, seconds });
  };
  const now = useNow();
  const copyText = (text: () => string) => (): void => {
    void copy.run({ text: text() }).then((done) => confirm(done === null ? null : true));
  };
  const keepToCap = (): void => {
    const ageSeconds = (now() - Date.parse(job.startedAt)) / 1000;
    keepFor(Math.max(1, Math.floor(jobLimits(job, values).capSeconds - ageSeconds)))();
  };
  return (
    <div className={styles.actions}>
      <EndWithSession job={job} />
      {canKeep(job) ? (
        <ActionsMenu
          label={words.keepFor}
          actions={[
            { label: words.keepTwoHours, run: keepFor(7200) },
            { label: words.keepCap, run: keepToCap },
          ]}
        />
      ) : null}
      {/* Exemptions apply to the settings' limits; a run has its own. */}
      {job.run !== undefined ? null : <NeverEnd sparing={sparing} project={job.project} />}
      <ActionsMenu
        label={words.copy}
        actions={[
          { label: words.copyDetails, run: copyText(() => detailsText(job, now())) },
          { label: words.copyCommand, run: copyText(() => job.command) },
          { label: words.copyPid, run: copyText(() => String(job.root.pid)) },
          { label: words.copyFolder, run: copyText(() => job.project ?? ''), disabled: job.project === null },
          { label: words.copyOutput, run: copyText(() => job.output ?? ''), disabled: job.output === null },
        ]}
      />
      {/* Said once; the menu keeps its name. */}
      <span role="status" className={styles.quiet}>
        {copied === null ? '' : texts.common.copied}
      </span>
      {sparing.notice}
      <FailureNote failure={keep.failure ?? copy.failure} />
    </div>
  );
};
