import { z } from 'zod';
import { parseJson } from '../format/json.ts';
import { once } from '../format/once.ts';

/**
 * Where orchestrators keep the worktrees of agents, below the home or from the root. `*` is any one
 * name.
 */
export interface OrchestratorPlace {
  readonly name: string;
  readonly place: 'home' | 'root' | 'repository';
  readonly path: readonly string[];
}

/**
 * By default, each can be told another place; a worktree there is found through its repository.
 *
 * - vibe-kanban: `get_vibe_kanban_temp_dir` of crates/utils/src/path.rs; one folder a workspace, in
 *   it one a repository
 * - claude-squad: https://github.com/smtg-ai/claude-squad/issues/208; a branch's name may hold a
 *   slash
 * - Conductor: `~/conductor/workspaces/PROJECT/CITY`
 * - Crystal: https://github.com/stravu/crystal/issues/196
 * - Jean: https://github.com/coollabsio/jean/pull/117
 * - Cursor: `~/.cursor/worktrees/PROJECT/NAME`
 */
export const orchestratorPlaces: readonly OrchestratorPlace[] = [
  { name: 'vibe-kanban', place: 'root', path: ['var', 'tmp', 'vibe-kanban', 'worktrees', '*'] },
  { name: 'vibe-kanban', place: 'root', path: ['var', 'tmp', 'vibe-kanban', 'worktrees', '*', '*'] },
  { name: 'claude-squad', place: 'home', path: ['.claude-squad', 'worktrees', '*'] },
  { name: 'claude-squad', place: 'home', path: ['.claude-squad', 'worktrees', '*', '*'] },
  { name: 'Conductor', place: 'home', path: ['conductor', 'workspaces', '*', '*'] },
  { name: 'Crystal', place: 'repository', path: ['worktrees', '*'] },
  { name: 'Jean', place: 'home', path: ['jean', '*', '*'] },
  { name: 'Cursor', place: 'home', path: ['.cursor', 'worktrees', '*', '*'] },
];

/** A file below the home in which an orchestrator lists its worktrees. */
export interface OrchestratorList {
  readonly name: string;
  readonly path: readonly string[];
  /** `state`: JSON of claude-squad; `names`: a database without paths, so it is not searched. */
  readonly form: 'state' | 'database' | 'names';
}

/**
 * - vibe-kanban: `workspaces.container_ref`, the folder around the worktrees of a workspace
 * - claude-squad: `instances[].worktree.worktree_path`, config/state.go
 * - Crystal: `sessions.worktree_path`
 * - Conductor: the name of a workspace alone
 */
export const orchestratorLists: readonly OrchestratorList[] = [
  { name: 'vibe-kanban', path: ['.local', 'share', 'vibe-kanban', 'db.v2.sqlite'], form: 'database' },
  { name: 'vibe-kanban', path: ['.local', 'share', 'vibe-kanban', 'db.sqlite'], form: 'database' },
  { name: 'claude-squad', path: ['.claude-squad', 'state.json'], form: 'state' },
  { name: 'Crystal', path: ['.crystal', 'sessions.db'], form: 'database' },
  {
    name: 'Conductor',
    path: ['Library', 'Application Support', 'com.conductor.app', 'conductor.db'],
    form: 'names',
  },
];

const absolute = once(() => z.string().regex(/^(?:\/|[A-Z]:[\\/])/iu));
const state = once(() =>
  z.object({ instances: z.array(z.object({ worktree: z.object({ worktree_path: absolute() }) })) }),
);

/** Returns the worktrees in the state of claude-squad. Null: it may name others in another way. */
export const pathsInState = (text: string): readonly string[] | null => {
  const read = state().safeParse(parseJson(text));
  return read.success ? read.data.instances.map(({ worktree }) => worktree.worktree_path) : null;
};

/** An orchestrator's list on this machine. */
export interface ReadList extends Pick<OrchestratorList, 'name'> {
  /** Returns whether a text stands in it, which alone proves no absence. */
  readonly holds: (text: string) => boolean;
  /** Returns whether it names that folder. Null: not all that it names is known. */
  readonly leadsTo: ((path: string) => boolean) | null;
}

/**
 * Returns the orchestrator that a worktree is left to; null: none. One that made it, by its place,
 * has it as long as its list does not prove otherwise: a text that is not found proves nothing.
 * @param spellings all known paths of the worktree, also through links
 */
export const declaredBy = (
  path: string,
  spellings: readonly string[],
  origin: string | null,
  lists: readonly ReadList[],
): string | null =>
  lists.find(({ name, holds, leadsTo }) => {
    if (leadsTo === null ? name === origin : leadsTo(path)) return true;
    return [path, ...spellings].some((text) => holds(text));
  })?.name ?? null;

/** Returns whether a path has that form below a folder. */
export const hasForm = (path: string, base: string, form: readonly string[]): boolean => {
  const below = base.endsWith('/') ? base : `${base}/`;
  if (!path.startsWith(below)) return false;
  const parts = path.slice(below.length).split('/');
  return parts.length === form.length && form.every((step, index) => step === '*' || step === parts[index]);
};
