import type { Said } from '../format/said.ts';

/** What a removal took away. `files`: what dead sessions left. */
export const removedKinds = ['files', 'lock', 'worktree'] as const;

export type RemovedKind = (typeof removedKinds)[number];

/** What asked for a removal: the command line, or a window. */
export const removers = ['command', 'person'] as const;

export type Remover = (typeof removers)[number];

/** The record of a removal: what, where, why it could go, how much, and what asked for it. */
export interface Removal {
  readonly atMs: number;
  readonly kind: RemovedKind;
  /** What it was, as Curfew calls it. */
  readonly what: Said;
  /** The file, its folder where there were several, or the worktree. */
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  /** Why it could go. */
  readonly why: Said;
  readonly by: Remover;
}
