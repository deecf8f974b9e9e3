import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { canLinkFolders, linkFolder } from '../needs.ts';

/** The checkout that is tested. */
export const project = join(import.meta.dirname, '../..');

/** Returns a path of this system with `/`, as lists of files are written here. */
export const slashed = (path: string): string => path.split(sep).join('/');

/** Returns the files below a folder, as paths from there with `/`, in their order. */
export const filesIn = (folder: string, patterns: string | readonly string[]): readonly string[] =>
  globSync([patterns].flat(), { cwd: folder, exclude: ['build/out/**'] })
    .map(slashed)
    .filter((file) => !file.startsWith('build/out/'))
    .toSorted();

/** False where what is planted can't be given the project's packages. */
export const givesPackages = canLinkFolders();

/**
 * Writes `files` (path: text) into a new folder with the project's packages, passes it to `use`,
 * and removes it. For showing that a rule finds the breach it is for.
 */
export const withPlanted = <Result>(files: Readonly<Record<string, string>>, use: (root: string) => Result): Result => {
  const root = mkdtempSync(join(tmpdir(), 'curfew-planted-'));
  try {
    if (givesPackages) linkFolder(join(project, 'node_modules'), join(root, 'node_modules'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return use(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};
