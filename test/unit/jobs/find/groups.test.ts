import { describe, expect, test } from 'vitest';
import type { Plant } from '../plant.ts';
import { claudeEnvironment, claudeShell, environments } from '../plant.ts';
import { World } from '../world.ts';

const agent: Plant = { pid: 34, argv: 'claude' };
const env = claudeEnvironment({ pid: 34 });

describe('numbers of groups and sessions are given again', () => {
  const world = (): World =>
    new World(
      agent,
      { pid: 80, ppid: 34, sid: 80, argv: claudeShell('sleep 9 &'), env },
      { pid: 81, ppid: 80, argv: 'sleep 9', env },
    );

  test('a terminal gets the number of a dead tool shell, whose job has ended: nothing in it is a job', () => {
    const stage = world();
    stage.look();
    stage.end(81, 80);
    stage.machine.pass(1);
    stage.start({ pid: 80, argv: 'bash', sid: 80 }, { pid: 82, ppid: 80, argv: 'node mine.js' });
    expect(stage.look().found).toEqual([]);
    stage.end(80);
    expect(stage.look().found).toEqual([]);
  });

  test('the number is another’s while a member in a session of its own goes on: it stays, they stay out', () => {
    const stage = world();
    stage.start({ pid: 83, ppid: 80, sid: 83, argv: 'sleep 10', env });
    stage.look();
    stage.end(81, 80);
    stage.machine.pass(1);
    stage.start({ pid: 80, argv: 'bash', sid: 80 }, { pid: 84, ppid: 80, argv: 'node mine.js' });
    expect(stage.look().found).toEqual([{ root: 83, members: [83], owner: 'live' }]);
    stage.end(80);
    expect(stage.look().found).toEqual([{ root: 83, members: [83], owner: 'live' }]);
  });

  test('the number of a group of the job comes to the user who works in the same kernel session', () => {
    // Without sessions of their own: a command of aider, which made a group, and the user's
    // pipeline with the same number later.
    const stage = new World(
      { pid: 30, argv: ['-bash'], sid: 30, tty: 34_816 },
      { pid: 31, ppid: 30, pgid: 31, argv: 'aider' },
      { pid: 40, ppid: 31, argv: ['/bin/sh', '-c', 'timeout 600 make & sleep 9'], heldBy: 31 },
      { pid: 41, ppid: 40, pgid: 41, argv: 'timeout 600 make' },
      { pid: 42, ppid: 41, argv: 'make' },
      { pid: 43, ppid: 40, argv: 'sleep 9' },
    );
    expect(stage.look().found).toEqual([{ root: 40, members: [40, 41, 42, 43], owner: 'live' }]);
    stage.end(42, 41);
    stage.machine.pass(1);
    stage.start({ pid: 41, ppid: 30, pgid: 41, argv: 'less' }, { pid: 44, ppid: 30, pgid: 41, argv: 'node mine.js' });
    expect(stage.look().members).not.toContain(44);
    stage.end(41);
    stage.change(44, { tty: 0, ppid: 1 });
    expect(stage.look().found).toEqual([{ root: 40, members: [40, 43], owner: 'live' }]);
  });
});

describe('a kernel session without a leader is not the tool call’s unless that was seen', () => {
  /**
   * A terminal that was closed: in its session opencode's server, and what the user had left
   * running there.
   */
  const closed: readonly Plant[] = [
    { pid: 52, sid: 30, pgid: 51, argv: 'node typescript-language-server', env: environments.opencode(51) },
    { pid: 53, sid: 30, pgid: 53, argv: 'node mine.js' },
    { pid: 54, sid: 30, pgid: 51, argv: 'node also-mine.js' },
  ];

  test('the server of a dead opencode is a leftover; who shares its group or session is not, at any look', () => {
    const world = new World(...closed);
    for (let look = 0; look < 4; look += 1)
      expect(world.look().found).toEqual([{ root: 52, members: [52], owner: 'unproved' }]);
  });

  test('the same with a bare marker in a group of its own (Cursor)', () => {
    const world = new World(
      { pid: 30, argv: ['-bash'], sid: 30, tty: 34_816 },
      { pid: 31, ppid: 30, pgid: 31, argv: 'cursor-agent' },
      { pid: 40, ppid: 31, pgid: 40, argv: ['/bin/bash', '-c', 'sleep 9; true'], env: environments.cursor() },
      { pid: 41, ppid: 40, argv: 'sleep 9', env: environments.cursor() },
      { pid: 45, ppid: 30, pgid: 45, argv: 'node mine.js' },
    );
    expect(world.look().found).toEqual([{ root: 40, members: [40, 41], owner: 'live' }]);
    world.end(31, 40, 30);
    world.change(41, { tty: 0 });
    world.change(45, { tty: 0 });
    for (let look = 0; look < 4; look += 1) expect(world.look().members).toEqual(new Set([41]));
  });

  test('a living agent’s helper that lost its parent shares the agent’s session and is no tool call', () => {
    const world = new World(
      { pid: 51, argv: 'opencode' },
      { pid: 52, sid: 51, pgid: 51, argv: 'node typescript-language-server', env: environments.opencode(51) },
      { pid: 60, ppid: 51, sid: 60, argv: ['/bin/bash', '-c', 'sleep 9'], env: environments.opencode(51) },
    );
    expect(world.look().found).toEqual([{ root: 60, members: [60], owner: 'live' }]);
  });
});

