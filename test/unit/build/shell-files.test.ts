import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasShellcheck, shellFaults, shellFilesIn } from '../../../build/scripts/shell-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-shell-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const put = (file: string, text: string): void => {
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), text);
};

/** The codes that shellcheck finds by file. */
const found = (): readonly string[] =>
  shellFaults(folder, shellFilesIn(folder)).map(({ file, line, code }) => `${file}:${line} SC${code}`);

test('shell files are found in every folder but those of packages and of the build', () => {
  for (const file of ['main/deep/one.sh', 'two.sh', 'node_modules/a/three.sh', 'build/out/four.sh', 'no.ts'])
    put(file, ':\n');
  expect(shellFilesIn(folder)).toEqual(['main/deep/one.sh', 'two.sh']);
});

test.skipIf(!hasShellcheck())('a planted fault is found, in a file and in one that it includes', () => {
  put('part.sh', 'say() {\n  echo $1\n}\n');
  put('whole.sh', '. ./part.sh\nsay "$1"\n');
  expect(found()).toEqual(['part.sh:2 SC2086']);
});

test.skipIf(!hasShellcheck())('what only bash knows is a fault in a file that does not name bash', () => {
  put('posix.sh', '#!/bin/sh\n[[ -n $1 ]]\n');
  put('bash.sh', '#!/bin/bash\n[[ -n $1 ]]\n');
  expect(found()).toEqual(['posix.sh:2 SC3010']);
});

test.skipIf(!hasShellcheck())('an included file that is not there is a fault', () => {
  put('whole.sh', '. ./missing.sh\n');
  expect(found()).toEqual(['whole.sh:1 SC1091']);
});
