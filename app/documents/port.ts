import type { PortClient, PortHolder, PortLock, PortView, Worktree } from '../contract/views/port-view.ts';
import { inTerminal, quoted } from '../format/in-terminal.ts';
import { redactCommand, redactProcess } from '../format/secrets/redact.ts';
import type { Found } from '../format/secrets/safe-text.ts';
import { safeView } from '../format/secrets/safe-view.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Job } from '../model/job.ts';
import type { ProcessRow } from '../process/row.ts';
import { ageSeconds, type ProcessTable } from '../process/table.ts';
import { sayReason } from '../text/reasons.ts';

export type FoundWorktree = Found<Worktree>;

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
  readonly locks: readonly Found<PortLock>[];
}

/** A job's own command is what its agent asked for, a shell's pipeline and all. */
const againOf = ({ row, cwd, cwdDeleted, judged }: FoundHolder): string | null => {
  const command =
    judged?.job.kind === 'server' || judged === null ? row.argv.map(quoted).join(' ') : judged.job.command;
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
export const portView = ({ port, inUse, holders, clients, locks }: FoundPort, table: ProcessTable): PortView =>
  safeView<PortView>({
    schema: 1,
    port,
    inUse,
    holders: holders.map((one) => holderView(one, table)),
    clients,
    locks,
  });
