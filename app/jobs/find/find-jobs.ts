import { processTree } from '../../process/tree.ts';
import { drain, type Steps } from '../../process/steps.ts';
import { findingAgentJobs, type AgentJobsInput, type FoundJobs } from './agent-jobs.ts';
import { findServerJobs } from './server-jobs.ts';
import { findRunJobs, type RunJobsInput } from './run-jobs.ts';

export interface FindInput extends Omit<AgentJobsInput, 'isOfRun'>, Pick<RunJobsInput, 'runs' | 'cookie'> {
  /** Servers of living sessions are jobs too. */
  readonly allServers?: boolean;
}

/**
 * Returns the jobs of one process table: those of runs, the servers of sessions, and those of
 * agents among what is left. Pure but for what `evidence` and `cookie` look up.
 */
export const findJobs = (input: FindInput): FoundJobs => drain(findingJobs(input));

/** See `findJobs`; in steps. */
export function* findingJobs(input: FindInput): Steps<FoundJobs> {
  const ofRuns = findRunJobs({ ...input, tree: processTree(input.table.rows) });
  yield;
  // A run is known by its record; what is left of one whose `curfew run` was killed is ended in
  // another way.
  const ledger = input.ledger.filter(({ agent }) => agent !== 'curfew-run');
  const servers = findServerJobs({
    ...input,
    ledger,
    isOfRun: (row) => ofRuns.owned.has(row.pid),
    all: input.allServers === true,
  });
  yield;
  const { drafts, witnesses } = yield* findingAgentJobs({
    ...input,
    // What was a server is never taken for a command, whatever of it can be seen at this look.
    ledger: ledger.filter(({ server }) => server === undefined),
    isOfRun: (row) => ofRuns.owned.has(row.pid) || servers.owned.has(row.pid),
  });
  return {
    drafts: [...drafts, ...ofRuns.drafts, ...servers.drafts],
    witnesses: [...witnesses, ...servers.witnesses],
  };
}
