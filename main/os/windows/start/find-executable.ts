import { win32 } from 'node:path';

/** What CreateProcess can start by itself, and what cmd.exe has to run. */
export type Executable =
  | { readonly kind: 'program'; readonly file: string }
  | { readonly kind: 'batch'; readonly file: string }
  | { readonly kind: 'none'; readonly errno: 'ENOENT' | 'EACCES' };

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly isFile: (path: string) => boolean;
}

const programs: ReadonlySet<string> = new Set(['.com', '.exe']);
const batches: ReadonlySet<string> = new Set(['.bat', '.cmd']);

/** Endings in the order in which cmd.exe tries them, where PATHEXT says no other. */
const usualEndings = '.COM;.EXE;.BAT;.CMD';

/** Windows ignores case in names; tests don't run there. */
const valueOf = ({ environment }: Surroundings, name: string): string =>
  environment[name] ??
  Object.entries(environment).find(([other]) => other.toUpperCase() === name.toUpperCase())?.[1] ??
  '';

const endingsIn = (around: Surroundings): readonly string[] =>
  (valueOf(around, 'PATHEXT') || usualEndings)
    .split(';')
    .map((ending) => ending.trim().toLowerCase())
    .filter((ending) => programs.has(ending) || batches.has(ending));

const executableAt = (file: string): Executable => {
  const ending = win32.extname(file).toLowerCase();
  if (programs.has(ending)) return { kind: 'program', file };
  return batches.has(ending) ? { kind: 'batch', file } : { kind: 'none', errno: 'EACCES' };
};

/**
 * Returns the file that a shell of Windows would start for a name: in the folders of PATH, with the
 * endings of PATHEXT that can be started (`npm` is npm.cmd). The current folder is searched only
 * for a name with a path, as PowerShell does: a file that lies about must not take the place of a
 * program. EACCES: there is a file, which is no program (a script of PowerShell).
 */
export const findExecutable = (name: string, around: Surroundings): Executable => {
  if (name === '') return { kind: 'none', errno: 'ENOENT' };
  const hasPath = /[\\/:]/u.test(name);
  const folders = hasPath ? [around.folder] : valueOf(around, 'PATH').split(';');
  const endings = endingsIn(around);
  const names = [...(win32.extname(name) === '' ? [] : [name]), ...endings.map((ending) => `${name}${ending}`)];
  let refused = false;
  for (const quotedFolder of folders) {
    const folder = quotedFolder.replaceAll('"', '').trim();
    // A relative folder of PATH depends on where one stands; Windows' own shells skip none of them,
    // and an absolute one is always meant.
    if (folder === '' || !win32.isAbsolute(folder)) continue;
    for (const one of names) {
      const file = win32.resolve(folder, one);
      if (!around.isFile(file)) continue;
      const found = executableAt(file);
      if (found.kind !== 'none') return found;
      refused = true;
    }
    refused ||= around.isFile(win32.resolve(folder, name));
  }
  return { kind: 'none', errno: refused ? 'EACCES' : 'ENOENT' };
};
