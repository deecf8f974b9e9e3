import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-kept-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Runs a text in a process of its own, which prints what its function returns. */
const start = (command: string, text = '(function(){var twice=n=>2*n;return twice(21)})'): string => {
  const file = join(folder, 'chunk.text.js');
  writeFileSync(file, text);
  const module = join(import.meta.dirname, '../../../main/cli/common/kept-code.ts');
  const program = `
    import { keepCodeIn, keptCode } from ${JSON.stringify(module)};
    keepCodeIn(${JSON.stringify(folder)}, ${JSON.stringify(command)});
    console.log(keptCode(${JSON.stringify(file)})());`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }).trim();
};

const kept = (): Buffer => readFileSync(join(folder, 'chunk.scan'));

test('code that ran is kept, and is what the next start takes', () => {
  expect(start('scan')).toBe('42');
  const before = kept();
  expect(start('scan')).toBe('42');
  expect(kept()).toEqual(before);
  expect(readdirSync(folder).toSorted()).toEqual(['chunk.scan', 'chunk.text.js']);
});

test('each command keeps its own code', () => {
  start('scan');
  start('reap');
  expect(readdirSync(folder).toSorted()).toEqual(['chunk.reap', 'chunk.scan', 'chunk.text.js']);
});

test('code of which a byte has changed is not run, and is kept anew', () => {
  start('scan');
  const good = kept();
  for (const at of [40, good.length - 1]) {
    const bad = Buffer.from(good);
    bad.writeUInt8(bad.readUInt8(at) ^ 0x55, at);
    writeFileSync(join(folder, 'chunk.scan'), bad);
    expect(start('scan')).toBe('42');
    expect(kept()).not.toEqual(bad);
  }
});

test.each([0, 200])('code that was cut after %i bytes is not run', (length) => {
  start('scan');
  writeFileSync(join(folder, 'chunk.scan'), kept().subarray(0, length));
  expect(start('scan')).toBe('42');
  expect(kept().length).toBeGreaterThan(length);
});
