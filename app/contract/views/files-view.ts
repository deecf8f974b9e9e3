import { z } from 'zod';
import { removedKinds, removers } from '../../history/removal.ts';
import { lockKinds } from '../../locks/lock.ts';
import { heapKinds } from '../../sweep/left-form.ts';
import { staleKinds } from '../../sweep/stale-file.ts';
import { saidSchema } from './said.ts';
import { countSchema, momentSchema } from './view.ts';

/** What became of something that was to go: `problem` says why it is still there. */
const removalOutcome = {
  removed: z.boolean(),
  problem: z.string().nullable(),
  problemSaid: saidSchema.nullable(),
};

/** A linked worktree. `keeps`: why it stays; `named`: this gives way where the user names it. */
export const worktreeViewSchema = z.object({
  id: z.string(),
  path: z.string(),
  repository: z.string(),
  origin: z.string().nullable(),
  branch: z.string().nullable(),
  head: z.string().nullable(),
  bytes: countSchema,
  usedAt: momentSchema,
  changed: countSchema.nullable(),
  untracked: countSchema.nullable(),
  ignored: z.array(z.string()).nullable(),
  unpushed: countSchema.nullable(),
  stashes: countSchema,
  lock: z.object({ reason: z.string(), state: z.string() }).nullable(),
  pids: z.array(z.number()).nullable(),
  keeps: z.array(z.object({ code: z.string(), text: z.string(), said: saidSchema, named: z.boolean() })),
  ...removalOutcome,
});

export type WorktreeView = z.infer<typeof worktreeViewSchema>;

/** A lock, with what is proved of its holder. */
export const lockViewSchema = z.object({
  id: z.string(),
  kind: z.enum(lockKinds),
  what: saidSchema,
  path: z.string(),
  folder: z.string(),
  bytes: countSchema,
  changedAt: momentSchema,
  state: z.enum(['stale', 'held', 'unknown']),
  reason: z.string(),
  text: z.string(),
  said: saidSchema,
  pids: z.array(z.number()),
  incident: z.string().nullable(),
  ...removalOutcome,
});

export type LockView = z.infer<typeof lockViewSchema>;

/** Files that dead sessions left in one folder, of which the same is to become. */
export const fileGroupSchema = z.object({
  id: z.string(),
  kind: z.enum(staleKinds),
  what: saidSchema,
  agent: z.string().nullable(),
  /** The file; of several their folder. */
  path: z.string(),
  files: countSchema,
  bytes: countSchema,
  bytesInMemory: countSchema,
  changedAt: momentSchema,
  action: z.enum(['delete', 'report', 'keep']),
  said: saidSchema,
});

export type FileGroup = z.infer<typeof fileGroupSchema>;

/** What piles up and is not Curfew's to delete. */
const heapViewSchema = z.object({
  agent: z.string(),
  kind: z.enum(heapKinds),
  what: saidSchema,
  path: z.string(),
  bytes: countSchema,
  files: countSchema,
  changedAt: momentSchema,
  complete: z.boolean(),
});

const removalViewSchema = z.object({
  at: momentSchema,
  kind: z.enum(removedKinds),
  what: saidSchema,
  path: z.string(),
  files: countSchema,
  bytes: countSchema,
  why: saidSchema,
  by: z.enum(removers),
});

/**
 * What agents left in files: the document of `curfew sweep --json`, as windows take it. An entry
 * has the same id as long as all of it is as it was shown; paths are shown without secrets.
 */
export const filesViewSchema = z.object({
  worktrees: z.array(worktreeViewSchema),
  locks: z.array(lockViewSchema),
  groups: z.array(fileGroupSchema),
  heaps: z.array(heapViewSchema),
  /** The latest removals on record. */
  removals: z.array(removalViewSchema),
  /** Why something could not be deleted, by path. */
  problems: z.array(z.object({ path: z.string(), said: saidSchema })),
  /** Ids that were to go, of which nothing is as it was shown. */
  changed: z.array(z.string()),
});

export type FilesView = z.infer<typeof filesViewSchema>;
