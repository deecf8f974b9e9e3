import type { ReactElement } from 'react';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { ForeignText } from '../../parts/text/foreign-text.tsx';
import { AgeSince } from '../../parts/text/times.tsx';
import { useLanguage } from '../../texts/texts-context.ts';
import { wordOf } from '../../texts/word-of.ts';
import styles from './details.module.css';
import { memberTree } from './member-tree.ts';

/** The processes of a job as a tree: command, age, CPU, memory, and why each belongs to it. */
export const ProcessTree = ({ job }: { readonly job: SnapshotJob }): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.popover.details;
  return (
    <table className={styles.tree} aria-label={words.processes}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{words.process}</th>
          <th scope="col">{words.cpu}</th>
          <th scope="col">{words.memory}</th>
        </tr>
      </thead>
      <tbody>
        {memberTree(job.members).map(({ member, depth }) => {
          const reasons = member.by.map((by) => words.membership[by]);
          const why = [
            ...(member.pid === job.root.pid ? [words.root] : []),
            ...reasons,
            ...[wordOf(words.states, member.state, '')].filter((state) => state !== ''),
          ].join(' · ');
          return (
            <tr key={member.pid}>
              <th scope="row" style={{ paddingInlineStart: `${Math.min(depth, 8) * 14}px` }}>
                <code className={styles.args} data-nested={depth > 0}>
                  <ForeignText text={member.args} />
                </code>
                <span className={styles.why}>
                  {words.pid} {member.pid} · <AgeSince at={member.startedAt} />
                  {why === '' ? null : ` · ${why}`}
                </span>
              </th>
              <td>
                {member.cpuPercent === null ? (
                  <span title={words.cpuUnknown}>–</span>
                ) : (
                  format.percent(member.cpuPercent)
                )}
              </td>
              <td>{format.bytes(member.rssBytes)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};
