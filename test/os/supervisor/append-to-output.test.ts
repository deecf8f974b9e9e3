import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileAtPath, fileHeldOpen, type FileIdentity } from '../../../main/os/files/held-file.ts';
import { appendToOutput } from '../../../main/output/tell-agent.ts';
import { manyUsers, unlessManyUsers } from '../machine-facts.ts';

const uid = process.getuid?.() ?? 0;
let folder = '';
let path = '';
let precious = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-output-'));
  mkdirSync(join(folder, 'tasks'));
  path = join(folder, 'tasks/b1234abcd.output');
  precious = join(folder, 'precious');
  writeFileSync(precious, 'precious\n');
  writeFileSync(path, 'a line\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const seen = (at = path): FileIdentity => {
  const file = fileAtPath(at);
  if (file === null) throw new Error(`there is no file ${at}`);
  return file;
};
const add = (file: FileIdentity, text = 'told\n'): string | null => appendToOutput({ path, file }, uid, text);
const untouched = (): void => expect(readFileSync(precious, 'utf8')).toBe('precious\n');

describe('a line is added to the file that a job holds open', () => {
  test('on a line of its own, after the existing text', () => {
    for (const [before, after] of [
      ['', 'told\n'],
      ['half a line', 'half a line\ntold\n'],
      ['a line\n', 'a line\ntold\n'],
    ] as const) {
      writeFileSync(path, before);
      expect(add(seen())).toBeNull();
      expect(readFileSync(path, 'utf8')).toBe(after);
    }
  });

  test('also at the end of a huge one, while others write to it', () => {
    truncateSync(path, 2 ** 40);
    expect(add(seen())).toBeNull();
    expect(lstatSync(path).size).toBe(2 ** 40 + '\ntold\n'.length);
  });
});

describe('and to nothing else', () => {
  const swaps: Readonly<Record<string, () => void>> = {
    'a link': () => symlinkSync(precious, path),
    'a link to itself': () => symlinkSync(path, path),
    'another name of a precious file': () => linkSync(precious, path),
    'a pipe': () => void spawnSync('mkfifo', [path]),
    'a folder': () => mkdirSync(path),
    'another file': () => writeFileSync(path, 'another\n'),
    'a device': () => void spawnSync('mknod', [path, 'c', '1', '3']),
    nothing: () => undefined,
  };
  test.each(Object.entries(swaps))('%s in its place', (_, swap) => {
    const file = seen();
    // It stays somewhere, so that its inode is not reused.
    renameSync(path, join(folder, 'moved'));
    swap();
    const before = readdirSync(join(folder, 'tasks'));
    expect(add(file)).toMatch(/^\/.*(link|no regular file|another file|gone)/);
    untouched();
    expect(readdirSync(join(folder, 'tasks'))).toEqual(before);
    expect(readFileSync(join(folder, 'moved'), 'utf8')).toBe('a line\n');
  });

  test('a folder above it that became a link', () => {
    const file = seen();
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'b1234abcd.output'), 'precious\n');
    renameSync(join(folder, 'tasks'), join(folder, 'tasks.old'));
    symlinkSync(elsewhere, join(folder, 'tasks'));
    expect(add(file)).toContain('another file');
    expect(readFileSync(join(elsewhere, 'b1234abcd.output'), 'utf8')).toBe('precious\n');
  });

  test('one with a second name, which may be an unrelated file', () => {
    unlinkSync(path);
    linkSync(precious, path);
    expect(add(seen())).toContain('2 names');
    untouched();
  });

  test('one that may not be written', () => {
    chmodSync(path, 0o444);
    expect(add(seen())).toContain('may not be written');
    expect(readFileSync(path, 'utf8')).toBe('a line\n');
  });

  test.skipIf(!manyUsers)(`another user’s${unlessManyUsers}`, () => {
    chownSync(path, uid + 1, uid + 1);
    expect(add(seen())).toContain('another user');
    expect(readFileSync(path, 'utf8')).toBe('a line\n');
  });

  test('a full disk is reported', () => {
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'none', join(folder, 'tasks')]).status).toBe(0);
    try {
      writeFileSync(path, Buffer.alloc(4096, 'x'));
      expect(add(seen())).toMatch(/space/i);
      expect(lstatSync(path).size).toBe(4096);
    } finally {
      spawnSync('umount', [join(folder, 'tasks')]);
    }
  });

  test('whatever replaces it between the scan and the write', async () => {
    const program = `const fs = require('node:fs');
      for (let turn = 0; ; turn += 1) {
        // Until the other side met it in between; it may have had no turn so far.
        if (turn >= 20000 && turn % 1000 === 0 && (turn > 2e6 || fs.existsSync('enough'))) break;
        fs.renameSync('tasks/b1234abcd.output', 'moved');
        fs.symlinkSync('../precious', 'tasks/b1234abcd.output');
        fs.unlinkSync('tasks/b1234abcd.output');
        fs.linkSync('precious', 'tasks/b1234abcd.output');
        fs.unlinkSync('tasks/b1234abcd.output');
        fs.renameSync('moved', 'tasks/b1234abcd.output');
      }`;
    const file = seen();
    const child = spawn(process.execPath, ['-e', program], { cwd: folder, stdio: 'ignore' });
    const ended = once(child, 'exit');
    let told = 0;
    let refused = 0;
    while (child.exitCode === null && child.signalCode === null) {
      for (let turn = 0; turn < 200; turn += 1) {
        if (add(file) === null) told += 1;
        else refused += 1;
      }
      if (refused > 0) writeFileSync(join(folder, 'enough'), '');
      await new Promise(setImmediate);
    }
    expect(await ended).toEqual([0, null]);
    untouched();
    expect(refused).toBeGreaterThan(0);
    expect(readFileSync(path, 'utf8')).toBe(`a line\n${'told\n'.repeat(told)}`);
  });
});

test('the open file of a process is found through the process, not through the path', async () => {
  const [fd, reading] = [openSync(path, 'a'), openSync(path, 'r')];
  const child = spawn('sleep', ['100'], { stdio: ['ignore', fd, reading] });
  for (const one of [fd, reading]) closeSync(one);
  const pid = child.pid ?? 0;
  const file = seen();
  expect(fileHeldOpen(pid, 1, path)).toEqual(file);
  expect(fileHeldOpen(pid, 0, path)).toBeNull();
  expect(fileHeldOpen(pid, 77, path)).toBeNull();
  // What it can only read may be the output of another session, which is told nothing of this one.
  expect(fileHeldOpen(pid, 2, path)).toBeNull();
  // Another file under its name: the held one has another path now, and differs from the named one.
  renameSync(path, join(folder, 'moved'));
  writeFileSync(path, 'another\n');
  expect(fileHeldOpen(pid, 1, path)).toBeNull();
  unlinkSync(join(folder, 'moved'));
  expect(fileHeldOpen(pid, 1, join(folder, 'moved'))).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(fileHeldOpen(pid, 1, path)).toBeNull();
  expect(existsSync(path)).toBe(true);
});
