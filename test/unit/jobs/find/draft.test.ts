import { describe, expect, test } from 'vitest';
import { env, left, loose } from '../left.ts';
import type { Plant } from '../plant.ts';
import { claudeEnvironment, claudeShell, environments, muxShell, outputFile, sessionA, sessionB } from '../plant.ts';
import { World } from '../world.ts';

const otherEnv = claudeEnvironment({ pid: 35, session: sessionB });
/** Of a version that names its session and no process, and of one that names neither. */
const sessionOnly = claudeEnvironment({ pid: 0, version: '2.1.197' });
const nameless = claudeEnvironment({ pid: 0, version: '2.0.28' });
const claude: Plant = { pid: 34, argv: 'claude' };
const otherClaude: Plant = { pid: 35, argv: 'claude' };
const outputs = [outputFile('b1')];
const shell: Plant = { pid: 80, sid: 80, argv: claudeShell('sleep 9; true'), env };

describe('what a job hangs on', () => {
  test('what it was known by, though its tool shell shows itself later', () => {
    const world = new World(left(81));
    world.look();
    world.start(shell);
    expect(world.look().jobWith(80)).toMatchObject({ root: { pid: 81 }, members: [{ row: { pid: 81 } }, {}] });
  });

  test('but not another process that has that one’s pid by now', () => {
    const world = new World({ ...shell, outputs }, loose(85, { ppid: 80, outputs }));
    const { id } = world.look().jobWith(85);
    world.end(80);
    world.start(loose(80, { outputs }));
    expect(world.look().jobWith(80)).toMatchObject({ id, root: { pid: 85 } });
  });

  test('what has marks of its own; what only writes to the same file is no part of it', () => {
    const world = new World(loose(81, { env: {}, outputs }), loose(82, { outputs }));
    expect(world.look().found).toEqual([
      { root: 81, members: [81], owner: 'unproved' },
      { root: 82, members: [82], owner: 'unproved' },
    ]);
    expect(['claimed', 'output']).toEqual([81, 82].map((pid) => world.look().jobWith(pid).proof.kind));
  });

  test('one of its own processes, not one that is inside an older job', () => {
    const inner = { env: otherEnv, outputs: [outputFile('b2', sessionB)] };
    const world = new World(shell, { pid: 70, ppid: 80, argv: 'sleep 9', ...inner }, loose(71, inner));
    expect(world.look().found).toEqual([
      { root: 71, members: [71], owner: 'unproved' },
      { root: 80, members: [70, 80], owner: 'unproved' },
    ]);
  });
});

describe('what is told of a job', () => {
  test('is told by its tool shell, though a part of it is older', () => {
    const world = new World(left(81, { start: 65_000 }), { ...shell, start: 65_001 });
    expect(world.look().jobWith(81)).toMatchObject({
      root: { pid: 80 },
      rule: 'claude-shell',
      command: 'sleep 9; true',
    });
  });

  test('its agent is the one whose tool shell it is, whatever it was known as', () => {
    const codexs = environments.codex('c1');
    const world = new World(loose(81, { env: codexs }));
    expect(world.look().jobWith(81).agent).toBe('codex');
    world.change(81, { argv: claudeShell('sleep 9'), env: { ...env, ...codexs } });
    expect(world.look().jobWith(81)).toMatchObject({ agent: 'claude-code', rule: 'claude-shell' });
  });

  test('its agent is the one right above it, where nothing else tells', () => {
    const make = { pid: 40, ppid: 31, argv: ['/bin/sh', '-c', 'make'], heldBy: 31 };
    expect(new World({ pid: 31, argv: 'aider' }, make).look().jobWith(40).agent).toBe('aider');
  });

  test('its session is named by the first of its parts that names one', () => {
    const output = [outputFile('b1').replace(`/${sessionA}`, '')];
    const world = new World(loose(81, { env: nameless, outputs: output }), loose(82, { outputs: output }));
    expect(world.look().jobWith(81)).toMatchObject({ task: 'b1', session: sessionA, members: [{}, {}] });
  });
});

