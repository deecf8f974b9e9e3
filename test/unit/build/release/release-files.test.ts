import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { releaseIn, unknownSum } from '../../../../build/release/description.ts';
import { releaseFiles } from '../../../../build/release/release-files.ts';

const root = join(import.meta.dirname, '../../../..');
const folder = join(root, 'build/release/files');
const files = releaseFiles(releaseIn(root));

describe('the files for package managers', () => {
  test.each([...files])('%s is as `npm run release-files` writes it', (file, text) => {
    expect(existsSync(join(folder, file))).toBe(true);
    expect(readFileSync(join(folder, file), 'utf8')).toBe(text);
  });

  test('there is no other', () => {
    const there = globSync('**/*', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      );
    // A glob passes over names that begin with a dot.
    expect(there.toSorted()).toEqual([...files.keys()].filter((file) => !file.includes('/.')).toSorted());
  });

  test('a release is in all of them: its version, its hashes and its repository', () => {
    const sums = new Map([['curfew-9.8.7.tgz', 'a'.repeat(64)]]);
    const released = releaseFiles({ ...releaseIn(root, sums), version: '9.8.7', repository: 'me/curfew' });
    for (const [file, text] of released) {
      expect({ file, old: text.includes('OWNER') || text.includes(unknownSum) }).toEqual({ file, old: false });
      expect({ file, version: text.includes('9.8.7') }).toEqual({ file, version: true });
    }
    expect(released.get('homebrew/curfew.rb')).toContain('a'.repeat(64));
  });
});
