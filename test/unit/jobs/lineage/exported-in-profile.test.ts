import { describe, expect, test } from 'vitest';
import type { Plant } from '../plant.ts';
import { claudeEnvironment, environments, geminiShell } from '../plant.ts';
import { World } from '../world.ts';

const marks: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['GEMINI_CLI', environments.gemini()],
  ['CODEX_CI', { CODEX_CI: '1' }],
  ['CLAUDECODE and GIT_EDITOR', claudeEnvironment({ pid: 0, version: '2.0.28' })],
];
const manager = (env: Plant['env']): Plant => ({
  pid: 10,
  argv: '/lib/systemd/systemd --user',
  comm: 'systemd',
  env: env ?? {},
});
const terminal = (env: Plant['env']): readonly Plant[] => [
  { pid: 20, ppid: 10, sid: 20, argv: 'xterm', env: env ?? {} },
  { pid: 21, ppid: 20, sid: 21, tty: 34_816, argv: 'bash', env: env ?? {} },
];
/** Something of the user that has left its terminal, or was never in one. */
const bot = (env: Plant['env']): Plant => ({
  pid: 81,
  ppid: 10,
  sid: 80,
  pgid: 80,
  argv: 'node bot.js',
  env: env ?? {},
});

describe.each(marks)('%s set by the user proves nothing', (_name, env) => {
  test.each([
    ['in the environment of the user’s manager', [manager(env), bot(env)]],
    ['in a profile, which a terminal shows', [manager({}), ...terminal(env), bot(env)]],
    [
      'by a shell’s own file, which what runs in it shows',
      [manager({}), ...terminal({}), { pid: 22, ppid: 21, pgid: 22, argv: 'vim', env }, bot(env)],
    ],
  ] as const)('%s', (_where, plants) => {
    const world = new World(...plants);
    for (let times = 0; times < 3; times += 1) {
      const look = world.look();
      expect(look.jobWith(81).owner.state).toBe('unknown');
      expect(look.vetoes(81)).toContain('no-provenance');
    }
  });

  test('where no shell has it, it is a leftover’s', () => {
    const world = new World(manager({}), ...terminal({}), bot(env));
    const look = world.look();
    expect(look.jobWith(81).owner.state).toBe('unknown');
    expect(look.vetoes(81)).toEqual([]);
    world.end(20, 21);
    expect(world.look().jobWith(81).owner.state).toBe('unproved');
  });
});

test('set by the user, it takes nothing from what else proves a job: the shell’s own form, and having been seen below the agent', () => {
  const env = environments.gemini();
  const world = new World(
    manager(env),
    { pid: 34, ppid: 10, argv: 'gemini', env },
    { pid: 80, ppid: 34, sid: 80, argv: geminiShell('sleep 9'), env },
    { pid: 86, ppid: 34, sid: 86, argv: ['/bin/bash', '-c', 'sleep 10'], env: { ...env, CODEX_CI: '1' } },
  );
  expect(world.look().jobWith(80).owner.state).toBe('live');
  world.end(34);
  world.change(80, { ppid: 10 });
  const look = world.look();
  expect(look.jobWith(80).owner.state).toBe('gone');
  expect(look.vetoes(80)).toEqual([]);
});
