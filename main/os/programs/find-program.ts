import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

const isThere = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/**
 * Returns the file that execvp(3) would take for a name, or the name of its error: EACCES if a file
 * of that name on the path is not executable, ENOENT if there is none.
 * https://man7.org/linux/man-pages/man3/exec.3.html
 */
export const findProgram = (
  name: string,
  path: string | undefined,
): { readonly file: string } | { readonly errno: 'ENOENT' | 'EACCES' } => {
  if (name.includes('/')) return { file: name };
  if (name === '') return { errno: 'ENOENT' };
  let refused = false;
  for (const folder of (path ?? '/bin:/usr/bin').split(delimiter)) {
    const file = join(folder === '' ? '.' : folder, name);
    if (isExecutable(file)) return { file: file.includes('/') ? file : `./${file}` };
    refused ||= isThere(file);
  }
  return { errno: refused ? 'EACCES' : 'ENOENT' };
};
