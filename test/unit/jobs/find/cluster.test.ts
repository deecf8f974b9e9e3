import { describe, expect, test } from 'vitest';
import { env, left, loose } from '../left.ts';
import type { Plant } from '../plant.ts';
import { claudeEnvironment, claudeShell, environments, outputFile, sessionA, sessionB } from '../plant.ts';
import { World } from '../world.ts';

const outputs = [outputFile('b1')];
const call: Plant = { pid: 80, sid: 80, argv: claudeShell('sleep 9 & setsid sleep 9 &'), env };

const membersOf = (world: World): readonly (readonly number[])[] => world.look().found.map(({ members }) => members);

describe('who shares the kernel session of a tool call that has ended is one job', () => {
  test('but not where it is only told to have been made outside of the pid namespace', () => {
    expect(membersOf(new World(left(81, { sid: 0 }), left(82, { sid: 0 })))).toEqual([[81], [82]]);
  });

  test('but not two sessions of the agent', () => {
    const other = claudeEnvironment({ pid: 34, session: sessionB });
    expect(membersOf(new World(left(81), left(82, { env: other })))).toEqual([[81], [82]]);
  });

  test('but not where the agent makes no kernel sessions for its calls', () => {
    const muxs = environments.mux('w');
    expect(membersOf(new World(left(81, { env: muxs }), left(82, { env: muxs })))).toEqual([[81], [82]]);
  });

  test.each<[string, Plant]>([
    ['who has no mark of the call', { pid: 80, argv: 'node host.js' }],
    ['who is an agent itself', { pid: 80, argv: 'codex exec fix', env }],
  ])('but not where its leader %s', (_who, leader) => {
    expect(membersOf(new World(leader, left(81), left(82)))).toEqual(expect.arrayContaining([[81], [82]]));
  });

  test('also where another process of the call leads it', () => {
    expect(membersOf(new World(left(80), left(81), left(82)))).toEqual([[80, 81, 82]]);
  });
});

describe('who writes to the same output file of an agent is one job', () => {
  test('whatever its kernel session, and what shares a session with one of them', () => {
    const world = new World(left(81, { outputs }), left(82), loose(83, { outputs }));
    expect(membersOf(world)).toEqual([[81, 82, 83]]);
  });

  test('of which all has the task, though the youngest of it names none', () => {
    expect(new World(left(81, { outputs }), left(82)).look().jobWith(82)).toMatchObject({
      task: 'b1',
      output: outputs[0],
    });
  });

  test('but the file of another agent is not its own', () => {
    const { agent, task, output } = new World(loose(81, { env: environments.codex('c1'), outputs })).look().jobWith(81);
    expect({ agent, task, output }).toEqual({ agent: 'codex', task: null, output: null });
  });

  test('without any mark it is known by it, and so is its agent', () => {
    const world = new World(loose(81, { env: {}, outputs }), loose(82, { env: {}, outputs }));
    expect(membersOf(world)).toEqual([[81, 82]]);
  });

  test('what was not seen before and writes to the file of a known job is that job', () => {
    const world = new World({ ...call, outputs });
    const { id } = world.look().jobWith(80);
    world.end(80);
    world.start(loose(85, { env: {}, outputs }));
    expect(world.look().jobWith(85)).toMatchObject({ id, command: 'sleep 9 & setsid sleep 9 &' });
  });
});

describe('what was known as one job is one', () => {
  test('though its shell has ended, and its parts share nothing any more', () => {
    const world = new World(call, left(81, { ppid: 80 }), loose(85, { ppid: 80 }));
    const { id } = world.look().jobWith(85);
    world.end(80);
    const look = world.look();
    expect(look.found.map(({ members }) => members)).toEqual([[81, 85]]);
    expect(look.jobWith(81).id).toBe(id);
  });

  test('and a part of it that shows itself later is that job’s, the younger as well as the older', () => {
    for (const start of [65_000, 99_999]) {
      const world = new World(left(81, { start: 66_000 }));
      const { id } = world.look().jobWith(81);
      world.start(left(82, { start }));
      const look = world.look();
      expect(look.found.map(({ members }) => members)).toEqual([[81, 82]]);
      expect(look.jobWith(82).id).toBe(id);
    }
  });

  test('and two jobs stay two, though they write to one file now', () => {
    const world = new World(loose(81), loose(82));
    const ids = [81, 82].map((pid) => world.look().jobWith(pid).id);
    world.change(81, { outputs });
    world.change(82, { outputs });
    const look = world.look();
    expect([81, 82].map((pid) => look.jobWith(pid).id)).toEqual(ids);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('a job hangs on the oldest of it', () => {
  test('whatever the pids', () => {
    expect(new World(left(82, { start: 65_000 }), left(81, { start: 65_001 })).look().jobWith(81).root.pid).toBe(82);
  });

  test.each([
    [81, 82],
    [82, 81],
  ])('and of two that began in the same moment on that with the lower pid: %d beside %d', (one, other) => {
    const world = new World(left(one, { start: 65_000 }), left(other, { start: 65_000 }));
    expect(world.look().jobWith(one).root.pid).toBe(81);
  });
});

test('a session’s id tells its leftovers from those that name none', () => {
  const nameless = claudeEnvironment({ pid: 0, version: '2.0.28' });
  const world = new World(left(81), left(82, { env: nameless }));
  const look = world.look();
  expect(look.found.map(({ members }) => members)).toEqual([[81], [82]]);
  expect([look.jobWith(81).session, look.jobWith(82).session]).toEqual([sessionA, null]);
});
