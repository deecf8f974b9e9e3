import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('the native reader can start no program', () => {
  const folder = join(import.meta.dirname, '../../../../main/os/darwin');
  const files = ['kernel', 'native', 'common'].flatMap((one) =>
    readdirSync(join(folder, one)).map((name) => readFileSync(join(folder, one, name), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((text) => /child_process|\/ps\//u.test(text))).toEqual([]);
});
