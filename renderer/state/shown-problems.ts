import type { Snapshot } from '../../app/contract/views/snapshot.ts';

type Problem = Snapshot['health']['problems'][number];

/** Who is out of reach has a notice of its own up to so many machines; without a network all of them are, and the jobs must stay in sight. */
const maxHosts = 3;

/** What is wrong, as it is told above the jobs. */
export interface ShownProblems {
  readonly alone: readonly Problem[];
  /** Names of machines out of reach that are told of together; empty when each is told of alone. */
  readonly hosts: readonly string[];
}

const outOfReach = ({ code }: Problem): boolean => code === 'host-out-of-reach';

/** Sorts what is told alone from what is told together. */
export const shownProblems = (problems: readonly Problem[]): ShownProblems => {
  const hosts = problems.filter(outOfReach);
  if (hosts.length <= maxHosts) return { alone: problems, hosts: [] };
  return {
    alone: problems.filter((problem) => !outOfReach(problem)),
    hosts: hosts.map(({ figures }) => String(figures['host'])),
  };
};

/** What is said of one machine: since when and why it is out of reach; null while it isn't. */
export const problemOfHost = (problems: readonly Problem[], host: string): string | null =>
  problems.find((problem) => outOfReach(problem) && problem.figures['host'] === host)?.text ?? null;
