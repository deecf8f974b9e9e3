import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '../../../store/places.ts';

/** Where everything lies that has to do with hooks. All of it is the user's alone (0700, 0600). */
export interface HookFolders {
  readonly folder: string;
  readonly script: string;
  /** The program that agents run instead on Windows. */
  readonly windowsScript: string;
  /** One file an event, until a supervisor or a pass has taken it. */
  readonly inbox: string;
  /** What a project's next session is to be told: the project's path below this folder. */
  readonly notices: string;
  /** What was put into which agent's settings, one file an agent. */
  readonly records: string;
  /** Agents' settings as they were before Curfew changed them. */
  readonly copies: string;
  /** There with `--witness`: what tool shells source, and what they noted of themselves. */
  readonly witnessed: string;
  /** The sessions that hooks told of. */
  readonly register: string;
  /** Held while a process takes events out of the inbox. */
  readonly inboxLock: string;
  /** Held by the pass that a hook started, so that there is one. */
  readonly passLock: string;
  /** There while a pass is started but not begun: a hundred sessions that end at once start one. */
  readonly passStarting: string;
  readonly latestPass: string;
  /** Where Node keeps the guard's code compiled, so that it starts sooner. */
  readonly compileCache: string;
  /** Says which process supervises; see `claimSupervisorLock`. */
  readonly supervisor: string;
}

/** The places of hooks. */
export const hookFolders = (places: Pick<Places, 'hooks' | 'lock'>): HookFolders => ({
  folder: places.hooks,
  script: join(places.hooks, 'curfew-hook'),
  windowsScript: join(places.hooks, 'curfew-hook.cjs'),
  inbox: join(places.hooks, 'inbox'),
  notices: join(places.hooks, 'notices'),
  records: join(places.hooks, 'installed'),
  copies: join(places.hooks, 'copies'),
  witnessed: join(places.hooks, 'witnessed'),
  register: join(places.hooks, 'sessions.json'),
  inboxLock: join(places.hooks, 'inbox.lock'),
  passLock: join(places.hooks, 'pass.lock'),
  passStarting: join(places.hooks, 'pass.starting'),
  latestPass: join(places.hooks, 'latest-pass.json'),
  compileCache: join(places.hooks, 'compile-cache'),
  supervisor: `${places.lock}.json`,
});

/** Makes the folders that the script needs to be there. Throws the file system's error. */
export const createHookFolders = (folders: HookFolders): void => {
  for (const path of [folders.folder, folders.inbox, folders.notices])
    mkdirSync(path, { recursive: true, mode: 0o700 });
};
