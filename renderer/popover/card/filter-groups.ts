import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { agentName } from '../../../app/text/agent-name.ts';
import type { JobGroups } from './groups.ts';

interface Found {
  readonly command: string;
  readonly project: string | null;
  readonly agent: string;
}

const textOf = ({ command, project, agent }: Found, job: SnapshotJob | null): string =>
  [
    command,
    project ?? '',
    agentName(agent),
    ...(job === null
      ? []
      : [job.name ?? '', ...job.holds.ports.map((port) => `:${port}`), ...job.members.map(({ pid }) => String(pid))]),
  ]
    .join('\n')
    .toLocaleLowerCase();

/** Returns the jobs that contain every word of the query: all without one. */
export const filterGroups = (groups: JobGroups, query: string): JobGroups => {
  const words = query.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return groups;
  const fits = (found: Found | null, job: SnapshotJob | null): boolean => {
    if (found === null) return false;
    const text = textOf(found, job);
    return words.every((word) => text.includes(word));
  };
  const isFound = (job: SnapshotJob): boolean => fits(job, job);
  return {
    look: groups.look.filter(({ job, reaping }) => fits(job ?? reaping, job)),
    within: groups.within.filter(isFound),
    kept: groups.kept.filter(isFound),
    protectedOnes: groups.protectedOnes.filter(isFound),
  };
};
