import { mkdirSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { system } from '../os/this-system.ts';

/** Where Curfew keeps its files, which may not exist yet; `createPlaces` makes the folders. */
export interface Places {
  /** The folder of everything but settings. */
  readonly state: string;
  readonly settings: string;
  readonly history: string;
  readonly ledger: string;
  /** Held by a running supervisor, so that there is one at most. */
  readonly lock: string;
  /** Until when the user paused Curfew. */
  readonly pause: string;
  /** What users were told of that is told once. */
  readonly told: string;
  readonly logs: string;
  readonly runs: string;
  /** What status bars show, see `StatusLineFile`. */
  readonly statusLine: string;
  /** What the numbers of `curfew metrics` are made of, see `MetricsFile`. */
  readonly metrics: string;
  /** The secret of the scrape address, for the user only. */
  readonly metricsToken: string;
  /** Folder of the script that agents call as their hook, and of its output. */
  readonly hooks: string;
}

export interface PlacesOptions {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Resolves a relative `CURFEW_HOME`. */
  readonly workingFolder: string;
}

const below = (path: typeof posix, config: string, state: string, logs: string): Places => ({
  state,
  settings: path.join(config, 'settings.json'),
  history: path.join(state, 'history.db'),
  ledger: path.join(state, 'ledger.db'),
  lock: path.join(state, 'supervisor.lock'),
  pause: path.join(state, 'pause.json'),
  told: path.join(state, 'told.json'),
  logs,
  runs: path.join(state, 'runs'),
  statusLine: path.join(state, 'status-line'),
  metrics: path.join(state, 'metrics.json'),
  metricsToken: path.join(state, 'metrics-token'),
  hooks: path.join(state, 'hooks'),
});

/**
 * Returns the places of Curfew's own files: below `CURFEW_HOME` if set, else as the platform
 * defines. On Linux and other Unix settings and state are separate, and a relative XDG folder is
 * ignored: https://specifications.freedesktop.org/basedir-spec/latest/
 */
export const placesFor = ({ platform, environment, home, workingFolder }: PlacesOptions): Places => {
  const path = platform === 'win32' ? win32 : posix;
  const own = environment['CURFEW_HOME'];
  if (own !== undefined && own !== '') {
    const folder = path.resolve(workingFolder, own);
    return below(path, folder, folder, path.join(folder, 'logs'));
  }
  const folderFrom = (name: string, otherwise: string): string => {
    const folder = environment[name];
    return folder !== undefined && path.isAbsolute(folder) ? folder : path.join(home, otherwise);
  };
  if (platform === 'win32') {
    const config = path.join(folderFrom('APPDATA', 'AppData\\Roaming'), 'Curfew');
    const state = path.join(folderFrom('LOCALAPPDATA', 'AppData\\Local'), 'Curfew');
    return below(path, config, state, path.join(state, 'Logs'));
  }
  if (platform === 'darwin') {
    const support = path.join(home, 'Library/Application Support/Curfew');
    return below(path, support, support, path.join(home, 'Library/Logs/Curfew'));
  }
  const config = path.join(folderFrom('XDG_CONFIG_HOME', '.config'), 'curfew');
  const state = path.join(folderFrom('XDG_STATE_HOME', '.local/state'), 'curfew');
  return below(path, config, state, path.join(state, 'logs'));
};

/** Returns the path of Claude Code's settings, whose `bash` block may have four keys. */
export const claudeSettingsPath = (home: string): string => posix.join(home, '.claude', 'settings.json');

/**
 * Returns the path of an operator's defaults for every user of a machine; null where a system has
 * no such place. It never moves, not even with `CURFEW_HOME`: it is root's.
 */
export const machineSettingsPath = (platform: NodeJS.Platform): string | null =>
  platform === 'linux' ? '/etc/curfew/settings.json' : null;

/**
 * Makes missing folders, for the user only (0700); existing ones stay as they are. The folder of
 * the settings is made with the first setting that is written.
 * @throws the file system's error
 */
export const createPlaces = (places: Places): void => {
  for (const folder of [places.state, places.logs, places.runs]) mkdirSync(folder, { recursive: true, mode: 0o700 });
};

/** Returns the places of this process's Curfew, for the user with this home. */
export const placesHere = (home: string): Places =>
  placesFor({ platform: system, environment: process.env, home, workingFolder: process.cwd() });
