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

/** A file below the home in which an orchestrator lists its worktrees: JSON, or a database. */
export interface OrchestratorList {
  readonly name: string;
  readonly path: readonly string[];
  /** `around`: the folder around the worktree; `nothing`: not its path, so it is not searched. */
  readonly names: 'worktree' | 'around' | 'nothing';
}

/**
 * - vibe-kanban: `workspaces.container_ref`, the folder around the worktrees of a workspace
 * - claude-squad: `instances[].worktree.worktree_path`, config/state.go
 * - Crystal: `sessions.worktree_path`
 * - Conductor: the name of a workspace alone
 */
export const orchestratorLists: readonly OrchestratorList[] = [
  { name: 'vibe-kanban', path: ['.local', 'share', 'vibe-kanban', 'db.v2.sqlite'], names: 'around' },
  { name: 'vibe-kanban', path: ['.local', 'share', 'vibe-kanban', 'db.sqlite'], names: 'around' },
  { name: 'claude-squad', path: ['.claude-squad', 'state.json'], names: 'worktree' },
  { name: 'Crystal', path: ['.crystal', 'sessions.db'], names: 'worktree' },
  {
    name: 'Conductor',
    path: ['Library', 'Application Support', 'com.conductor.app', 'conductor.db'],
    names: 'nothing',
  },
];

/** An orchestrator's list on this machine. Null: it is there, and can't be read or searched. */
export interface ReadList extends Pick<OrchestratorList, 'name' | 'names'> {
  readonly holds: ((text: string) => boolean) | null;
}

/**
 * Returns the orchestrator that a worktree is left to; null: none. One that made it, by its place,
 * has it as long as its list can't be read.
 */
export const declaredBy = (path: string, origin: string | null, lists: readonly ReadList[]): string | null => {
  const parent = path.slice(0, path.lastIndexOf('/'));
  const found = lists.find(({ name, names, holds }) => {
    if (holds === null) return name === origin;
    return [path, ...(names === 'around' && name === origin ? [parent] : [])].some(
      (text) => holds(text) || holds(JSON.stringify(text).slice(1, -1)),
    );
  });
  return found?.name ?? null;
};

/** Returns whether a path has that form below a folder. */
export const hasForm = (path: string, base: string, form: readonly string[]): boolean => {
  const below = base.endsWith('/') ? base : `${base}/`;
  if (!path.startsWith(below)) return false;
  const parts = path.slice(below.length).split('/');
  return parts.length === form.length && form.every((step, index) => step === '*' || step === parts[index]);
};
