import type { AgentId, AgentSessionId } from '../agents/common/agent-id.ts';
import type { ProcessRow } from '../process/row.ts';
import type { JobId } from './job.ts';
import type { Idle, SeenReach } from './reach.ts';

/** How a service of an agent is ended by the agent's own command. */
export interface OwnServiceEnd {
  /** Names it for the user's order; steady as long as the service lives. */
  readonly id: JobId;
  readonly command: readonly [string, ...string[]];
  /** The process that is gone when the service has ended. */
  readonly target: ProcessRow;
}

/** An agent of the user as one look found it. */
export interface RunningAgent extends SeenReach {
  readonly agent: AgentId;
  /** Its own processes, the one nearest to the top first. */
  readonly parts: readonly ProcessRow[];
  readonly session: AgentSessionId | null;
  readonly project: string | null;
  /** When its transcript was written last: wall clock, milliseconds; null: not known. */
  readonly lastWriteMs: number | null;
  /** Since when it waits for its user, as it says itself or its transcript; null: not known. */
  readonly idleSinceMs: number | null;
  /** All that lives of it: its own processes, and what hangs below them. */
  readonly tree: readonly ProcessRow[];
  /** Share of one core since the look before, of its own processes; null at the first look. */
  readonly cpuPercent: number | null;
  /** How its agent ends this service by a command of its own; null: it is none, or has none. */
  readonly ownEnd: OwnServiceEnd | null;
  /** Under this id it can be ended, see `agentJobs` of a look; null: it is not to be. */
  readonly job: JobId | null;
  readonly idle: Idle;
}
