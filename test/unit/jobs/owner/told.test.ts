import { inWordsOfKeys } from '../../../../app/format/said.ts';
import { describe, expect, test } from 'vitest';
import type { Plant } from '../plant.ts';
import { claudeEnvironment, claudeShell, environments, muxShell, outputFile, sessionA, sessionB } from '../plant.ts';
import { World } from '../world.ts';

const env = claudeEnvironment({ pid: 34 });
/** Of a version that names its session and no process. */
const sessionOnly = claudeEnvironment({ pid: 0, version: '2.1.197' });
const claude: Plant = { pid: 34, argv: 'claude' };
const loose: Plant = { pid: 81, sid: 80, pgid: 80, argv: 'sleep 3605', env };
const nameless: Plant = { ...loose, env: sessionOnly };
const shell: Plant = { pid: 80, ppid: 34, sid: 80, argv: claudeShell('sleep 9; true'), env };

const evidenceOf = (world: World, pid = 81): string => inWordsOfKeys(world.look().jobWith(pid).owner.evidence);

/** A world and what happens in it before it is looked at. */
const after = (world: World, happens: (world: World) => void): World => {
  happens(world);
  return world;
};

const seenToEnd = (world: World): World => {
  world.look();
  world.end(34);
  return world;
};

describe('why an owner is alive, gone, or unknown', () => {
  test.each<[string, () => World, string]>([
    ['it runs', () => new World(claude, loose), 'agent process 34 is running'],
    ['the job hangs below it', () => new World(claude, shell, { ...loose, ppid: 80 }), 'agent process 34 is running'],
    ['a look saw it, and it is gone', () => seenToEnd(new World(claude, loose)), 'agent process 34 is gone'],
    [
      'no process has its pid, and no look saw it',
      () => new World(loose),
      'no process has pid 34, which its marks name, and nothing proves that its session has ended',
    ],
    [
      'another program has its pid',
      () => new World({ pid: 34, argv: 'node heir.js' }, loose),
      'process 34, which it names as its agent, is running and looks like none',
    ],
    [
      'another session can’t be looked into',
      () =>
        after(new World(loose), (world) => {
          world.directory = { ...world.directory, opaqueFor: new Set(['claude-code']) };
        }),
      'another session, which may have taken it over, could not be looked into',
    ],
    [
      'processes are hidden',
      () =>
        after(new World(loose), (world) => {
          world.machine.complete = false;
        }),
      'the machine does not show all processes',
    ],
    [
      'processes are hidden, and it names its session only',
      () =>
        after(new World(nameless), (world) => {
          world.machine.complete = false;
        }),
      'the machine does not show all processes',
    ],
    [
      'processes are hidden, and it names nothing',
      () =>
        after(new World({ ...loose, env: environments.gemini() }), (world) => {
          world.machine.complete = false;
        }),
      'the machine does not show all processes',
    ],
    [
      'its session is registered as one that may run',
      () => after(new World(nameless), (world) => world.register('claude-code', sessionA, null, { state: 'unknown' })),
      'its session may still be running',
    ],
    [
      'its session is not registered',
      () =>
        after(new World(nameless), (world) => {
          world.complete('claude-code');
        }),
      'its session is not among the living ones',
    ],
    [
      'its session is not registered, and no transcript shows that it would be here',
      () =>
        after(new World({ pid: 30, argv: 'stranger' }, nameless), (world) => {
          world.directory = { ...world.directory, completeFor: new Set(['claude-code']) };
        }),
      'no agent that could own it is known, and process 30 could be one',
    ],
    [
      'its session is registered as ended',
      () => after(new World(nameless), (world) => world.register('claude-code', sessionA, 34, { state: 'gone' })),
      'sessions/34.json: its process has ended',
    ],
    [
      'its session is registered as living',
      () => after(new World(claude, nameless), (world) => world.register('claude-code', sessionA, 34)),
      'sessions/34.json',
    ],
    [
      'another process holds its tasks',
      () => after(new World({ pid: 40, argv: 'claude' }, loose), (world) => world.adopt('claude-code', sessionA, 40)),
      'its tasks are open',
    ],
    [
      'a process of the same kind runs that is on no record',
      () => new World(claude, nameless),
      'process 34, which may have resumed its session, is in no registry',
    ],
    [
      'a session of the same kind runs, and it names nothing',
      () => new World({ pid: 34, argv: 'gemini' }, { ...loose, env: environments.gemini() }),
      'process 34 of the same agent is running and could own it',
    ],
    [
      'none of its kind runs, and it names nothing',
      () => new World({ ...loose, env: environments.gemini() }),
      'nothing is left that could be its agent, and nothing proves that its session has ended',
    ],
    [
      'its parent is a stranger',
      () => new World({ pid: 20, argv: 'my-agent' }, { ...nameless, ppid: 20 }),
      'process 20, which may have started it, is running',
    ],
    [
      'its parent is a stranger, and it names nothing',
      () => new World({ pid: 20, argv: 'my-agent' }, { ...loose, ppid: 20, env: environments.gemini() }),
      'process 20, which may have started it, is running',
    ],
    [
      'its marker is a bare name',
      () => new World({ ...loose, env: { CLAUDECODE: '1' } }),
      'its marker names no session',
    ],
    [
      'its agent is on another machine',
      () => new World({ pid: 81, sid: 79, pgid: 81, argv: muxShell('sleep 9', 'ssh') }),
      'its agent runs on another machine',
    ],
  ])('%s', (_how, world, evidence) => {
    expect(evidenceOf(world())).toBe(evidence);
  });

  test('the rest of a job whose agent was seen to go', () => {
    const world = new World(claude, shell, { ...loose, ppid: 80, env: {} });
    world.look();
    world.end(34);
    world.look();
    world.end(80);
    expect(evidenceOf(world)).toBe('its session had ended when the rest of it was still there');
  });

  test('the user’s own rule tells of no session', () => {
    const world = new World({ pid: 81, argv: 'house-agent --task abcd1234' });
    world.rules = [{ name: 'our bot', argv0: 'house-agent', argv: ['--task', '[a-z0-9]{8}'] }];
    expect(evidenceOf(world)).toBe('nothing tells which session it belongs to');
  });
});

