import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Said } from '../../../app/format/said.ts';
import { inEnglish } from '../../../app/text/say.ts';
import { findForm } from '../../../main/sweep/find-forms.ts';
import { type SeenFile, seeFile } from '../../../main/os/files/found-file.ts';
import { removeFile } from '../../../main/os/files/remove-file.ts';
import { manyUsers, unlessManyUsers } from '../machine-facts.ts';

const uid = process.getuid?.() ?? 0;
let root = '';
let folder = '';
let path = '';
let precious = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-sweep-'));
  folder = join(root, 'shell-snapshots');
  path = join(folder, 'snapshot-bash-1795000000000-abc123.sh');
  precious = join(root, 'precious');
  mkdirSync(folder);
  writeFileSync(path, 'alias x=y\n');
  writeFileSync(precious, 'precious\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const seen = (): SeenFile => {
  const file = seeFile(path, path, uid);
  if (file === null) throw new Error('there is no such file');
  return file;
};
const aside = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('.curfew'));

test('only the very file goes', () => {
  writeFileSync(join(folder, 'other'), '');
  expect(removeFile(seen(), uid)).toEqual({ kind: 'deleted' });
  expect(readdirSync(folder)).toEqual(['other']);
});

test('what a sweep that was ended had moved aside is named by the next search, and stays', () => {
  const left = join(folder, '.curfew-sweep-0b7c6a1e-0000-4000-8000-000000000000');
  renameSync(path, left);
  const passedOver: string[] = [];
  const tools = { uid, mounts: new Set<string>(), passOver: (why: Said) => void passedOver.push(inEnglish(why)) };
  expect(findForm(root, ['shell-snapshots', /^snapshot-.*$/u], tools)).toEqual([]);
  expect(passedOver).toEqual([`${left}: left by a removal that was ended halfway`]);
  expect(readFileSync(left, 'utf8')).toBe('alias x=y\n');
});

describe('a replacement in its place stays', () => {
  test.each<[string, () => void]>([
    ['a link', () => symlinkSync(precious, path)],
    ['a file', () => writeFileSync(path, 'alias x=y\n')],
    ['a hard link', () => linkSync(precious, path)],
    ['a folder', () => mkdirSync(path)],
  ])('%s', (_, put) => {
    const file = seen();
    renameSync(path, join(root, 'moved'));
    put();
    const before = lstatSync(path).ino;
    expect(removeFile(file, uid)).toEqual({ kind: 'changed' });
    expect(lstatSync(path).ino).toBe(before);
    expect(readFileSync(precious, 'utf8')).toBe('precious\n');
    expect(aside()).toEqual([]);
  });

  test('nothing', () => {
    const file = seen();
    rmSync(path);
    expect(removeFile(file, uid)).toEqual({ kind: 'changed' });
  });

  test('the same file, written again or given a second name', () => {
    const file = seen();
    linkSync(path, join(root, 'second'));
    expect(removeFile(file, uid)).toEqual({ kind: 'changed' });
    rmSync(join(root, 'second'));
    writeFileSync(path, 'alias x=z\n');
    expect(removeFile(file, uid)).toEqual({ kind: 'changed' });
    expect(readFileSync(path, 'utf8')).toBe('alias x=z\n');
  });
});

describe('nothing is deleted through a folder that', () => {
  test.each(['shell-snapshots', '.'])('became a link: %s', (part) => {
    const file = seen();
    const there = join(root, part);
    const elsewhere = `${root}.elsewhere`;
    renameSync(there, elsewhere);
    symlinkSync(elsewhere, there);
    try {
      expect(removeFile(file, uid)).toMatchObject({ kind: 'failed', why: { key: '{path} is a link or no folder' } });
    } finally {
      rmSync(there);
      renameSync(elsewhere, there);
    }
    expect(readFileSync(path, 'utf8')).toBe('alias x=y\n');
  });

  test.skipIf(!manyUsers)(`belongs to another user${unlessManyUsers}`, () => {
    const file = seen();
    chownSync(folder, uid + 1, uid + 1);
    expect(removeFile(file, uid)).toMatchObject({ kind: 'failed' });
    expect(lstatSync(path).isFile()).toBe(true);
  });
});

test('a file put there between the scan and the deletion is never lost', async () => {
  const program = `const fs = require('node:fs');
    const path = process.argv[1];
    for (let turn = 0; ; turn += 1) {
      // Until the other side met it in between; it may have had no turn so far.
      if (turn >= 15000 && turn % 1000 === 0 && (turn > 1e6 || fs.existsSync('enough'))) break;
      fs.writeFileSync('stale', 'x');
      fs.renameSync('stale', path);
      fs.linkSync('precious', 'link');
      fs.renameSync('link', path);
      try { fs.unlinkSync(path); } catch {}
    }`;
  const file = seen();
  const child = spawn(process.execPath, ['-e', program, path], { cwd: root, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const kinds = new Set<string>();
  while (child.exitCode === null && child.signalCode === null) {
    for (let turn = 0; turn < 100; turn += 1) {
      const now = seeFile(path, path, uid);
      kinds.add(removeFile(now !== null && now.names === 1 && now.bytes === 1 ? now : file, uid).kind);
    }
    if (kinds.has('deleted')) writeFileSync(join(root, 'enough'), '');
    await new Promise(setImmediate);
  }
  expect(await ended).toEqual([0, null]);
  expect(kinds).toContain('deleted');
  expect(readFileSync(precious, 'utf8')).toBe('precious\n');
  // A file that was moved aside and could not return, because another one was there already, is
  // still whole.
  const kept = aside().map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(kept.filter((text) => text !== 'x' && text !== 'precious\n')).toEqual([]);
});
