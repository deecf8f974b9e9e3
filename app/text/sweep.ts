import type { StaleCandidate, StaleKind, SweepDecision, SweepReason } from '../sweep/stale-file.ts';
import type { AgentId } from '../agents/common/agent-id.ts';
import { signatureOf } from '../agents/signatures.ts';
import { visibleText } from '../format/visible.ts';
import { type Form, listed, say, sized } from './form.ts';
import { inEnglish } from './say.ts';
import type { Said } from '../format/said.ts';
import type { HeapKind } from '../sweep/left-form.ts';
import { formatAge } from '../format/age.ts';

/** Several of these files. */
const severalFiles = {
  'shell-snapshot': '{count} shell snapshots',
  socket: '{count} sockets',
  'session-file': '{count} session files',
  'lock-file': '{count} lock files',
  'task-output': '{count} task outputs',
  library: '{count} unpacked libraries',
  'scratch-file': '{count} scratch files',
  'debug-log': '{count} debug logs',
} as const satisfies Readonly<Record<StaleKind, Form>>;

/** One of them. */
const oneFile = {
  'shell-snapshot': 'shell snapshot',
  socket: 'socket',
  'session-file': 'session file',
  'lock-file': 'lock file',
  'task-output': 'task output',
  library: 'unpacked library',
  'scratch-file': 'scratch file',
  'debug-log': 'debug log',
} as const satisfies Readonly<Record<StaleKind, Form>>;

/** Names files of a kind; several with their count. */
export const staleFilesSaid = (kind: StaleKind, count: number): Said =>
  count === 1 ? say(oneFile[kind]) : say(severalFiles[kind], { count });

/** Names of what piles up, for users. */
export const heapNames = {
  'debug-logs': 'debug logs',
  worktrees: 'worktrees',
  packages: 'downloaded versions',
  transcripts: 'transcripts',
} as const satisfies Readonly<Record<HeapKind, Form>>;

const severalNames = {
  'shell-snapshot': 'shell snapshots',
  socket: 'sockets',
  'session-file': 'session files',
  'lock-file': 'lock files',
  'task-output': 'task outputs',
  library: 'unpacked libraries',
  'scratch-file': 'scratch files',
  'debug-log': 'debug logs',
} as const satisfies Readonly<Record<StaleKind, Form>>;

const staying = {
  young: 'it is too young',
  'in-use': 'a process uses it',
  'owner-lives': 'its owner is running',
  'session-may-live': 'an open session may have made it',
  retained: 'its agent’s settings keep it for longer',
  resumable: 'its session has ended, but a resumed session may read it again',
  elsewhere: 'it may belong to another machine or container',
  'not-all-seen': 'some processes that may use it can’t be seen',
  'another-user': 'it belongs to another user',
  'not-that-type': 'it is not what its name says',
  'several-names': 'the file has another name too',
} as const satisfies Readonly<Record<Exclude<SweepReason, 'stale' | 'owner-dead'>, Form>>;

const gone = {
  'shell-snapshot': 'no running shell uses it and no open session can have made it',
  socket: 'no process listens on it and its owner has ended',
  'session-file': 'the process of that session has ended',
  'lock-file': 'its holder has ended',
  'task-output': 'its session has ended, and the transcript of that is gone, or too old for its agent to keep',
  library: 'no process has it open or mapped',
  'scratch-file': 'no process has it open and no running agent can have made it',
  'debug-log': 'its agent’s settings keep it no longer, no process has it open, and no running agent can have made it',
} as const satisfies Readonly<Record<StaleKind, Form>>;

const ofOwner = ({ owner }: StaleCandidate): Said =>
  owner.kind === 'process' ? say(' (process {pid})', { pid: owner.pid }) : '';

/** Says why a file is deleted, reported or kept: one sentence without a full stop. */
export const sweepReasonSaid = ({ candidate, reason }: SweepDecision, nowMs: number): Said => {
  if (reason !== 'stale' && reason !== 'owner-dead') return listed([say(staying[reason]), ofOwner(candidate)], '');
  const age = formatAge((nowMs - candidate.file.changedMs) / 1000);
  return say('{why}; unchanged for {age}', {
    why: listed([say(gone[candidate.kind]), ofOwner(candidate)], ''),
    age,
  });
};

/** Returns the same in English. */
export const saySweepReason = (...given: Parameters<typeof sweepReasonSaid>): string =>
  inEnglish(sweepReasonSaid(...given));

/** Files of one kind that sessions left. */
export interface LeftFilesTotal {
  readonly kind: StaleKind;
  readonly files: number;
  readonly bytes: number;
  readonly bytesInMemory: number;
  /** Bytes of those that `curfew sweep` would delete now. */
  readonly removable: number;
}

/** Something that takes up room, with advice. */
export interface SaidWithAdvice {
  readonly text: Said;
  readonly advice: Said;
}

/** Says how much files of one kind take up, with advice. */
export const sayLeftFiles = ({ kind, files, bytes, bytesInMemory, removable }: LeftFilesTotal): SaidWithAdvice => {
  const text = say(
    files === 1 ? '{size} of {kind} lie in {count} file{memory}.' : '{size} of {kind} lie in {count} files{memory}.',
    {
      size: sized(bytes),
      kind: say(severalNames[kind]),
      count: files,
      memory: bytesInMemory === 0 ? '' : say(' ({size} of it in memory, on a tmpfs)', { size: sized(bytesInMemory) }),
    },
  );
  return {
    text,
    advice:
      removable === 0
        ? say('`curfew sweep` shows them; none of them may be deleted yet.')
        : say('`curfew sweep` shows them and can delete {size}.', { size: sized(removable) }),
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
}): SaidWithAdvice => ({
  text: say('{size} of {kind} of {agent} lie in {path}.', {
    size: sized(bytes),
    kind: say(heapNames[kind]),
    agent: signatureOf(agent).name,
    path: visibleText(path),
  }),
  advice: say(
    kind === 'debug-logs'
      ? '`curfew sweep` deletes what the agent’s settings keep no longer.'
      : 'Curfew never deletes them.',
  ),
});
