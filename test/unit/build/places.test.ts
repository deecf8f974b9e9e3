import { chmodSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dependent } from '../../../build/scripts/places-table.ts';
import { canBeEntered, readableCopy, temporaryFolder } from '../../../build/scripts/readable-copy.ts';
import { keepsModes } from '../../needs.ts';

test('each filter of what depends on a place fits a test file', () => {
  const files = globSync('test/**/*.test.ts', { cwd: join(import.meta.dirname, '../../..') });
  const slashed = files.map((file) => file.replaceAll('\\', '/'));
  expect(dependent.filter((filter) => !slashed.some((file) => file.startsWith(filter)))).toEqual([]);
});

describe.skipIf(!keepsModes())('a checkout and a temporary folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'curfew-places-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const checkout = (): string => {
    const at = join(folder, 'Curfew für alle');
    for (const path of ['package.json', 'main/cli/index.ts', 'build/out/cli/curfew.js', 'test/os/program.sh']) {
      mkdirSync(dirname(join(at, path)), { recursive: true, mode: 0o700 });
      writeFileSync(join(at, path), 'text', { mode: path.endsWith('.sh') ? 0o700 : 0o600 });
    }
    return at;
  };

  test('that the user alone can enter are copied to where every user can read and run them', () => {
    expect(canBeEntered(folder)).toBe(false);
    const copy = readableCopy(checkout());
    if (copy === null) throw new Error('there is no copy');
    const modes = ['.', 'main/cli', 'main/cli/index.ts', 'test/os/program.sh', 'programs/node'].map(
      (path) => statSync(join(copy.root, path)).mode & 0o055,
    );
    const enter = canBeEntered(copy.root);
    copy.remove();
    expect({ enter, modes }).toEqual({ enter: true, modes: [0o055, 0o055, 0o044, 0o055, 0o055] });
  });

  test('are replaced by /tmp for tests where others can’t enter it, or its name is long or has blanks', () => {
    expect(temporaryFolder(folder)).toBe('/tmp');
    chmodSync(folder, 0o755);
    const [blank, long] = [join(folder, 'a b'), join(folder, 'a-rather-long-name-'.repeat(4))];
    for (const path of [blank, long]) mkdirSync(path, { mode: 0o755 });
    expect([blank, long].map(temporaryFolder)).toEqual(['/tmp', '/tmp']);
    expect(temporaryFolder('/tmp')).toBe('/tmp');
    expect(temporaryFolder('/var/tmp')).toBe('/var/tmp');
  });
});
