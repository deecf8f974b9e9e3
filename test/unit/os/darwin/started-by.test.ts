import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../../app/settings/defaults.ts';
import type { Look } from '../../../../main/observing/look.ts';
import { MacStage } from '../../../darwin/mac-stage.ts';
import type { Opened, Simulated } from '../../../darwin/simulated-kernel.ts';

// Tool calls of which every process hides its environment, because each is one of the system's own
// programs: the kernel's numbers tell who started them.

const noInput: readonly Opened[] = [{ fd: 0, kind: 'file', path: '/dev/null', device: true }];
const pipedInput: readonly Opened[] = [{ fd: 0, kind: 'pipe', handle: 71, peer: 72 }];

interface Scene {
  readonly mac: MacStage;
  readonly shell: Simulated;
  readonly agent: Simulated;
}

/** An agent in a terminal of the user. */
const scene = (program: string): Scene => {
  const mac = new MacStage();
  mac.settings = { ...defaultSettings, mode: 'enforce', orphanGraceSeconds: 60, noticeSeconds: 30 };
  const terminal = mac.kernel.launch({ argv: ['/Applications/iTerm.app/Contents/MacOS/iTerm2'] });
  const shell = mac.kernel.start(terminal, { argv: ['-zsh'], path: '/bin/zsh', setsid: true, tty: 0x1000_0003 });
  const agent = mac.kernel.start(shell, { argv: [program], group: true });
  return { mac, shell, agent };
};

const call = ({ mac, agent }: Scene, command: string, opened = noInput): Simulated =>
  mac.kernel.start(agent, { argv: ['/bin/zsh', '-lc', command], setsid: true, opened });

const below = (mac: MacStage, parent: Simulated, more: { readonly setsid?: boolean } = {}): Simulated =>
  mac.kernel.start(parent, { argv: ['/bin/sleep', '999'], ...more });

const pidsOf = (look: Look): readonly (readonly number[])[] =>
  [...look.jobs.values()].map(({ job }) => job.members.map(({ row }) => Number(row.pid)).toSorted((a, b) => a - b));

const agents = [
  ['codex', '/opt/homebrew/bin/codex'],
  ['copilot', '/opt/homebrew/bin/copilot'],
  ['opencode', '/opt/homebrew/bin/opencode'],
] as const;

describe.each(agents)('of %s', (id, program) => {
  test('a call is found while it runs, and its orphan by what an earlier look saw', () => {
    const at = scene(program);
    const shell = call(at, 'sleep 999 &');
    const sleep = below(at.mac, shell);
    const [judged] = at.mac.look().jobs.values();
    expect(judged?.job).toMatchObject({ agent: id, command: 'sleep 999 &', owner: { state: 'live' } });
    at.mac.kernel.end(shell);
    at.mac.kernel.exec(sleep, { argv: ['/usr/bin/tail', '-f', '/dev/null'] });
    expect(sleep.parentUniqueId).toBe(at.mac.kernel.launchd.uniqueId);
    expect(pidsOf(at.mac.look())).toEqual([[sleep.pid]]);
  });

  test('what is left of it is ended once its agent is gone, by a Curfew that was started anew, too', () => {
    const at = scene(program);
    const shell = call(at, 'sleep 999 &');
    const sleep = below(at.mac, shell);
    at.mac.look();
    at.mac.kernel.end(shell);
    at.mac.kernel.end(at.agent);
    at.mac.restart();
    const [judged] = at.mac.look().jobs.values();
    expect(judged?.job).toMatchObject({ agent: id, owner: { state: 'gone' } });
    at.mac.watch(200);
    expect(at.mac.kernel.processes.has(sleep.pid)).toBe(false);
    expect(at.mac.kernel.signals).toEqual([{ uniqueId: sleep.uniqueId, signal: 15 }]);
  });

  test('what a part of it started in a session of its own is found when that part has ended', () => {
    const at = scene(program);
    const shell = call(at, 'start');
    const middle = below(at.mac, shell);
    at.mac.look();
    const late = below(at.mac, middle, { setsid: true });
    at.mac.kernel.end(middle);
    at.mac.kernel.end(shell);
    at.mac.restart();
    expect(pidsOf(at.mac.look())).toEqual([[late.pid]]);
    // What nothing but its own number names is remembered from then on.
    at.mac.kernel.exec(late, { argv: ['/usr/bin/tail'] });
    at.mac.restart();
    expect(pidsOf(at.mac.look())).toEqual([[late.pid]]);
  });

  test('a call whose agent a look saw, and which was left before the next look, is found', () => {
    const at = scene(program);
    at.mac.look();
    const shell = call(at, 'sleep 999');
    at.mac.kernel.end(at.agent);
    at.mac.restart();
    const [judged] = at.mac.look().jobs.values();
    expect(judged?.job).toMatchObject({ agent: id, owner: { state: 'gone' }, provenance: [{ code: 'parent' }] });
    at.mac.watch(200);
    expect(at.mac.kernel.processes.has(shell.pid)).toBe(false);
  });
});

