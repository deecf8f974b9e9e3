import { listedCommand } from '../../../app/text/job.ts';
import { projectName } from '../../../app/format/project-name.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import type { SortKeys } from '../../parts/table/sorting.ts';
import type { JobGroups, LookItem } from '../card/groups.ts';

export type JobColumn = 'job' | 'state' | 'age' | 'cpu' | 'memory' | 'ports';

/** The order that a column is first sorted in: names from A, the worst and the largest first. */
export const firstDirection: Readonly<Record<JobColumn, 'ascending' | 'descending'>> = {
  job: 'ascending',
  state: 'ascending',
  age: 'descending',
  cpu: 'descending',
  memory: 'descending',
  ports: 'ascending',
};

/** One row: a job, or what is left of it to say. */
export interface JobLine extends LookItem {
  /** Place among all jobs, the worst first. */
  readonly rank: number;
  readonly command: string;
  readonly agent: string;
  readonly project: string | null;
  readonly host: string;
}

const lineOf = (item: LookItem, rank: number): readonly JobLine[] => {
  const named = item.job ?? item.reaping;
  if (named === null) return [];
  const { agent, project, host } = named;
  const command = listedCommand({ name: item.job?.name, command: named.command });
  return [{ ...item, rank, command, agent: agentName(agent, item.job?.rule), project: projectName(project), host }];
};

/** Returns the rows of all jobs, the worst first. */
export const jobLines = ({ look, within, kept, protectedOnes }: JobGroups): readonly JobLine[] =>
  [
    ...look,
    ...[...within, ...kept, ...protectedOnes].map((job): LookItem => ({ id: job.id, job, reaping: null })),
  ].flatMap(lineOf);

/** What each column is sorted by. */
export const sortKeys: SortKeys<JobColumn, JobLine> = {
  job: ({ project, command }) => `${project ?? ''} ${command}`,
  state: ({ rank }) => rank,
  // The older, the larger.
  age: ({ job }) => (job === null ? null : -Date.parse(job.startedAt)),
  cpu: ({ job }) => job?.holds.cpuPercent ?? null,
  memory: ({ job }) => job?.holds.rssBytes ?? null,
  ports: ({ job }) => job?.holds.ports[0] ?? null,
};
