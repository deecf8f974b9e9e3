import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The checkout that is tested. */
export const project = join(import.meta.dirname, '../..');

/**
 * Writes `files` (path: text) into a new folder with the project's packages, passes it to `use`,
 * and removes it. For showing that a rule finds the breach it is for.
 */
export const withPlanted = <Result>(files: Readonly<Record<string, string>>, use: (root: string) => Result): Result => {
  const root = mkdtempSync(join(tmpdir(), 'curfew-planted-'));
  try {
    symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return use(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};