test('what was never seen below an agent is no job of it', () => {
  const at = scene('/opt/homebrew/bin/opencode');
  const shell = call(at, 'sleep 999 &');
  const sleep = below(at.mac, shell);
  at.mac.kernel.end(shell);
  at.mac.kernel.end(at.agent);
  at.mac.watch(300);
  expect(at.mac.look().jobs.size).toBe(0);
  expect(at.mac.kernel.processes.has(sleep.pid)).toBe(true);
});

test('a hook of Codex, which gets a pipe, is no call, nor is what it leaves behind', () => {
  const at = scene('/opt/homebrew/bin/codex');
  const hook = call(at, 'daemon &', pipedInput);
  const daemon = below(at.mac, hook);
  expect(at.mac.look().jobs.size).toBe(0);
  at.mac.kernel.end(hook);
  at.mac.kernel.end(at.agent);
  at.mac.watch(300);
  expect(at.mac.kernel.processes.has(daemon.pid)).toBe(true);
});

test.each<[string, (at: Scene) => Simulated]>([
  ['a helper in the agent’s own session', (at) => at.mac.kernel.start(at.agent, { argv: ['/bin/sh', '-c', 'x'] })],
  ['no shell with a command', (at) => at.mac.kernel.start(at.agent, { argv: ['/bin/zsh'], setsid: true })],
  [
    'a shell that shows its environment',
    (at) => at.mac.kernel.start(at.agent, { argv: ['/opt/bin/bash', '-c', 'x'], setsid: true }),
  ],
  ['a shell of the user', (at) => at.mac.kernel.start(at.shell, { argv: ['/bin/sh', '-c', 'x'], setsid: true })],
])('no call is %s', (_what, start) => {
  const at = scene('/opt/homebrew/bin/opencode');
  start(at);
  expect(at.mac.look().jobs.size).toBe(0);
});

test('a process that got the pid of the agent is not taken for it, nor one that got that of a part', () => {
  const at = scene('/opt/homebrew/bin/opencode');
  const shell = call(at, 'sleep 999 &');
  at.mac.look();
  at.mac.kernel.end(shell);
  at.mac.kernel.end(at.agent);
  for (const { pid } of [at.agent, shell]) {
    at.mac.kernel.reuse(pid);
    const stranger = at.mac.kernel.launch({ argv: ['/opt/bin/fish', '-c', 'x'] });
    expect(stranger.pid).toBe(pid);
    at.mac.kernel.reuse(5_000);
    const child = at.mac.kernel.start(stranger, { argv: ['/bin/sh', '-c', 'y'], setsid: true });
    at.mac.kernel.end(stranger);
    expect(pidsOf(at.mac.look()).flat()).not.toContain(child.pid);
  }
});

test('an app that a call opened is launchd’s, and stays', () => {
  const at = scene('/opt/homebrew/bin/opencode');
  call(at, 'open -a Word');
  at.mac.look();
  const app = at.mac.kernel.launch({ argv: ['/Applications/Word.app/Contents/MacOS/Word'], env: ['OPENCODE=1'] });
  at.mac.kernel.end(at.agent);
  at.mac.watch(300);
  expect(at.mac.kernel.processes.has(app.pid)).toBe(true);
});

test('a hidden CURFEW_KEEP is known from the text of the call, and keeps it', () => {
  const at = scene('/opt/homebrew/bin/opencode');
  const shell = call(at, 'CURFEW_KEEP=1 sleep 999 &');
  const sleep = below(at.mac, shell);
  at.mac.look();
  at.mac.kernel.end(shell);
  at.mac.kernel.end(at.agent);
  at.mac.watch(300);
  expect(at.mac.kernel.processes.has(sleep.pid)).toBe(true);
});
