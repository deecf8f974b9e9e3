import type { AgentId } from '../agents/common/agent-id.ts';
import { inTerminal } from '../format/in-terminal.ts';
import { redactCommand, redactProcess } from '../format/secrets/redact.ts';
import type { Found, SafeText } from '../format/secrets/safe-text.ts';
import { safeView } from '../format/secrets/safe-view.ts';
import type { Verdict, VerdictState } from '../judge/verdict.ts';
import type { Job } from '../model/job.ts';
import type { ProcessRow } from '../process/row.ts';
import { ageSeconds, type ProcessTable } from '../process/table.ts';
import { sayReason } from '../text/reasons.ts';

/** A worktree of git. */
export interface Worktree {
  readonly folder: SafeText;
  /** null: its HEAD is detached, or can't be read. */
  readonly branch: SafeText | null;
  /** It was made by `git worktree add`. */
  readonly linked: boolean;
}

export type FoundWorktree = Found<Worktree>;

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

/** A process that listens, as it was read. */
export interface FoundHolder {
  readonly row: ProcessRow;
  readonly cwd: string | null;
  readonly cwdDeleted: boolean;
  readonly worktree: FoundWorktree | null;
  readonly judged: { readonly job: Job; readonly verdict: Verdict } | null;
}

export interface FoundPort {
  readonly port: number;
  readonly inUse: boolean | null;
  readonly holders: readonly FoundHolder[];
  readonly clients: readonly Found<PortClient>[];
}

/** A job's own command is what its agent asked for, a shell's pipeline and all. */
const againOf = ({ row, cwd, cwdDeleted, judged }: FoundHolder): string | null => {
  const command = judged?.job.kind === 'server' || judged === null ? redactProcess(row) : judged.job.command;
  const folder = judged === null || judged.job.kind === 'server' ? cwd : (judged.job.project ?? cwd);
  return cwdDeleted || folder === null || command === '' ? null : redactCommand(inTerminal(command, folder));
};

const holderView = (found: FoundHolder, table: ProcessTable): Found<PortHolder> => {
  const { row, cwd, cwdDeleted, worktree, judged } = found;
  return {
    pid: row.pid,
    name: row.comm,
    command: redactProcess(row),
    ageSeconds: Math.floor(ageSeconds(table, row.startTicks)),
    folder: cwd,
    folderDeleted: cwdDeleted,
    worktree,
    again: againOf(found),
    job:
      judged === null
        ? null
        : {
            id: judged.job.id,
            agent: judged.job.agent,
            session: judged.job.session,
            state: judged.verdict.state,
            command: judged.job.command,
            text: judged.verdict.reasons.map(sayReason),
          },
  };
};

/** Returns what is known of a port in the published form. Pure. */
export const portView = ({ port, inUse, holders, clients }: FoundPort, table: ProcessTable): PortView =>
  safeView<PortView>({
    schema: 1,
    port,
    inUse,
    holders: holders.map((one) => holderView(one, table)),
    clients,
  });
