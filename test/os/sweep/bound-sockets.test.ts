import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { boundNamesIn } from '../../../main/os/linux/sockets/bound-sockets.ts';
import { boundSockets } from '../../../main/os/bound-sockets.ts';
import { LinuxSource } from '../../../main/os/linux/source.ts';
import { StageError } from '../scene/stage-error.ts';

const uid = process.getuid?.() ?? 0;
let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'curfew-sockets-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bound = async (): Promise<ReadonlySet<string>> => {
  // Scenes begin and end beside this test: the sockets of a disappearing network can't be read.
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    const { rows } = new LinuxSource({ uid, environmentNames: [] }).scan(new Set());
    const names = boundSockets(rows.values(), uid);
    if (names !== null) return names;
    await pause(50);
  }
  throw new StageError('waited in vain: a moment at which all networks can be looked at');
};

test('lines of the table', () => {
  const text = [
    'Num       RefCount Protocol Flags    Type St Inode Path',
    '0000000000000000: 00000002 00000000 00010000 0001 01 513449 /tmp/claude-http-0123456789abcdef.sock',
    '0000000000000000: 00000002 00000000 00010000 0001 01    49 ./with a blank.sock',
    '0000000000000000: 00000003 00000000 00000000 0001 03 13450',
    '0000000000000000: 00000002 00000000 00010000 0005 01 12 @/tmp/abstract.sock',
    '',
  ].join('\n');
  expect(boundNamesIn(text)).toEqual(['claude-http-0123456789abcdef.sock', 'with a blank.sock']);
});

test('a listener is seen, and not after it has closed', async () => {
  const server = createServer().listen(join(folder, '4711.sock'));
  await once(server, 'listening');
  expect(await bound()).toContain('4711.sock');
  server.close();
  await once(server, 'close');
  expect(await bound()).not.toContain('4711.sock');
});

test('a listener in another network namespace is seen', async () => {
  const path = join(folder, '4712.sock');
  const program = `require('node:net').createServer().listen(${JSON.stringify(path)})`;
  const child = spawn('unshare', ['--net', process.execPath, '-e', program], { stdio: 'ignore' });
  while (!existsSync(path)) await pause(20);
  expect(await bound()).toContain('4712.sock');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(path)).toBe(true);
  expect(await bound()).not.toContain('4712.sock');
});
