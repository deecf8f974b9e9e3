import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appendToOutput } from '../../../main/supervisor/output-file.ts';

const uid = process.getuid?.() ?? 0;
let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'curfew-output-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a line is added to an output file', () => {
  test('on a line of its own, after what stands there', () => {
    const path = join(folder, 'b1234.output');
    for (const [before, after] of [
      ['', 'told\n'],
      ['half a line', 'half a line\ntold\n'],
      ['a line\n', 'a line\ntold\n'],
    ] as const) {
      writeFileSync(path, before);
      expect(appendToOutput(path, uid, 'told\n')).toBe(true);
      expect(readFileSync(path, 'utf8')).toBe(after);
    }
  });

  test('and to nothing else: no new file, no link, no pipe, no folder', () => {
    const target = join(folder, 'precious');
    writeFileSync(target, 'precious\n');
    symlinkSync(target, join(folder, 'link.output'));
    spawnSync('mkfifo', [join(folder, 'pipe.output')]);
    const before = readdirSync(folder);
    for (const name of ['link.output', 'pipe.output', 'missing.output', '.']) {
      expect({ name, told: appendToOutput(join(folder, name), uid, 'told\n') }).toEqual({ name, told: false });
    }
    expect(readFileSync(target, 'utf8')).toBe('precious\n');
    expect(readdirSync(folder)).toEqual(before);
  });

  test('nor to the file of another user', () => {
    const path = join(folder, 'theirs.output');
    writeFileSync(path, 'theirs\n');
    expect(appendToOutput(path, uid + 1, 'told\n')).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('theirs\n');
  });
});
