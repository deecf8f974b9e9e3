import type { SafeText } from '../../format/secrets/safe-text.ts';
import type { AgentId } from '../../agents/common/agent-id.ts';
import { redactCommand } from '../../format/secrets/redact.ts';
import type { Evidence } from '../lineage/evidence.ts';
import type { Member, Provenance } from '../../model/job.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';

interface Nameable {
  readonly agent: AgentId;
  readonly command: SafeText;
  readonly name: string | null;
  readonly output: string | null;
  readonly members: readonly Member[];
  readonly provenance: readonly Provenance[];
  readonly entry: LedgerEntry | null;
}

/** Characters that are kept of a name. */
const maxNameLength = 200;

/** One line, nothing but text in it: any program of this user can write the file it comes from. */
const nameOf = (text: string | null): string | null => {
  const name = redactCommand(text ?? '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return name === '' ? null : name.slice(0, maxNameLength);
};

/**
 * Gives a job the name that its agent knows it by, and the command as the agent was asked for it
 * where the shell that carried it has ended. Only where the agent's own note is of one of the job's
 * processes or of their group: a folder can be left over from another.
 */
export const withName = <Job extends Nameable>(draft: Job, describe: Evidence['describe']): Job => {
  const found = draft.output === null ? null : (describe?.(draft.agent, draft.output) ?? null);
  if (found === null) return draft;
  const isOfJob = draft.members.some(({ row }) => Number(row.pid) === found.pid || Number(row.pgid) === found.pid);
  if (!isOfJob) return draft;
  const isCarried = draft.entry !== null || draft.provenance.some(({ code }) => code === 'wrapper');
  const command = isCarried || found.script === null ? draft.command : redactCommand(found.script);
  return { ...draft, name: nameOf(found.displayName), command };
};
