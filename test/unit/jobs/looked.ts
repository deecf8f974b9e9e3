import { inWordsOfKeys } from '../../../app/format/said.ts';
import { findingAgentJobs } from '../../../app/jobs/find/agent-jobs.ts';
import type { Draft } from '../../../app/jobs/find/draft.ts';
import type { LedgerEntry } from '../../../app/jobs/ledger/ledger.ts';
import type { AgentStart, ShellNote } from '../../../app/jobs/lineage/evidence.ts';
import type { Witness } from '../../../app/jobs/lineage/witness.ts';
import { emptySessionDirectory } from '../../../app/model/session.ts';
import { drain } from '../../../app/process/steps.ts';
import { machineOf } from './machine.ts';
import type { Plant } from './plant.ts';
import { toldEvidence, type Told } from './told-evidence.ts';

/** What a test tells of one look, beyond the processes. */
export interface LookedAt {
  readonly told: Readonly<Record<number, Told>>;
  readonly witnesses?: readonly Witness[];
  readonly ledger?: readonly LedgerEntry[];
  readonly notes?: readonly ShellNote[];
  /** Left out: no record of agents that Curfew started is read. */
  readonly starts?: readonly AgentStart[];
  readonly toolShells?: 'child-session' | 'child' | 'none';
  /** False: the machine hides processes. */
  readonly complete?: boolean;
}

/** What one look gave. */
export interface Looked {
  readonly witnesses: readonly Witness[];
  readonly drafts: readonly Draft[];
  /** Evidence of the unknown owner of the job with this process; null for another, or no job. */
  readonly unknownFor: (pid: number) => string | null;
}

/** Looks at planted processes of which is known what `told` says. */
export const looked = (
  plants: readonly Plant[],
  { told, witnesses = [], ledger = [], notes = [], starts, toolShells = 'child-session', complete = true }: LookedAt,
): Looked => {
  const machine = machineOf(plants);
  machine.complete = complete;
  const found = drain(
    findingAgentJobs({
      table: machine.table(),
      evidence: {
        ...toldEvidence(told, toolShells),
        shellNotes: () => notes,
        ...(starts === undefined ? {} : { agentStarts: () => starts }),
      },
      directory: emptySessionDirectory,
      ledger,
      witnesses,
    }),
  );
  return {
    ...found,
    unknownFor: (pid) => {
      const owner = found.drafts.find(({ members }) => members.some(({ row }) => Number(row.pid) === pid))?.owner;
      return owner?.state === 'unknown' ? inWordsOfKeys(owner.evidence) : null;
    },
  };
};
