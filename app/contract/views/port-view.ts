import type { AgentId } from '../../agents/common/agent-id.ts';
import type { SafeText } from '../../format/secrets/safe-text.ts';
import type { VerdictState } from '../../judge/verdict.ts';

/** A worktree of git. */
export interface Worktree {
  readonly folder: SafeText;
  /** null: its HEAD is detached, or can't be read. */
  readonly branch: SafeText | null;
  /** It was made by `git worktree add`. */
  readonly linked: boolean;
}

/** A connection to the port. */
export interface PortClient {
  readonly from: string | null;
  /** The user's process that made it; null: another machine's or user's, or it can't be told. */
  readonly pid: number | null;
  readonly name: SafeText | null;
}

/** A process that listens on the port. */
export interface PortHolder {
  readonly pid: number;
  readonly name: SafeText;
  readonly command: SafeText;
  readonly ageSeconds: number;
  readonly folder: SafeText | null;
  readonly folderDeleted: boolean;
  readonly worktree: Worktree | null;
  /** For a terminal, to start it again; null: its folder is gone, or its command is not known. */
  readonly again: SafeText | null;
  readonly job: PortJob | null;
}

export interface PortJob {
  readonly id: string;
  readonly agent: AgentId;
  readonly session: string | null;
  readonly state: VerdictState;
  readonly command: SafeText;
  readonly text: readonly SafeText[];
}

/** What is known of a port of this machine. */
export interface PortView {
  readonly schema: 1;
  readonly port: number;
  /** null: the system does not tell. */
  readonly inUse: boolean | null;
  readonly holders: readonly PortHolder[];
  readonly clients: readonly PortClient[];
}
