import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the folder of the built page, which lies beside the command line in a checkout and in the
 * package, seen from `from`, or null.
 */
export const pageFolder = (from: string): string | null => {
  for (let folder = from; ; folder = dirname(folder)) {
    const built = join(folder, 'build', 'out', 'renderer');
    if (existsSync(join(built, 'index.html'))) return built;
    if (dirname(folder) === folder) return null;
  }
};