describe('the project of a job', () => {
  const muxs = environments.mux('w');

  test.each<[string, readonly Plant[]]>([
    ['is in the command line of its shell', [{ pid: 81, argv: muxShell('sleep 9'), cwd: '/srv' }]],
    ['is in its marks', [loose(81, { env: muxs, cwd: '/srv' })]],
    [
      'is in the marks of a part of it',
      [
        { pid: 81, argv: 'sleep 9', env: { MUX_WORKSPACE_ID: 'w' }, cwd: '/srv' },
        { pid: 82, sid: 81, argv: 'sleep 9', env: muxs, cwd: '/srv' },
      ],
    ],
  ])('%s', (_where, plants) => {
    expect(new World(...plants).look().jobWith(81).project).toBe('/home/me/shop');
  });

  test('is that of the process that a part of it names', () => {
    const world = new World(claude, left(81, { env: sessionOnly }), left(82));
    world.register('claude-code', sessionB, 34, { project: '/home/me/blog' });
    expect(world.look().jobWith(81)).toMatchObject({ project: '/home/me/blog', members: [{}, {}] });
  });

  test.each<[string, Plant, string | null, number | null]>([
    ['without an id is not that of a job without one', loose(81, { env: environments.gemini() }), null, 40],
    ['without a process is not that of a job without one', loose(81, { env: sessionOnly }), sessionB, null],
  ])('a registered session %s', (_which, plant, session, pid) => {
    const world = new World(plant, { pid: 40, argv: 'claude' });
    world.register('claude-code', session, pid, { project: '/home/me/blog' });
    expect(world.look().jobWith(81).project).toBe('/home/me/shop');
  });
});

describe('a proxy of Claude Code’s sandbox that lost its parent', () => {
  const proxy = loose(90, {
    argv: 'socat UNIX-LISTEN:/tmp/claude-http-27657c577e8e37bf.sock,fork,reuseaddr TCP:localhost:45303,keepalive,keepidle=10,keepintvl=5,keepcnt=3',
    env: { ...claudeEnvironment({ pid: 34 }, 'harness'), CLAUDE_CODE_MESSAGING_SOCKET: '/tmp/cc-socks/34.sock' },
  });

  test('is no job while its agent lives', () => {
    expect(new World(claude, proxy).look().found).toEqual([]);
  });

  test('is none while it is unknown whether it lives', () => {
    const world = new World(proxy);
    world.machine.complete = false;
    expect(world.look().found).toEqual([]);
  });

  test('is a leftover when it is gone', () => {
    expect(new World(proxy).look().found).toEqual([{ root: 90, members: [90], owner: 'unproved' }]);
  });
});

describe('what is inside a job says whose that one is, too', () => {
  const inner: Plant = { pid: 70, ppid: 80, argv: 'sleep 9', env: otherEnv };

  test('the work of another session, which lives: the job around it is no orphan', () => {
    const world = new World(otherClaude, shell, inner);
    expect(world.look().found).toEqual([{ root: 80, members: [70, 80], owner: 'live' }]);
    world.end(35);
    expect(world.look().found).toEqual([{ root: 80, members: [70, 80], owner: 'gone' }]);
  });

  test('but not an agent: that protects the job by itself', () => {
    const world = new World(otherClaude, shell, { ...inner, ppid: 1, sid: 80, pgid: 80, argv: 'codex exec fix' });
    const look = world.look();
    expect(look.found).toEqual([{ root: 80, members: [70, 80], owner: 'unknown' }]);
    expect(look.vetoes(80)).toContain('agent');
  });
});

test('what was seen as a part of a call stays it, though the user’s program is above it and the shell has become another program', () => {
  const browser: Plant = { pid: 70, ppid: 80, argv: '/usr/bin/firefox http://localhost', env };
  const world = new World(claude, { ...shell, ppid: 34 }, browser, { pid: 81, ppid: 70, argv: 'helper', env });
  const whole = [{ root: 80, members: [70, 80, 81], owner: 'live' }];
  expect(world.look().found).toEqual(whole);
  world.change(80, { argv: 'node server.js', comm: 'node' });
  expect(world.look().found).toEqual(whole);
});

describe('no two jobs have one id', () => {
  // The hashes of their pids and start times are the same: found by trying.
  const older = loose(237, { start: 70_118 });
  const younger = loose(448, { start: 70_200 });
  const idsOf = (world: World): readonly string[] => {
    const look = world.look();
    return [237, 448].map((pid) => look.jobWith(pid).id);
  };

  test('of two that are seen first at one look', () => {
    const [first, second] = idsOf(new World(older, younger));
    expect(first).toBe('4584dccb');
    expect(second).not.toBe(first);
  });

  test('of one that is known and one that shows itself later', () => {
    const world = new World({ ...older, env: null }, younger);
    expect(world.look().jobWith(448).id).toBe('4584dccb');
    world.change(237, { env });
    const [first, second] = idsOf(world);
    expect(second).toBe('4584dccb');
    expect(first).not.toBe(second);
  });
});
