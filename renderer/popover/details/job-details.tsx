import type { ReactElement } from 'react';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { DetailActions } from './detail-actions.tsx';
import styles from './details.module.css';
import { EvidenceList } from './evidence-list.tsx';
import { OutputTail } from './output-tail.tsx';
import { ProcessTree } from './process-tree.tsx';

/** Everything about a job, under its card. */
export const JobDetails = ({ job, id }: { readonly job: SnapshotJob; readonly id: string }): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.popover.details;
  const { platform } = useSnapshot();
  const { ports } = job.holds;
  return (
    <div id={id} className={styles.details}>
      <section>
        <h4>{words.processes}</h4>
        <ProcessTree job={job} />
      </section>
      <section>
        <h4>{words.output}</h4>
        <OutputTail job={job} />
      </section>
      <EvidenceList job={job} />
      <dl className={styles.facts}>
        {job.project === null ? null : (
          <div>
            <dt>{words.folder}</dt>
            <dd>{visibleText(job.project)}</dd>
          </div>
        )}
        {job.session === null ? null : (
          <div>
            <dt>{words.session}</dt>
            <dd>{visibleText(job.session)}</dd>
          </div>
        )}
        {job.output === null ? null : (
          <div>
            <dt>{words.outputFile}</dt>
            <dd>{visibleText(job.output)}</dd>
          </div>
        )}
        {ports.length === 0 ? null : (
          <div>
            <dt>{words.ports}</dt>
            <dd className={styles.ports}>
              {ports.map((port) =>
                // Only a browser opens it, and only what runs on its own machine.
                platform.surface === 'page' && job.host === 'local' ? (
                  <a key={port} href={`http://localhost:${port}/`} target="_blank" rel="noreferrer">
                    {`:${port}`}
                  </a>
                ) : (
                  <span key={port}>{`:${port}`}</span>
                ),
              )}
            </dd>
          </div>
        )}
      </dl>
      <DetailActions job={job} />
    </div>
  );
};
