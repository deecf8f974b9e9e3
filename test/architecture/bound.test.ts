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

test('files that others can write are read up to a limit, by the one helper', () => {
  // Of the kernel, and of Curfew's own package.
  const always = /^(?:['`]\/(?:proc|etc)\/|new URL\()/u;
  const kernelOrPackage = /^main\/(?:os\/linux\/|shell\/security\/served-files|web\/page-files)/u;
  const reading = filesIn(project, 'main/**/*.ts').flatMap((file) => {
    const text = readFileSync(join(project, file), 'utf8');
    return [...text.matchAll(/\b(?:readFileSync|readFile|createReadStream)\((.*)/gu)].flatMap(([, rest = '']) =>
      always.test(rest) ? [] : [file],
    );
  });
  expect([...new Set(reading)].filter((file) => !kernelOrPackage.test(file))).toEqual([]);
  expect(reading).not.toEqual([]);
});
