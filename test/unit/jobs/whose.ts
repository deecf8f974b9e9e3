import { asAgentSessionId } from '../../../app/agents/common/agent-id.ts';
import type { Claim } from '../../../app/agents/common/claim.ts';
import type { Cluster } from '../../../app/jobs/lineage/cluster.ts';
import { lineageOf } from '../../../app/jobs/lineage/lineage.ts';
import type { Root, RootProof } from '../../../app/jobs/lineage/root.ts';
import { tableViewOf } from '../../../app/jobs/lineage/table-view.ts';
import type { AgentSession, SessionDirectory } from '../../../app/model/session.ts';
import { emptySessionDirectory } from '../../../app/model/session.ts';
import { ownerOf, ownerWorldOf } from '../../../app/jobs/owner/owner.ts';
import type { Witness } from '../../../app/jobs/lineage/witness.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { type Pid, asPid } from '../../../app/process/identity.ts';
import { machineOf } from './machine.ts';
import type { Plant } from './plant.ts';
import { shownOwner, type ShownOwner } from './shown-owner.ts';
import { toldEvidence, toolMark, type Told } from './told-evidence.ts';

/** Started at second 50, the job at second 80. */
export const agent: Plant = { pid: 34, argv: 'claude', start: 50 };
export const recorded = { pid: 34, startTicks: 5000 };
export const job: Plant = { pid: 81, argv: 'sleep 9', start: 80 };
const isClaude: Readonly<Record<number, Told>> = { 34: { program: 'claude-code' } };

export interface Situation {
  readonly plants: readonly Plant[];
  readonly told?: Readonly<Record<number, Told>>;
  readonly directory?: Partial<SessionDirectory>;
  readonly complete?: boolean;
  /** Curfew's own pid. */
  readonly self?: Pid;
  /** Living processes by the pid that they have in a namespace of their own. */
  readonly inside?: Readonly<Record<number, Pid>>;
  /** The agent starts tool shells as leaders of kernel sessions. */
  readonly leads?: boolean;
  /** Processes whose package was read and holds no agent. */
  readonly without?: readonly number[];
  readonly cannotOwn?: (row: ProcessRow) => boolean;
  /** What earlier looks gave. */
  readonly witnesses?: readonly Witness[];
  /** Roots of other jobs, by pid. */
  readonly beside?: Readonly<Record<number, RootProof>>;
}

export const lookedAt = ({ plants, told = isClaude, complete = true, self, inside, leads, without }: Situation) => {
  const table = { ...machineOf(plants).table(), complete, ...(self === undefined ? {} : { self }) };
  const view = tableViewOf(table, {
    ...toldEvidence(told, leads === true ? 'child-session' : 'none'),
    namedInside: (pid, begun) => {
      const found = table.rows.get(inside?.[pid] ?? asPid(0));
      const began = found?.startTicks ?? 0;
      return begun !== undefined && began > begun.ticks ? null : (inside?.[pid] ?? null);
    },
    holdsAgent: ({ pid }) => (without?.includes(pid) === true ? false : null),
  });
  const rootOf = (pid: Pid, proof: RootProof): Root => {
    const row = table.rows.get(pid);
    if (row === undefined) throw new Error(`process ${pid} was never planted`);
    return { row, proof, lineage: lineageOf(view, row), endsLineage: false };
  };
  return { view, rootOf };
};

/** Whose the job is whose root is process 81. */
export const whose = (situation: Situation, proof: RootProof, cluster: Partial<Cluster> = {}): ShownOwner => {
  const { view, rootOf } = lookedAt(situation);
  const { cannotOwn } = situation;
  const directory = { ...emptySessionDirectory, ...situation.directory };
  const roots = [rootOf(asPid(81), proof)];
  const beside = Object.entries(situation.beside ?? {}).map(([pid, other]) => rootOf(asPid(Number(pid)), other));
  return shownOwner(
    ownerOf(
      ownerWorldOf(
        { ...view, directory, before: situation.witnesses ?? [], ...(cannotOwn === undefined ? {} : { cannotOwn }) },
        [...roots, ...beside],
      ),
      {
        roots,
        entry: null,
        output: null,
        ...cluster,
      },
    ),
  );
};
export const claimed = (claim: Claim, ...others: readonly Claim[]): RootProof => ({ kind: 'claim', claim, others });
export const nameless = claimed(toolMark('claude-code'));
export const inSession = (session: string): RootProof => claimed(toolMark('claude-code', { session }));
export const names = (pid: number): RootProof => claimed(toolMark('claude-code', { pid }));

export const session = (more: Partial<AgentSession>): AgentSession => ({
  agent: 'claude-code',
  id: null,
  process: null,
  pid: null,
  state: 'live',
  project: null,
  source: 'sessions/x.json',
  ...more,
});
export const [idA, idB] = [asAgentSessionId('a'), asAgentSessionId('b')];
