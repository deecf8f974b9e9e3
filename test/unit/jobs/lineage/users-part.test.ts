import { describe, expect, test } from 'vitest';
import { env } from '../left.ts';
import { claudeShell, environments, geminiShell, type Plant } from '../plant.ts';
import { World } from '../world.ts';

const agent: Plant = { pid: 34, argv: 'claude', start: 60_000 };
const call: Plant = { pid: 80, ppid: 34, sid: 80, argv: claudeShell('x & true'), env, start: 61_000 };

/** The agent and its tool call, of which a look saw these below its shell; then both end. */
const leftOf = (...plants: readonly Plant[]): World => {
  const world = new World(agent, call, ...plants.map((plant) => ({ env, ...plant })));
  world.look();
  world.end(80);
  world.end(34);
  world.look();
  return world;
};

const told = (world: World, pid: number) => {
  const { proof, owner } = world.look().jobWith(pid);
  return { proof: proof.kind, owner: owner.state };
};

const users = { proof: 'claimed', owner: 'unknown' };
const leftover = { proof: 'look', owner: 'gone' };

/** Of no known name. */
const host: Plant = { pid: 81, ppid: 80, sid: 81, argv: 'hostd --serve', start: 61_001 };
const onTerminal: Plant = { pid: 82, ppid: 81, sid: 82, tty: 34_820, argv: 'explore data.db', start: 61_010 };

describe('a terminal that a process of the job holds', () => {
  test('is the user’s, whatever runs in it, also when that has ended and what it left goes on', () => {
    const world = leftOf(host, onTerminal, { pid: 83, ppid: 82, argv: 'compute', sid: 82, pgid: 83, tty: 34_820 });
    expect(told(world, 81)).toEqual(users);
    world.end(82);
    world.change(83, { tty: 0 });
    expect(told(world, 83)).toEqual(users);
    world.end(81);
    expect(told(world, 83)).toEqual(users);
  });

  test('is the user’s where the host stayed in the kernel session of the call', () => {
    expect(told(leftOf({ ...host, sid: 80 }, onTerminal), 81)).toEqual(users);
  });

  test('is none where nothing has a terminal', () => {
    expect(told(leftOf(host, { ...onTerminal, tty: 0, sid: 81 }), 81)).toEqual(leftover);
  });
});

describe('a terminal that an agent gave to its tool call', () => {
  test.each<[string, Plant]>([
    ['Codex', { pid: 80, argv: ['/bin/bash', '-lc', 'x & wait'], env: environments.codex('c1') }],
    ['Copilot', { pid: 80, argv: ['bash', '-c', 'x & wait'], env: environments.copilot('c1') }],
    ['Gemini CLI', { pid: 80, argv: geminiShell('x & wait'), env: environments.gemini() }],
  ])('is no user’s: %s', (name, shell) => {
    const programs = { Codex: 'codex', Copilot: 'copilot', 'Gemini CLI': 'node /usr/bin/gemini' };
    const argv = programs[name as keyof typeof programs];
    const world = new World(
      { pid: 34, argv, start: 60_000 },
      { ...shell, ppid: 34, sid: 80, tty: 34_820 },
      { pid: 81, ppid: 80, argv: 'compute', ...(shell.env === undefined ? {} : { env: shell.env }) },
    );
    expect(told(world, 81)).toEqual({ proof: 'look', owner: 'live' });
  });
});

/** It left the kernel session of its call. */
const daemon: Plant = { pid: 81, ppid: 80, sid: 81, argv: 'queued', start: 61_001, image: 'a' };
const listening: Plant = { ...daemon, ports: [3000] };
const driven = 'chrome --headless --remote-debugging-port=0 --user-data-dir=/tmp/x';
const begun = (more: Partial<Plant> = {}): Plant => ({
  pid: 90,
  ppid: 81,
  sid: 90,
  argv: 'node batch.js',
  env,
  image: 'b',
  ...more,
});

describe('what a process of the job starts when its call has returned', () => {
  test.each<[string, Plant, Plant, object]>([
    ['a daemon starts another program in a kernel session of its own', daemon, begun(), users],
    ['a daemon, on a machine that tells no images', { ...daemon }, begun({ image: undefined as never }), users],
    ['a daemon forks a worker into a kernel session of its own', daemon, begun({ image: 'a' }), leftover],
    ['a daemon starts a program in its own kernel session', daemon, begun({ sid: 81 }), leftover],
    ['a daemon makes a group for a program', daemon, begun({ sid: 81, pgid: 90 }), leftover],
    ['what stayed in the session of the call does the same', { ...daemon, sid: 80 }, begun(), users],
    ['what stayed there starts a program beside itself', { ...daemon, sid: 80 }, begun({ sid: 80 }), leftover],
    ['what stayed there drives a browser', { ...daemon, sid: 80 }, begun({ argv: driven }), leftover],
    ['what listens starts a program beside itself', { ...listening, sid: 80 }, begun({ sid: 80 }), users],
    ['what listens forks a worker', listening, begun({ sid: 81, image: 'a' }), leftover],
    ['what listens starts a worker for its port', listening, begun({ sid: 81, ports: [3000] }), leftover],
    ['what listens drives a browser', { ...listening, sid: 80 }, begun({ argv: driven }), leftover],
    ['with another environment, in a group', { ...daemon, sid: 80 }, begun({ sid: 80, pgid: 90, env: {} }), users],
    [
      'with another environment, in its own group',
      { ...daemon, sid: 80 },
      begun({ sid: 80, pgid: 80, env: {} }),
      leftover,
    ],
    ['whose environment can’t be read', { ...daemon, sid: 80 }, begun({ sid: 80, pgid: 90, env: null }), leftover],
  ])('%s', (_what, parent, child, expected) => {
    const world = leftOf(parent);
    world.start(child);
    expect(told(world, 90)).toEqual(expected);
    expect(told(world, 81)).toEqual(expected);
  });

  test('is the daemon’s own within a second of its start, and while the tool shell lives', () => {
    expect(told(leftOf(daemon, begun({ start: 61_002 })), 90)).toEqual(leftover);
    expect(told(leftOf(daemon, begun({ start: 61_002.01 })), 90)).toEqual(users);
    const world = new World(agent, call, { ...daemon, env }, begun({ start: 61_500 }));
    expect(told(world, 90)).toEqual({ proof: 'look', owner: 'live' });
  });

  test('may be asked of what listens while the tool shell and the agent live', () => {
    const world = new World(agent, call, { ...listening, env, sid: 80 }, begun({ sid: 80, start: 61_500 }));
    expect(told(world, 90)).toEqual(users);
  });

  test('is its own where both ends of its input and output are held by what listens', () => {
    const spoken = begun({ sid: 80, start: 61_500, heldBy: 81 });
    const world = new World(agent, call, { ...listening, env, sid: 80 }, spoken);
    expect(told(world, 90)).toEqual({ proof: 'look', owner: 'live' });
  });

  test('is what a tool shell starts by its text, though its agent is gone', () => {
    const world = new World(agent, call);
    world.look();
    world.end(34);
    world.start(begun({ ppid: 80 }));
    expect(told(world, 90)).toEqual(leftover);
  });
});
