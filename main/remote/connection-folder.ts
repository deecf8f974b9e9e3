import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * A socket's path must fit 104 bytes on macOS and the BSDs (unix(4)), and ssh adds 17 while it
 * makes it.
 */
const maxPathLength = 80;

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/**
 * Makes a fresh folder (0700) for the sockets of ssh's shared connections. Every Curfew process has
 * its own, so that none takes a connection that another user prepared. Returns null when the
 * machine offers no place short enough: then each question makes a connection of its own.
 */
export const makeConnectionFolder = (environment: Readonly<Record<string, string | undefined>>): string | null => {
  const runtime = environment['XDG_RUNTIME_DIR'];
  const bases = [...(runtime !== undefined && isAbsolute(runtime) ? [runtime] : []), tmpdir(), '/tmp'];
  for (const base of bases) {
    // ssh takes % for a token and blanks for the end of a path.
    if (base.length > maxPathLength - 20 || !/^[\w./-]+$/u.test(base) || !isFolder(base)) continue;
    try {
      return mkdtempSync(join(base, 'curfew-'));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }
  return null;
};

/** Removes the folder of `makeConnectionFolder` and its contents. */
export const removeConnectionFolder = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
};
