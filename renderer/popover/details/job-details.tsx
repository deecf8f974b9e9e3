import type { ReactElement } from 'react';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { JobUsage } from '../usage/job-usage.tsx';
import { DetailActions } from './detail-actions.tsx';
import styles from './details.module.css';
import { EvidenceList } from './evidence-list.tsx';
import { PathLink, PortLink } from './links.tsx';
import { OutputTail } from './output-tail.tsx';
import { ProcessTree } from './process-tree.tsx';

/** Everything about a job, under its card. */
export const JobDetails = ({ job, id }: { readonly job: SnapshotJob; readonly id: string }): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.popover.details;
  const { container } = job;
  const { ports } = job.holds;
  return (
    <div id={id} className={styles.details}>
      <JobUsage job={job} />
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
            <dd>
              <PathLink path={job.project} host={job.host} name={words.openFolder} />
            </dd>
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
            <dd>
              <PathLink path={job.output} host={job.host} name={words.openOutput} />
            </dd>
          </div>
        )}
        {ports.length === 0 ? null : (
          <div>
            <dt>{words.ports}</dt>
            <dd className={styles.ports}>
              {ports.map((port) => (
                <PortLink key={port} port={port} host={job.host} />
              ))}
            </dd>
          </div>
        )}
        {container === undefined ? null : (
          <div>
            <dt>{words.container}</dt>
            <dd>
              {visibleText(
                container.image === null ? container.name : words.containerImage(container.name, container.image),
              )}
            </dd>
          </div>
        )}
      </dl>
      <DetailActions job={job} />
    </div>
  );
};
