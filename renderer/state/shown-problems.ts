import type { Said } from '../../app/format/said.ts';
import type { Snapshot } from '../../app/contract/views/snapshot.ts';

type Problem = Snapshot['health']['problems'][number];

/** At most this many machines get a notice each; more share one, as all do without a network. */
const maxHosts = 3;

/** Problems as shown above the jobs. */
export interface ShownProblems {
  readonly alone: readonly Problem[];
  /** Names of unreachable machines with a shared notice; empty if each has its own. */
  readonly hosts: readonly string[];
}

const outOfReach = ({ code }: Problem): boolean => code === 'host-out-of-reach';

/** Separates problems with a notice of their own from those that share one. */
export const shownProblems = (problems: readonly Problem[]): ShownProblems => {
  const hosts = problems.filter(outOfReach);
  if (hosts.length <= maxHosts) return { alone: problems, hosts: [] };
  return {
    alone: problems.filter((problem) => !outOfReach(problem)),
    hosts: hosts.map(({ figures }) => String(figures['host'])),
  };
};

/** Says since when and why a machine is unreachable; null if it is reachable. */
export const problemOfHost = (problems: readonly Problem[], host: string): Said | null =>
  problems.find((problem) => outOfReach(problem) && problem.figures['host'] === host)?.text ?? null;
