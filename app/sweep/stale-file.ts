/** Kinds of files that dead sessions leave. */
export const staleKinds = [
  'shell-snapshot',
  'socket',
  'session-file',
  'lock-file',
  'task-output',
  'library',
  'scratch-file',
  'debug-log',
] as const;

export type StaleKind = (typeof staleKinds)[number];

/** Type of a path, without following links. */
export type FileType = 'file' | 'socket' | 'folder' | 'link' | 'other';

export interface FoundFile {
  readonly path: string;
  /** Last segment of its path. */
  readonly name: string;
  readonly type: FileType;
  readonly ownedByUser: boolean;
  /** Number of hard links. */
  readonly names: number;
  readonly bytes: number;
  /** Last modification, epoch milliseconds. */
  readonly changedMs: number;
}

/** Whether the session that a path names still runs. */
export type OwningSession = 'live' | 'gone' | 'unknown';

/** Owner of a file, from its name or contents. */
export type FileOwner =
  /** An unnamed session of this agent: any that is older than the file. */
  | { readonly kind: 'some-session'; readonly notBeforeMs: number }
  /** A process, by its number alone. */
  | { readonly kind: 'process'; readonly pid: number }
  /** Named by the contents of the file, and checked on this machine. */
  | { readonly kind: 'holder'; readonly state: 'dead' | 'alive' | 'elsewhere' }
  /** A session named by the path of the file, as its agent's registry tells. */
  | { readonly kind: 'session'; readonly state: OwningSession; readonly transcript: TranscriptState }
  /** As `some-session`, and its agent keeps it until then; infinity: for ever, or not known. */
  | { readonly kind: 'kept'; readonly untilMs: number }
  /** Only a process that has it open or mapped. */
  | { readonly kind: 'holders' };

/**
 * The transcript of a session: `old` means that its agent clears it away at its next start, `kept`
 * that it doesn't yet, `gone` that there was one.
 */
export type TranscriptState = 'gone' | 'old' | 'kept' | 'unknown';

/** A file of a known form with its owner. */
export interface StaleCandidate {
  readonly kind: StaleKind;
  readonly file: FoundFile;
  readonly owner: FileOwner;
  /** False for files that another program reads and cleans up: Curfew only reports them. */
  readonly mayDelete: boolean;
  /** Path parts by which it is held: its name, or its session's folder's. Left out: its name. */
  readonly heldAs?: readonly string[];
}

/** Facts about the machine for judging files. Unknown always keeps a file. */
export interface SweepWorld {
  /** Wall clock, milliseconds. */
  readonly nowMs: number;
  /** True if the process table shows all processes. */
  readonly complete: boolean;
  /** Start times of the running processes of the agent, epoch milliseconds. */
  readonly agentsSinceMs: readonly number[];
  /** Another machine or container, with processes unseen here, also uses this folder. */
  readonly usedElsewhere: boolean;
  readonly pids: ReadonlySet<number>;
  /** Names in running command lines or held open; null if not all could be read. */
  readonly namesInUse: ReadonlySet<string> | null;
  /** Parts of paths open, mapped or a folder, and words of command lines; null: not all read. */
  readonly partsInUse: ReadonlySet<string> | null;
  /** Names of bound sockets in all network namespaces; null if not all could be read. */
  readonly boundSockets: ReadonlySet<string> | null;
}

/** Why a file is deleted, reported or kept. */
export type SweepReason =
  | 'stale'
  | 'owner-dead'
  | 'young'
  | 'in-use'
  | 'owner-lives'
  | 'session-may-live'
  | 'resumable'
  | 'retained'
  | 'elsewhere'
  | 'not-all-seen'
  | 'another-user'
  | 'not-that-type'
  | 'several-names';

/** Decision on a file. */
export interface SweepDecision {
  readonly candidate: StaleCandidate;
  readonly action: 'delete' | 'report' | 'keep';
  readonly reason: SweepReason;
}
