import { expect, test } from 'vitest';
import { asGroupId, asKernelSessionId, asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { linkedProgramOf } from '../../../main/observing/linked-program.ts';

const row = (...argv: readonly string[]): ProcessRow => ({
  pid: asPid(30),
  ppid: asPid(1),
  pgid: asGroupId(30),
  sid: asKernelSessionId(30),
  tty: 0,
  state: 'S',
  startTicks: 1,
  cpuMs: 0,
  rssBytes: 0,
  uid: 1000,
  comm: 'MainThread',
  argv,
  kernelThread: false,
});

const links = new Map([
  ['/usr/local/bin/cn', '/usr/local/lib/node_modules/@continuedev/cli/dist/cn.js'],
  ['/usr/local/bin/serve', '/usr/local/lib/node_modules/serve/build/main.js'],
  ['/home/me/bin/cn', '/home/me/tools/cn.js'],
]);
const agentOf = (...argv: readonly string[]) => linkedProgramOf(row(...argv), (path) => links.get(path) ?? null);

test('the link of a package manager leads to the package that tells the agent', () => {
  expect(agentOf('node', '/usr/local/bin/cn', '-p', 'x')).toBe('continue');
  expect(agentOf('node', '/usr/local/bin/serve')).toBeNull();
});

test('a program of the same name that leads into no such package is no agent', () => {
  expect(agentOf('node', '/home/me/bin/cn')).toBeNull();
  expect(agentOf('node', '/opt/bin/cn')).toBeNull();
  expect(agentOf('node', 'bin/cn')).toBeNull();
  expect(agentOf('python3', '/usr/local/bin/cn')).toBeNull();
  expect(agentOf('vim', '/usr/local/bin/cn')).toBeNull();
});
