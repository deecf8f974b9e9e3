/** Kinds of files that dead sessions leave. */
export const staleKinds = ['shell-snapshot', 'socket', 'session-file', 'lock-file'] as const;

/** See `staleKinds`. */
export type StaleKind = (typeof staleKinds)[number];

/** What lies at a path, links not followed. */
export type FileType = 'file' | 'socket' | 'folder' | 'link' | 'other';

/** A file as it was found in one of the known folders. */
export interface FoundFile {
  readonly path: string;
  /** Its last part. */
  readonly name: string;
  readonly type: FileType;
  readonly ownedByUser: boolean;
  /** Names of this file, hard links counted. */
  readonly names: number;
  readonly bytes: number;
  /** When it was last written, wall clock in milliseconds. */
  readonly changedMs: number;
}

/** Who made or holds a file, as its name or contents say. */
export type FileOwner =
  /** A session of this agent that nothing names: any that is older than the file. */
  | { readonly kind: 'some-session'; readonly notBeforeMs: number }
  /** A process, by its number alone. */
  | { readonly kind: 'process'; readonly pid: number }
  /** Told by its contents, and compared with the machine where it was read. */
  | { readonly kind: 'holder'; readonly state: 'dead' | 'alive' | 'elsewhere' };

/** A file of a known form, with who made it. */
export interface StaleCandidate {
  readonly kind: StaleKind;
  readonly file: FoundFile;
  readonly owner: FileOwner;
  /** False for what another program reads and clears away: Curfew only tells of it. */
  readonly mayDelete: boolean;
}

/** What is known of the machine at the look by which files are judged. Unknown always means that a file stays. */
export interface SweepWorld {
  /** Wall clock, milliseconds. */
  readonly nowMs: number;
  /** The process table shows all processes. */
  readonly complete: boolean;
  /** Since when living processes of Claude Code run, wall clock in milliseconds. */
  readonly agentsSinceMs: readonly number[];
  /** The agent's folder is used from another machine or container too, into which nobody here can look. */
  readonly usedElsewhere: boolean;
  readonly pids: ReadonlySet<number>;
  /** Names of files that stand in a command line of a living process or are held open by one; null: not all could be looked at. */
  readonly namesInUse: ReadonlySet<string> | null;
  /** Names of sockets that somebody has bound, in any network namespace; null: not all could be looked at. */
  readonly boundSockets: ReadonlySet<string> | null;
}

/** Why a file goes, is told of, or stays. */
export type SweepReason =
  | 'stale'
  | 'owner-dead'
  | 'young'
  | 'in-use'
  | 'owner-lives'
  | 'session-may-live'
  | 'elsewhere'
  | 'not-all-seen'
  | 'another-user'
  | 'not-that-type'
  | 'several-names';

/** What becomes of a file. */
export interface SweepDecision {
  readonly candidate: StaleCandidate;
  readonly action: 'delete' | 'report' | 'keep';
  readonly reason: SweepReason;
}
