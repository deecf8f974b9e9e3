import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** Returns whether there is a regular file, as far as it can be looked at. */
export const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** The files that a name stands for: on Windows a program's ends with `.exe`. */
const filesOf = (name: string, platform: NodeJS.Platform): readonly string[] =>
  platform === 'win32' && !/\.exe$/iu.test(name) ? [`${name}.exe`, name] : [name];

/**
 * Returns the file that execvp(3) would take for a name, or the name of its error: EACCES if a file
 * of that name on the path is not executable, ENOENT if there is none.
 * https://man7.org/linux/man-pages/man3/exec.3.html
 * @param platform the system that names the file; for tests
 */
export const findProgram = (
  name: string,
  path: string | undefined,
  platform: NodeJS.Platform = process.platform,
): { readonly file: string } | { readonly errno: 'ENOENT' | 'EACCES' } => {
  if (name.includes('/') || (platform === 'win32' && name.includes('\\'))) return { file: name };
  if (name === '') return { errno: 'ENOENT' };
  let refused = false;
  for (const folder of (path ?? '/bin:/usr/bin').split(delimiter)) {
    for (const one of filesOf(name, platform)) {
      const file = join(folder === '' ? '.' : folder, one);
      if (isExecutable(file)) return { file: file.includes('/') || isAbsolute(file) ? file : `./${file}` };
      refused ||= isFile(file);
    }
  }
  return { errno: refused ? 'EACCES' : 'ENOENT' };
};
