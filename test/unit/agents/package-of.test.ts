import { expect, test } from 'vitest';
import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { holdsAgent } from '../../../main/observing/package-of.ts';
import { asGroupId, asKernelSessionId, asPid } from '../../../app/process/identity.ts';
import { home, uid, write } from './registry-home.ts';

const holds = (
  argv: readonly string[],
  cwd: string | null = null,
  agent: AgentId = 'gemini',
  slug: string | null = null,
): boolean | null =>
  holdsAgent(
    {
      pid: asPid(30),
      ppid: asPid(1),
      pgid: asGroupId(30),
      sid: asKernelSessionId(30),
      tty: 0,
      state: 'S',
      startTicks: 1,
      cpuMs: 0,
      rssBytes: 0,
      uid,
      comm: 'node',
      argv,
      kernelThread: false,
    },
    { agent, slug },
    cwd,
    uid,
  );

test('a script of a package that has nothing of the agent is not the agent, by its path or from its folder', () => {
  write('shop/package.json', { name: 'shop', dependencies: { express: '5.1.0' } });
  write('shop/src/server.js', '');
  expect(holds(['node', `${home}/shop/src/server.js`])).toBe(false);
  expect(holds(['node', '--enable-source-maps', 'src/server.js', '--gemini'], `${home}/shop`)).toBe(false);
  expect(holds(['node', 'src/server.js'])).toBeNull();
});

test('a package that is the agent, has its command, or depends on it could be the agent', () => {
  for (const content of [
    { name: '@google/gemini-cli' },
    { name: 'helper', bin: { 'my-gemini': 'x.js' } },
    { name: 'helper', dependencies: { '@google/gemini-cli-core': '1.0.0' } },
    { name: 'helper', optionalDependencies: { gemini: '1.0.0' } },
    { name: 'helper', bundledDependencies: ['gemini-cli'] },
  ]) {
    write('tool/package.json', content);
    expect([content, holds(['node', `${home}/tool/x.js`])]).toEqual([content, true]);
  }
});

test('what can’t be read could be the agent: no package, half of one, other programs, modules that are loaded first', () => {
  expect(holds(['node', `${home}/nowhere/x.js`])).toBeNull();
  write('half/package.json', '{"name": "sh');
  expect(holds(['node', `${home}/half/x.js`])).toBeNull();
  write('shop/package.json', { name: 'shop' });
  expect(holds(['bun', `${home}/shop/x.js`])).toBeNull();
  expect(holds(['node', '-e', '1'])).toBeNull();
  expect(holds(['node', '--import', './gemini.js', `${home}/shop/x.js`])).toBeNull();
  expect(holds(['shop'])).toBeNull();
});

test('a package.json without a name belongs to the package around it', () => {
  write('shop/package.json', { name: '@google/gemini-cli' });
  write('shop/dist/package.json', { type: 'module' });
  expect(holds(['node', `${home}/shop/dist/x.js`])).toBe(true);
});

test('what pi is made of could be pi, and a package that has nothing of it is not', () => {
  const isPi = (folder: string): boolean | null => holds(['node', `${home}/${folder}/x.js`], null, 'pi');
  write('pipeline/package.json', { name: 'pi-peline', dependencies: { 'raspberry-pi': '1.0.0' } });
  write('embeds/package.json', { name: 'embeds', dependencies: { '@earendil-works/pi-agent-core': '1.5.2' } });
  expect(isPi('pipeline')).toBe(false);
  expect(isPi('embeds')).toBe(true);
});

test.each([
  ['-bash'],
  ['sshd: me@pts/0'],
  ['cron', '-f'],
  ['tmux: server'],
  ['/bin/sleep', '600'],
  ['tail', '-f', 'log'],
])('a shell of the user, a daemon, and what starts no programs are no agent: %s', (...argv) => {
  expect(holds(argv)).toBe(false);
});

test('an editor, a terminal and a program of no known name could be the agent', () => {
  for (const argv of [['code'], ['warp'], ['python3', 'app.py'], ['bash', '-c', 'agent']])
    expect(holds(argv)).toBeNull();
});

test('an agent that calls itself by a name is in no server of the user, and may be in what has its name or drives a model', () => {
  const isFoo = (folder: string): boolean | null =>
    holds(['node', `${home}/${folder}/server.js`], null, 'other', 'foo');
  write('shop/package.json', { name: 'shop', dependencies: { express: '5.1.0', 'email-ai-d': '1.0.0' } });
  write('plain/package.json', { name: 'plain', dependencies: { express: '5.1.0', maildev: '1.0.0' } });
  write('named/package.json', { name: 'named', bin: { 'foo-code': 'server.js' } });
  write('driver/package.json', { name: 'driver', dependencies: { '@ai-sdk/openai': '1.0.0' } });
  expect(['plain', 'named', 'driver', 'shop', 'none'].map(isFoo)).toEqual([false, true, true, true, null]);
  // Of an agent without a dossier and without a name nothing can be told.
  expect(holds(['node', `${home}/plain/server.js`], null, 'other')).toBeNull();
});