describe('an agent that lives could own a job that names its session only', () => {
  const older = { pid: 34, argv: 'claude' };
  test.each<[string, Plant, string]>([
    ['one that is older', older, 'unknown'],
    ['one that began in the same moment', { ...older, start: 70_000 }, 'unknown'],
    ['one that is younger, and on no record', { ...older, start: 70_001 }, 'unknown'],
    ['one of another user', { ...older, uid: 1001 }, 'unknown'],
    ['but not one of another kind', { ...older, argv: 'codex' }, 'unproved'],
  ])('%s', (_which, other, state) => {
    const world = new World(other, { ...nameless, start: 70_000 });
    expect(world.look().jobWith(81).owner.state).toBe(state);
  });

  test.each<[string, string, string]>([
    ['in the same folder', '/home/me/shop', 'unknown'],
    ['in a folder below', '/home/me/shop/api', 'unknown'],
    ['in the folder above', '/home/me', 'unknown'],
    ['but not in one whose name only begins alike', '/home/me/shopping', 'gone'],
    ['but not elsewhere', '/srv/blog', 'gone'],
  ])('as another session %s', (_where, project, state) => {
    const world = new World(older, { ...nameless, outputs: [outputFile('b1')] });
    world.register('claude-code', sessionB, 34, { project });
    world.complete('claude-code');
    expect(world.look().jobWith(81).owner.state).toBe(state);
  });

  test('one of whose folder nothing is known', () => {
    const world = new World(older, { ...nameless, outputs: [outputFile('b1')] });
    world.register('claude-code', sessionB, 34);
    world.complete('claude-code');
    expect(world.look().jobWith(81).owner.state).toBe('unknown');
  });

  test('one in a known folder, where of the job’s own nothing is known', () => {
    const world = new World(older, nameless);
    world.register('claude-code', sessionB, 34, { project: '/srv/blog' });
    world.complete('claude-code');
    expect(world.look().jobWith(81).owner.state).toBe('unknown');
  });

  test('but none that is registered for another session, once its own is registered as ended', () => {
    const world = new World(older, nameless);
    world.register('claude-code', sessionA, 30, { state: 'gone' });
    world.register('claude-code', sessionB, 34);
    expect(world.look().jobWith(81).owner.state).toBe('unknown');
    world.complete('claude-code');
    expect(world.look().jobWith(81).owner.state).toBe('gone');
  });
});

