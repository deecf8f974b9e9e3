import type { AgentId } from '../../agents/common/agent-id.ts';
import type { Claim } from '../../agents/common/claim.ts';
import type { Pid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { LedgerEntry, ProcessRef, SeenAgent } from '../ledger/ledger.ts';
import type { TableView } from '../lineage/table-view.ts';
import type { Witness } from '../lineage/witness.ts';
import type { SessionDirectory } from '../../model/session.ts';

export interface LivingAgent {
  readonly agent: AgentId;
  readonly row: ProcessRow;
}

/** What owners are worked out from; made once for a table. */
export interface OwnerWorld extends TableView {
  readonly directory: SessionDirectory;
  readonly before: readonly Witness[];
  readonly agents: readonly LivingAgent[];
  /**
   * True for an agent that no user can reach and that cannot have started a job which began then:
   * it must not shield the leftovers of later sessions for ever.
   */
  readonly cannotOwn?: (agent: ProcessRow, begunTicks: number) => boolean;
  /** Living programs that are agents, or contain one by their names, and carry marks of a call. */
  readonly inner: readonly ProcessRow[];
  readonly possible: (agent: AgentId, session: string | null) => ProcessRow | null;
}

/** What is asked whose it is: a claim on a command or a part of one, or a server. */
export interface Subject {
  readonly kind: 'command' | 'server';
  readonly agent: AgentId;
  readonly row: ProcessRow;
  /** What it hangs below, see `Lineage`. */
  readonly chain: readonly ProcessRow[];
  /** Start of its oldest known part, in ticks. */
  readonly begunTicks: number;
  readonly session: string | null;
  /** The agent's pid that its marks name; null where they name none, or one of a sandbox. */
  readonly named: Pid | null;
  /** Its marks were made in a sandbox with pids of its own. */
  readonly sandboxed: boolean;
  /** The claim that is asked about; null for what has none. */
  readonly claim: Claim | null;
  /** What a look saw as its agent: above it, or as the process that its marks name. */
  readonly seen: ProcessRef | null;
  /** Known to be a part of the job itself. */
  readonly isPart: (row: ProcessRow) => boolean;
  /** Folders that tell its project, as Claude Code writes them. */
  readonly slugs: readonly string[];
  readonly entry: LedgerEntry | null;
  /** The other ends of its standard input and output are closed: nothing serves it any more. */
  readonly endsClosed: boolean;
}

/** Agents that could own it, as looks saw them. */
export const couldOwnBy = ({ entry, agent }: Subject): readonly SeenAgent[] =>
  entry?.couldOwn?.filter((one) => one.agent === agent) ?? [];
