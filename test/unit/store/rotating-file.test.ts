import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RotatingFile } from '../../../main/store/files/log.ts';

// Windows renames no file over one that another program has open.
test('no line is lost while a program shows an older file, and it goes on to rotate afterwards', () => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-rotating-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'x.log');
  const file = new RotatingFile(path, { bytes: 10, files: 2 });
  file.append('the first\n');
  file.append('the second\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('the first\n');
  const shown = openSync(`${path}.1`, 'r');
  file.append('the third\n');
  expect(readFileSync(path, 'utf8')).toContain('the third\n');
  closeSync(shown);
  file.append('the fourth\n');
  file.append('the fifth\n');
  expect(readFileSync(path, 'utf8')).toBe('the fifth\n');
  file.close();
});
