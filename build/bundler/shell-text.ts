import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * How a source reads a shell file beside it, or a program for Node that is installed as text: it
 * works in Node and vitest as it stands.
 */
const reading = /readFileSync\(new URL\('\.\/(?<file>[\w-]+\.(?:sh|cjs))', import\.meta\.url\), 'utf8'\)/gu;

/**
 * Puts the text of a shell file in the place of the call that reads it, so that a bundle needs no
 * file beside it. Fails the build for a source that names a shell file in any other way.
 */
export const shellText = (): Plugin => ({
  name: 'curfew:shell-text',
  enforce: 'pre',
  transform: {
    filter: { id: /\/main\/.*\.ts$/u, code: /new URL\([^)]*\.(?:sh|cjs)\b/u },
    handler(code, id) {
      const inlined = code.replaceAll(reading, (_call, file: string) => {
        const path = join(dirname(id), file);
        this.addWatchFile(path);
        return JSON.stringify(readFileSync(path, 'utf8'));
      });
      if (/new URL\([^)]*\.(?:sh|cjs)\b/u.test(inlined))
        this.error(`${id} names a shell file in a way that is not known here`);
      return { code: inlined, map: null };
    },
  },
});
