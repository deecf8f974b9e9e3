import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { leadsBelowProc } from './held-readers.ts';

/** The server in a path of Windows (`\\server\share`, `//server/share`); null: it names none. */
const serverIn = (path: string): string | null => {
  if (!/^[\\/]{2}/u.test(path) || /^[\\/]{2}\?[\\/][A-Z]:/iu.test(path)) return null;
  return /^[\\/]{2}(?:[?.][\\/]UNC[\\/])?(?<server>[^\\/]*)/iu.exec(path)?.groups?.['server']?.toLowerCase() ?? '';
};

/** Where the user's own files lie, which may be on a server. */
const ownPlaces = (): readonly string[] =>
  [homedir(), process.env['APPDATA'], process.env['LOCALAPPDATA']].filter((place) => place !== undefined);

/**
 * Whether a path leads to another machine than those on which the user's own files lie. Windows
 * signs in there to look at it, with what lets guess the user's password, and any process or
 * repository can name such a path. On Linux `/proc/PID/root` leads into what a sandbox has mounted
 * for itself, where it need not answer: no file that is looked at so lies below /proc.
 * @param platform the system that opens it; for tests
 */
export const leadsToOtherMachine = (
  path: string,
  platform: NodeJS.Platform = process.platform,
  own: () => readonly string[] = ownPlaces,
): boolean => {
  if (platform === 'linux') return leadsBelowProc(path);
  const server = platform === 'win32' ? serverIn(path) : null;
  return server !== null && !own().some((place) => serverIn(place) === server);
};

/**
 * Returns the real path of what is there; null: nothing is, or it lies where it can't be looked at
 * without another machine or a sandbox.
 */
export const realPath = (path: string): string | null => {
  if (leadsToOtherMachine(path)) return null;
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
};
