import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// What some tests need and not every machine gives. Each is asked for itself, never by the name of
// a system; build/scripts/skips.ts says where it may be missing.

const inFolder = (asks: (folder: string) => boolean): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-needs-'));
  try {
    return asks(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * True where a link can be made and is one: on Windows that takes a right or the developer mode,
 * and Wine 8 says yes and makes none.
 */
export const canLink = (): boolean =>
  inFolder((folder) => {
    const link = join(folder, 'link');
    writeFileSync(join(folder, 'file'), 'text');
    symlinkSync('file', link);
    return lstatSync(link).isSymbolicLink() && readFileSync(link, 'utf8') === 'text';
  });

/** How a folder is linked: on Windows by a junction, which takes no right. */
export const linkFolder = (target: string, path: string): void => {
  symlinkSync(target, path, 'junction');
};

/** True where folders can be linked: Wine 8 can't. */
export const canLinkFolders = (): boolean =>
  inFolder((folder) => {
    writeFileSync(join(folder, 'file'), 'text');
    linkFolder(folder, join(folder, 'link'));
    return readFileSync(join(folder, 'link/file'), 'utf8') === 'text';
  });

/** True where a file keeps who may read and write it in its mode: not on Windows. */
export const keepsModes = (): boolean =>
  inFolder((folder) => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o640);
    return (statSync(file).mode & 0o777) === 0o640;
  });

/** True where scripts can be given to a POSIX shell at its place: not on Windows. */
export const hasShell = (): boolean => spawnSync('/bin/sh', ['-c', 'exit 7']).status === 7;

/** True where a program can be run. */
export const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).error === undefined;