describe('what a job was known by', () => {
  test.each<[string, () => World, number, { readonly rule: string; readonly provenance: readonly unknown[] }]>([
    [
      'the shell of a tool call, and its marker',
      () => new World(claude, shell),
      80,
      {
        rule: 'claude-shell',
        provenance: [
          { code: 'wrapper', rule: 'claude-shell' },
          { code: 'marker', rule: 'claude-marker' },
        ],
      },
    ],
    [
      'its marker alone',
      () => new World(claude, loose),
      81,
      { rule: 'claude-marker', provenance: [{ code: 'marker', rule: 'claude-marker' }] },
    ],
    [
      'its output file',
      () => new World({ pid: 81, argv: 'sleep 9', outputs: [outputFile('b1')] }),
      81,
      { rule: 'output-output', provenance: [{ code: 'output', path: outputFile('b1') }] },
    ],
    [
      'the agent right above it',
      () =>
        new World({ pid: 34, argv: 'aider' }, { pid: 81, ppid: 34, argv: ['/bin/bash', '-c', 'sleep 9'], heldBy: 34 }),
      81,
      { rule: 'aider-parent', provenance: [{ code: 'parent', agent: 'aider' }] },
    ],
  ])('%s', (_what, world, pid, expected) => {
    const { rule, provenance } = world().look().jobWith(pid);
    expect({ rule, provenance }).toEqual(expected);
  });

  test('a rule of the user', () => {
    const world = new World({ pid: 81, argv: 'house-agent --task abcd1234' });
    world.rules = [{ name: 'our bot', argv0: 'house-agent', argv: ['--task', '[a-z0-9]{8}'] }];
    expect(world.look().jobWith(81)).toMatchObject({
      rule: 'our bot',
      agent: 'other',
      provenance: [{ code: 'rule', rule: 'our bot' }],
      members: [{ by: ['tree', 'group'] }],
    });
  });

  test('the ledger, with all that was known before; the same is not said twice', () => {
    const world = new World(claude, shell, { ...loose, ppid: 80, env: {} });
    const before = world.look();
    const known = before.jobWith(81).provenance;
    const ledger = { code: 'ledger', firstSeenMs: before.table.takenAtMs };
    expect(world.look().jobWith(81).provenance).toEqual([...known, ledger]);
    world.end(80);
    const rest = world.look().jobWith(81);
    expect(rest).toMatchObject({ rule: 'claude-shell', command: 'sleep 9; true', provenance: [ledger, ...known] });
    expect(world.look().jobWith(81).provenance).toEqual([ledger, ...known]);
  });
});

describe('the project of a job is that of its session where nothing else names one', () => {
  const elsewhere: Plant = { ...loose, cwd: '/tmp' };
  test.each<[string, Plant, string, number, string]>([
    ['by the session’s id', { ...elsewhere, env: sessionOnly }, sessionA, 40, '/home/me/shop'],
    ['by the process of the session', elsewhere, sessionB, 34, '/home/me/shop'],
    ['but not another session’s', { ...elsewhere, env: sessionOnly }, sessionB, 40, '/tmp'],
    ['but not that of a session of which neither is known', elsewhere, sessionB, 40, '/tmp'],
  ])('%s', (_how, plant, session, pid, project) => {
    const world = new World(claude, { pid: 40, argv: 'claude' }, plant);
    world.register('claude-code', session, pid, { project: '/home/me/shop' });
    expect(world.look().jobWith(81).project).toBe(project);
  });

  test('it is remembered when the session is forgotten', () => {
    const world = new World(claude, elsewhere);
    world.register('claude-code', sessionA, 34, { project: '/home/me/shop' });
    world.look();
    world.directory = { ...world.directory, sessions: [] };
    expect(world.look().jobWith(81).project).toBe('/home/me/shop');
  });
});

describe('what a job hangs on', () => {
  test('its tool shell, though a part of it is older', () => {
    const world = new World({ ...loose, start: 65_000 }, { ...shell, ppid: 1, start: 65_001 });
    expect(world.look().jobWith(81).root.pid).toBe(80);
  });

  test('what it hung on at first sight, though a tool shell has come to it', () => {
    const world = new World(claude, { ...loose, start: 65_000 });
    world.look();
    world.start({ ...shell, ppid: 81 });
    expect(world.look().jobWith(80).root.pid).toBe(81);
  });

  test('its command is what the shell was asked to run, else the command line', () => {
    expect(new World(claude, shell).look().jobWith(80).command).toBe('sleep 9; true');
    expect(new World(claude, loose).look().jobWith(81).command).toBe('sleep 3605');
    expect(new World({ ...loose, argv: [], comm: 'worker' }).look().jobWith(81).command).toBe('worker');
  });
});
