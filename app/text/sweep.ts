import type { StaleCandidate, StaleKind, SweepDecision, SweepReason } from '../sweep/stale-file.ts';
import type { AgentId } from '../agents/common/agent-id.ts';
import { signatureOf } from '../agents/signatures.ts';
import { formatBytes } from '../format/bytes.ts';
import { visibleText } from '../format/visible.ts';
import { counted } from './figures.ts';
import type { HeapKind } from '../sweep/left-form.ts';
import { formatAge } from '../format/age.ts';

/** Names of these files in texts for users. */
export const staleKindNames: Readonly<Record<StaleKind, string>> = {
  'shell-snapshot': 'shell snapshot',
  socket: 'socket',
  'session-file': 'session file',
  'lock-file': 'lock file',
  'task-output': 'task output',
  library: 'unpacked library',
  'scratch-file': 'scratch file',
};

/** Names of what piles up, for users. */
export const heapNames: Readonly<Record<HeapKind, string>> = {
  'debug-logs': 'debug logs',
  worktrees: 'worktrees',
  packages: 'downloaded versions',
  transcripts: 'transcripts',
};

const staying: Readonly<Record<Exclude<SweepReason, 'stale' | 'owner-dead'>, string>> = {
  young: 'it is too young',
  'in-use': 'a process uses it',
  'owner-lives': 'its owner is running',
  'session-may-live': 'an open session may have made it',
  resumable: 'its session has ended, but a resumed session may read it again',
  elsewhere: 'it may belong to another machine or container',
  'not-all-seen': 'some processes that may use it can’t be seen',
  'another-user': 'it belongs to another user',
  'not-that-type': 'it is not what its name says',
  'several-names': 'the file has another name too',
};

const gone: Readonly<Record<StaleKind, string>> = {
  'shell-snapshot': 'no running shell uses it and no open session can have made it',
  socket: 'no process listens on it and its owner has ended',
  'session-file': 'the process of that session has ended',
  'lock-file': 'its holder has ended',
  'task-output': 'its session has ended, and the transcript of that is gone, or too old for its agent to keep',
  library: 'no process has it open or mapped',
  'scratch-file': 'no process has it open and no running agent can have made it',
};

const ofOwner = ({ owner }: StaleCandidate): string => (owner.kind === 'process' ? ` (process ${owner.pid})` : '');

/** Says why a file is deleted, reported or kept: one sentence without a full stop. */
export const saySweepReason = ({ candidate, reason }: SweepDecision, nowMs: number): string => {
  if (reason !== 'stale' && reason !== 'owner-dead') return `${staying[reason]}${ofOwner(candidate)}`;
  const age = formatAge((nowMs - candidate.file.changedMs) / 1000);
  return `${gone[candidate.kind]}${ofOwner(candidate)}; unchanged for ${age}`;
};

/** Files of one kind that sessions left. */
export interface LeftFilesTotal {
  readonly kind: StaleKind;
  readonly files: number;
  readonly bytes: number;
  readonly bytesInMemory: number;
  /** Bytes of those that `curfew sweep` would delete now. */
  readonly removable: number;
}

/** Says how much files of one kind take up, with advice. */
export const sayLeftFiles = (total: LeftFilesTotal): { readonly text: string; readonly advice: string } => {
  const { kind, files, bytes, bytesInMemory, removable } = total;
  const inMemory = bytesInMemory === 0 ? '' : ` (${formatBytes(bytesInMemory)} of it in memory, on a tmpfs)`;
  return {
    text: `${formatBytes(bytes)} of ${staleKindNames[kind].replace(/y$/u, 'ie')}s lie in ${counted(files, 'file')}${inMemory}.`,
    advice:
      removable === 0
        ? '`curfew sweep` shows them; none of them may be deleted yet.'
        : `\`curfew sweep\` shows them and can delete ${formatBytes(removable)}.`,
  };
};

/** Says what an agent piles up that only the user may delete. */
export const sayHeap = ({
  agent,
  kind,
  path,
  bytes,
}: {
  readonly agent: AgentId;
  readonly kind: HeapKind;
  readonly path: string;
  readonly bytes: number;
}): { readonly text: string; readonly advice: string } => ({
  text: `${formatBytes(bytes)} of ${heapNames[kind]} of ${signatureOf(agent).name} lie in ${visibleText(path)}.`,
  advice: 'Curfew never deletes them.',
});