describe('processes that are only near', () => {
  test('aider runs commands in its own group: no other process there is a member, in its life and after', () => {
    const world = new World(
      { pid: 30, argv: ['-bash'], sid: 30, tty: 34_816 },
      { pid: 31, ppid: 30, pgid: 31, argv: 'aider' },
      { pid: 32, ppid: 30, pgid: 31, argv: 'tee aider.log' },
      { pid: 40, ppid: 31, argv: ['/bin/sh', '-c', 'npm run dev'], heldBy: 31 },
      { pid: 41, ppid: 40, argv: 'npm run dev' },
      { pid: 45, ppid: 30, pgid: 45, argv: 'node mine.js' },
    );
    expect(world.look().found).toEqual([{ root: 40, members: [40, 41], owner: 'live' }]);
    world.end(31, 40);
    expect(world.look().found).toEqual([{ root: 41, members: [41], owner: 'gone' }]);
    world.end(32, 30);
    world.change(41, { tty: 0 });
    world.change(45, { tty: 0 });
    expect(world.look().found).toEqual([{ root: 41, members: [41], owner: 'gone' }]);
  });

  test('aider through a terminal of its own: the user’s shell with -i -c is its command', () => {
    const world = new World(
      { pid: 31, argv: 'aider' },
      { pid: 40, ppid: 31, sid: 40, tty: 34_820, argv: ['/bin/zsh', '-i', '-c', 'npm test'] },
      { pid: 41, ppid: 31, argv: ['git', 'status'] },
    );
    expect(world.look().found).toEqual([{ root: 40, members: [40], owner: 'live' }]);
  });

  test('marks in a group of the user’s pipeline: the marked one only', () => {
    const world = new World(
      { pid: 30, argv: ['-bash'], sid: 30, tty: 34_816 },
      { pid: 31, ppid: 30, pgid: 31, argv: 'codex exec fix' },
      { pid: 32, ppid: 30, pgid: 31, argv: 'tee log' },
      { pid: 40, sid: 30, pgid: 31, argv: 'sleep 9', env: environments.codex('s1') },
    );
    world.end(31);
    for (let look = 0; look < 3; look += 1) expect(world.look().members).toEqual(new Set([40]));
  });

  test('a recorded group holds members only: a group led by an agent or an editor is no job’s', () => {
    const world = new World(
      agent,
      { pid: 69, ppid: 34, sid: 69, argv: claudeShell('git commit'), env },
      { pid: 70, ppid: 69, pgid: 70, argv: 'vim COMMIT_EDITMSG', env },
      { pid: 71, ppid: 70, argv: ['/bin/sh', '-c', 'fmt'], env },
    );
    const look = world.look();
    expect(look.jobWith(69).members.map(({ row }) => Number(row.pid))).toContain(70);
    expect(look.assembled[0]?.entry.groups).toEqual([69]);
    expect(look.vetoes(69)).toContain('editor');
  });

  test('group and session 0 (made outside of the pid namespace) are shared by strangers', () => {
    const outside = { sid: 0, pgid: 0 };
    const world = new World(
      agent,
      { pid: 81, argv: 'sleep 9', env, ...outside },
      { pid: 82, argv: 'node mine.js', ...outside },
    );
    for (let look = 0; look < 3; look += 1) expect(world.look().members).toEqual(new Set([81]));
  });
});
