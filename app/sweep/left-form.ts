import type { StaleKind } from './stale-file.ts';

/**
 * Where the path of a form begins: the temporary folders, `/run/user/<uid>`, the user's home, the
 * agent's own folder (`~/.codex`, or where its variable moves it), the projects of known sessions.
 */
export type FormPlace = 'temporary' | 'runtime' | 'home' | 'agent-folder' | 'project';

/**
 * One part of a path: a name, or a pattern that is anchored at both ends. The groups `session`,
 * `pid` and `atMs` name the owner; a group `uid` must be the user's own.
 */
export type PathStep = string | RegExp;

/**
 * What must have ended before a file is dead, besides the age and the use that its kind asks for:
 * the session or the process that its path names, every process of the agent that is as old as it
 * (`kept`: and it is older than the agent's own settings keep it), or only what has it open. A
 * session can be resumed as long as it has a transcript in the agent's folder, at a path with its
 * id in the group `session`.
 */
export type DeadWhen =
  | { readonly ended: 'session'; readonly transcript: readonly PathStep[] }
  | { readonly ended: 'process' }
  | { readonly ended: 'agent' }
  | { readonly ended: 'kept' }
  | { readonly ended: 'holders' };

/** Files of an agent that `curfew sweep` may delete one by one. */
export interface RemovableForm {
  readonly may: 'remove';
  readonly kind: StaleKind;
  readonly place: FormPlace;
  readonly path: readonly PathStep[];
  readonly dead: DeadWhen;
  /** How many folders above it are removed with it once they are empty; left out: none. */
  readonly emptied?: 1 | 2;
}

/** What piles up and is never deleted by Curfew. */
export const heapKinds = ['debug-logs', 'worktrees', 'packages', 'transcripts'] as const;

export type HeapKind = (typeof heapKinds)[number];

/**
 * A file or folder of which only the size is told: the user may delete it (`report`), or it is what
 * the agent remembers (`never`).
 */
export interface HeapForm {
  readonly may: 'report' | 'never';
  readonly heap: HeapKind;
  readonly place: FormPlace;
  readonly path: readonly PathStep[];
  /** A transcript's project folder by name. Left out: its place does not tell the project. */
  readonly folderOf?: (project: string) => string;
}

/** What one agent leaves in files: observed on the versions in its signature. */
export type LeftForm = RemovableForm | HeapForm;
