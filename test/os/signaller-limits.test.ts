import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Children, running } from './process-source-children.ts';
import { manyUsers, readableNode, readableRoot } from './machine-facts.ts';

/** Signals without a right, koffi or descriptors. Each in a separate node. */

let children: Children;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-limits-'));
  children = new Children();
});

afterEach(async () => {
  await children.endAll();
  rmSync(folder, { recursive: true, force: true });
});

const opening = (from: string): string => {
  const module = (path: string): string => JSON.stringify(pathToFileURL(join(from, path)).href);
  return `
    const { LinuxSource } = await import(${module('main/os/linux/source.ts')});
    const { openSignaller } = await import(${module('main/os/open-signaller.ts')});
    const { RecheckSignaller } = await import(${module('main/os/processes/recheck-signaller.ts')});
    const source = new LinuxSource({ environmentNames: [], uid: process.getuid() });
    const signaller = openSignaller(source);
    const identityOf = (pid) => ({ bootId: source.bootId, pid, startTicks: source.read(pid).startTicks });
    const tell = (what) => console.log(JSON.stringify(what));
  `;
};

const run = (shell: string, script: string, from: string = readableRoot): unknown => {
  const { stdout, stderr } = spawnSync('sh', ['-euc', shell], {
    encoding: 'utf8',
    env: { ...process.env, NODE: readableNode, SCRIPT: opening(from) + script },
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
};

const node = '"$NODE" --input-type=module -e "$SCRIPT"';

test.skipIf(!manyUsers)('another user’s process: refused, by both mechanisms', async () => {
  const pid = await running(children.start('sleep', ['1000']).pid, 'sleep');
  const script = `
    const results = [signaller, new RecheckSignaller(source)].map((one) => {
      const handle = one.open(identityOf(${pid}));
      return [handle.send('TERM'), handle.alive()];
    });
    tell(results)`;
  const asNobody = `setpriv --reuid=65534 --regid=65534 --clear-groups ${node}`;
  expect(run(asNobody, script)).toEqual([
    ['refused', true],
    ['refused', true],
  ]);
});

test('without koffi identities are read again before each signal', async () => {
  for (const part of ['app', 'main', 'package.json'])
    cpSync(join(readableRoot, part), join(folder, part), { recursive: true });
  // Everything except koffi is found from there.
  const pid = await running(children.start('sleep', ['1000']).pid, 'sleep');
  const script = `
    const handle = signaller.open(identityOf(${pid}));
    tell([signaller.mechanism, handle.kind, handle.sendToGroup('TERM'), handle.send('TERM')])`;
  expect(run(node, script, folder)).toEqual(['recheck', 'recheck', 'unsupported', 'sent']);
});

test('without a free descriptor a process is held by reading it again, and does not count as gone', async () => {
  const pid = await running(children.start('sleep', ['1000']).pid, 'sleep');
  const script = `
    const { openSync, closeSync } = await import('node:fs');
    const identity = identityOf(${pid});
    const held = [];
    try { for (;;) held.push(openSync('/dev/null')) } catch {}
    // One for reading the identity again; the pidfd, taken first, gets none beside it.
    let result;
    try { result = signaller.open(identity)?.kind ?? null } catch (error) { result = error.name }
    for (const fd of held) closeSync(fd);
    tell([result, signaller.open(identity).kind])`;
  expect(run(`ulimit -n 64; ${node}`, script)).toEqual(['ProcessTableUnreadable', 'pidfd']);
});
