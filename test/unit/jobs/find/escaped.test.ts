import { describe, expect, test } from 'vitest';
import type { Plant } from '../plant.ts';
import { claudeEnvironment, claudeShell, environments, outputFile } from '../plant.ts';
import { World } from '../world.ts';

const agent: Plant = { pid: 34, argv: 'claude' };
const env = claudeEnvironment({ pid: 34 });
const shell = (pid: number, command: string, more: Partial<Plant> = {}): Plant => ({
  pid,
  ppid: 34,
  sid: pid,
  argv: claudeShell(command),
  env,
  ...more,
});

describe('what leaves its tool shell', () => {
  test('nohup: the child keeps the dead shell’s group and session, and is its job under the same id', () => {
    const world = new World(agent, shell(80, 'nohup sleep 3605 &'), { pid: 81, ppid: 80, argv: 'sleep 3605', env });
    const before = world.look();
    expect(before.found).toEqual([{ root: 80, members: [80, 81], owner: 'live' }]);
    world.end(80);
    const after = world.look();
    expect(after.found).toEqual([{ root: 81, members: [81], owner: 'live' }]);
    expect(after.jobWith(81)).toMatchObject({
      id: before.jobWith(81).id,
      command: 'nohup sleep 3605 &',
      startedAtMs: before.jobWith(80).startedAtMs,
    });
    expect(after.assembled[0]?.entry).toMatchObject({ groups: [80], kernelSessions: [80] });
  });

  test('setsid: seen below its shell, it stays in the job of that shell; first seen alone it is a job of its own', () => {
    const setsid: Plant = { pid: 85, ppid: 84, sid: 85, argv: 'sleep 3606', env };
    const world = new World(agent, shell(84, 'setsid sleep 3606; true'), setsid);
    const { id } = world.look().jobWith(85);
    world.end(84);
    expect(world.look().jobWith(85).id).toBe(id);
    const late = new World(agent, shell(84, 'true'), { ...setsid, ppid: 1 });
    expect(late.look().found).toEqual([
      { root: 84, members: [84], owner: 'live' },
      { root: 85, members: [85], owner: 'live' },
    ]);
  });

  test('a double fork out of a living shell: found by the ledger when it was seen in between, by its marks anyway', () => {
    const world = new World(agent, shell(90, '((sleep 3606 &) &); sleep 1'), {
      pid: 91,
      ppid: 90,
      argv: claudeShell('((sleep 3606 &) &); sleep 1'),
      env,
    });
    world.start({ pid: 92, ppid: 91, argv: 'sleep 3606', env });
    world.look();
    world.end(91);
    expect(world.look().found).toEqual([{ root: 90, members: [90, 92], owner: 'live' }]);
  });

  test('env -i below a living shell is a member by parentage, and by the ledger when the shell has ended and every trace is gone', () => {
    const world = new World(agent, shell(90, 'env -i setsid sleep 9 &'), {
      pid: 91,
      ppid: 90,
      sid: 91,
      argv: 'sleep 9',
      env: {},
    });
    const { id } = world.look().jobWith(91);
    world.end(90, 34);
    const look = world.look();
    expect(look.found).toEqual([{ root: 91, members: [91], owner: 'gone' }]);
    expect(look.jobWith(91).id).toBe(id);
    expect(look.jobWith(91).members[0]?.by).toContain('ledger');
  });

  test('env -i that was not seen below its shell is known by the output file that it still writes to', () => {
    const world = new World(agent, {
      pid: 91,
      sid: 90,
      pgid: 90,
      argv: '/bin/zsh',
      env: {},
      outputs: [outputFile('b1')],
    });
    world.end(34);
    const look = world.look();
    expect(look.found).toEqual([{ root: 91, members: [91], owner: 'unproved' }]);
    expect(look.jobWith(91)).toMatchObject({ agent: 'claude-code', task: 'b1' });
    expect(look.jobWith(91).provenance.map(({ code }) => code)).toEqual(['output']);
  });

  test('env -i without any trace belongs to no job', () => {
    const world = new World(agent, { pid: 91, sid: 90, pgid: 90, argv: 'sleep 9', env: {} });
    world.end(34);
    expect(world.look().found).toEqual([]);
  });

  test('several children of one dead shell are one job, those of two shells are two', () => {
    const left = (pid: number, sid: number): Plant => ({ pid, sid, pgid: sid, argv: 'sleep 9', env });
    const world = new World(agent, left(81, 80), left(82, 80), left(91, 90), left(92, 90));
    expect(world.look().found.map(({ members }) => members)).toEqual([
      [81, 82],
      [91, 92],
    ]);
  });

  test('workers that share the group of a dead pytest: one job, whichever of them is left', () => {
    const pytest = (pid: number, ppid: number): Plant => ({ pid, ppid, argv: 'python3 -m pytest -n 4', env });
    const world = new World(agent, shell(60, 'pytest -n 4'), pytest(61, 60), pytest(62, 61), pytest(63, 61));
    const { id } = world.look().jobWith(61);
    world.end(34, 60, 61);
    const look = world.look();
    expect(look.found).toEqual([{ root: 62, members: [62, 63], owner: 'gone' }]);
    expect(look.jobWith(63).id).toBe(id);
  });

  test('an adopter that is no process 1: a subreaper, a user’s service manager, WSL’s relay', () => {
    for (const adopter of [
      { pid: 20, argv: ['/usr/lib/systemd/systemd', '--user'], comm: 'systemd' },
      { pid: 20, argv: '/init', comm: 'init' },
      { pid: 20, argv: 'my-subreaper', comm: 'my-subreaper' },
    ]) {
      const world = new World(adopter, agent, shell(80, 'nohup sleep 3605 &'), {
        pid: 81,
        ppid: 80,
        argv: 'sleep 3605',
        env,
      });
      const { id } = world.look().jobWith(81);
      world.end(80, 34);
      world.change(81, { ppid: 20 });
      const look = world.look();
      expect(look.found).toEqual([{ root: 81, members: [81], owner: 'gone' }]);
      expect(look.jobWith(81).id).toBe(id);
    }
  });

  test('the shell becomes its only command by exec: the same job, still told as the agent wrote it', () => {
    const world = new World(agent, shell(80, 'exec node server.js'));
    const { id } = world.look().jobWith(80);
    world.change(80, { argv: 'node server.js', comm: 'node' });
    expect(world.look().jobWith(80)).toMatchObject({ id, command: 'exec node server.js' });
  });

  test('a leftover whose name hides it (comm, argv, newlines) is found by what it can’t change', () => {
    const world = new World(agent, { pid: 81, sid: 80, pgid: 80, argv: ['a) R 1 (b\nclaude'], comm: ') Z 1 1 (', env });
    expect(world.look().found).toEqual([{ root: 81, members: [81], owner: 'live' }]);
  });
});

