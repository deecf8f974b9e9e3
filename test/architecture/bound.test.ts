import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, project } from './planted.ts';

test('every loop that ends what two looks found due is bounded by the one function', () => {
  const confirming = filesIn(project, 'main/**/*.ts').filter((file) =>
    /[dD]ueConfirmation\.confirm\(|\.confirm\(look, settings|= confirmTwice\(|confirmTwice\(before\.get/u.test(
      readFileSync(join(project, file), 'utf8').replaceAll(/\s+\./gu, '.'),
    ),
  );
  expect(confirming.length).toBeGreaterThanOrEqual(4);
  const unbounded = confirming.filter((file) => !readFileSync(join(project, file), 'utf8').includes('endsOfOneLook('));
  expect(unbounded).toEqual([]);
});
