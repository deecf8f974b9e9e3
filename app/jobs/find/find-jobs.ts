import { processTree } from '../../process/tree.ts';
import { drain, type Steps } from '../../process/steps.ts';
import { findingAgentJobs, type AgentJobsInput, type FoundJobs } from './agent-jobs.ts';
import { findRunJobs, type RunJobsInput } from './run-jobs.ts';

type Input = Omit<AgentJobsInput, 'isOfRun'> & Pick<RunJobsInput, 'runs' | 'cookie'>;

/**
 * Returns the jobs of one process table: those of runs, and those of agents among what is left.
 * Pure but for what `evidence` and `cookie` look up.
 */
export const findJobs = (input: Input): FoundJobs => drain(findingJobs(input));

/** See `findJobs`; in steps. */
export function* findingJobs(input: Input): Steps<FoundJobs> {
  const ofRuns = findRunJobs({ ...input, tree: processTree(input.table.rows) });
  yield;
  const { drafts, witnesses } = yield* findingAgentJobs({
    ...input,
    // A run is known by its record; what is left of one whose `curfew run` was killed is ended in
    // another way.
    ledger: input.ledger.filter(({ agent }) => agent !== 'curfew-run'),
    isOfRun: (row) => ofRuns.owned.has(row.pid),
  });
  return { drafts: [...drafts, ...ofRuns.drafts], witnesses };
}
