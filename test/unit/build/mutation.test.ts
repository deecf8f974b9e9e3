import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as collected from '../../../build/mutation/collected.ts';
import { testFiles } from '../../../build/mutation/runner.ts';

const root = join(import.meta.dirname, '../../..');
const names = testFiles.flatMap((pattern) => globSync(pattern, { cwd: root }));

test.each(testFiles)('tests that mutants are tried on are there: %s', (pattern) => {
  expect(globSync(pattern, { cwd: root })).not.toEqual([]);
});

test('they use nothing of vitest that is not there while mutants are tried', () => {
  const used = names.flatMap((name) =>
    [...readFileSync(join(root, name), 'utf8').matchAll(/^import \{(.+)\} from 'vitest';$/gmu)].flatMap(([, words]) =>
      (words ?? '').split(',').map((word) => word.trim()),
    ),
  );
  expect(Object.keys(collected)).toEqual(expect.arrayContaining([...new Set(used)]));
});
