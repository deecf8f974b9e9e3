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

/** Returns whether a path has that form below a folder. */
export const hasForm = (path: string, base: string, form: readonly string[]): boolean => {
  const below = base.endsWith('/') ? base : `${base}/`;
  if (!path.startsWith(below)) return false;
  const parts = path.slice(below.length).split('/');
  return parts.length === form.length && form.every((step, index) => step === '*' || step === parts[index]);
};
