import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { memberTree } from './member-tree.ts';

/** Returns all of a job as text for a report. Times in UTC; no invisible characters. */
export const detailsText = (job: SnapshotJob, nowMs: number): string => {
  const seconds = (since: string): number => Math.round((nowMs - Date.parse(since)) / 1000);
  const silent = job.silentSince === null ? 'not silent' : `silent ${seconds(job.silentSince)} s`;
  const facts = [
    `job ${job.id} (${job.agent}, ${job.rule}) on ${job.host}`,
    `command: ${job.command}`,
    ...(job.name === undefined ? [] : [`name: ${job.name}`]),
    ...(job.run === undefined ? [] : [`run: ${job.run.id}`]),
    ...(job.container === undefined
      ? []
      : [`container: ${job.container.name} (${job.container.image ?? 'image unknown'})`]),
    `project: ${job.project ?? 'unknown'}`,
    `session: ${job.session ?? 'unknown'} (${job.owner}: ${job.ownerEvidence})`,
    `started: ${job.startedAt}, age ${seconds(job.startedAt)} s, ${silent}`,
    `verdict: ${job.verdict.state}, ${job.verdict.action}`,
    ...job.verdict.reasons.map((reason) => `  - ${reason.text}`),
    ...job.vetoes.map((veto) => `  veto: ${veto.text}`),
    ...job.evidence.map((proof) => `  evidence: ${proof.text}`),
    'processes:',
    ...memberTree(job.members).map(
      ({ member, depth }) => `  ${'  '.repeat(depth)}${member.pid} ${member.state} ${member.rssBytes} B ${member.args}`,
    ),
  ];
  return `${facts.map(visibleText).join('\n')}\n`;
};