describe('leftovers of Codex', () => {
  const codex = environments.codex('0199-abc');

  test('the leader died with its agent; its children are one orphan', () => {
    const world = new World(
      { pid: 50, argv: 'codex' },
      { pid: 60, ppid: 50, sid: 60, argv: ['/bin/bash', '-c', 'sleep 3600 | cat'], env: codex },
      { pid: 61, ppid: 60, argv: 'sleep 3600', env: codex },
      { pid: 62, ppid: 60, argv: 'cat', env: codex },
    );
    const { id } = world.look().jobWith(61);
    world.end(60, 50);
    const look = world.look();
    expect(look.found).toEqual([{ root: 61, members: [61, 62], owner: 'gone' }]);
    expect(look.jobWith(61)).toMatchObject({ id, agent: 'codex', command: 'sleep 3600 | cat', session: '0199-abc' });
  });

  test('Curfew did not run: both children by their marks, with no command but their own', () => {
    const world = new World(
      { pid: 61, sid: 60, pgid: 60, argv: 'sleep 3600', env: codex },
      { pid: 62, sid: 60, pgid: 60, argv: 'cat', env: codex },
    );
    const look = world.look();
    expect(look.found).toEqual([{ root: 61, members: [61, 62], owner: 'unproved' }]);
    expect(look.jobWith(61).command).toBe('sleep 3600');
  });

  test('while any older Codex lives, its owner is unknown', () => {
    const world = new World({ pid: 50, argv: 'codex' }, { pid: 61, sid: 60, pgid: 60, argv: 'sleep 3600', env: codex });
    expect(world.look().found).toEqual([{ root: 61, members: [61], owner: 'unknown' }]);
  });
});

test('a child without any mark says nothing new of whose its shell is, at no later look', () => {
  const world = new World(shell(80, 'env -i sleep 9'), { pid: 81, ppid: 80, argv: 'sleep 9', env: {} });
  world.change(80, { ppid: 1 });
  for (let look = 0; look < 3; look += 1)
    expect(world.look().found).toEqual([{ root: 80, members: [80, 81], owner: 'gone' }]);
});
