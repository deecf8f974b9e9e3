import { describe, expect, test } from 'vitest';
import type { Plant } from '../plant.ts';
import { claudeEnvironment, claudeShell, environments, muxShell, outputFile, sessionA, sessionB } from '../plant.ts';
import { World } from '../world.ts';

const env = claudeEnvironment({ pid: 34 });
const leftover: Plant = { pid: 81, sid: 80, pgid: 80, argv: 'sleep 3605', env };
const ownerOf81 = (world: World): string => world.look().jobWith(81).owner.state;

describe('the process that a job names as its agent', () => {
  test('is a zombie: gone', () => {
    expect(ownerOf81(new World({ pid: 34, argv: 'claude', state: 'Z' }, leftover))).toBe('unproved');
  });

  test('is stopped: alive', () => {
    expect(ownerOf81(new World({ pid: 34, argv: 'claude', state: 'T' }, leftover))).toBe('live');
  });

  test('its pid is another’s, who is younger: gone', () => {
    expect(ownerOf81(new World(leftover, { pid: 34, argv: 'node heir.js' }))).toBe('unproved');
  });

  test('its pid belongs to a younger process of the same agent: that may have its session, unless it is known to have another', () => {
    const world = new World(leftover, { pid: 34, argv: 'claude' });
    expect(ownerOf81(world)).toBe('unknown');
    world.register('claude-code', sessionB, 34);
    expect(ownerOf81(world)).toBe('unproved');
  });

  test('its pid is another’s, older than what the leftover has become: unknown', () => {
    const world = new World({ pid: 34, argv: 'node heir.js' }, leftover);
    expect(ownerOf81(world)).toBe('unknown');
  });

  test('the same, but the agent itself was seen before: gone', () => {
    const world = new World(
      { pid: 34, argv: 'claude' },
      { pid: 80, ppid: 34, sid: 80, argv: claudeShell('loop &'), env },
    );
    world.look();
    world.start({ pid: 81, ppid: 80, argv: 'sleep 3605', env });
    world.look();
    world.end(34, 80);
    world.start({ pid: 34, argv: 'node heir.js', start: world.machine.table().nowTicks / 100 - 3600 });
    world.start({ pid: 82, ppid: 81, argv: 'sleep 1', env });
    expect(ownerOf81(world)).toBe('gone');
  });

  test('its pid is a kernel thread here: it was told in another pid namespace', () => {
    const inside = { ...leftover, env: claudeEnvironment({ pid: 2 }), pidNamespace: '4026532000' };
    const world = new World({ pid: 2, ppid: 0, argv: 'kthreadd', kernelThread: true, uid: 0, start: 1 }, inside);
    const look = world.look();
    expect(look.jobWith(81).owner.state).not.toBe('live');
    expect(look.vetoes(81)).toContain('other-namespace');
  });

  test('its session is registered in another pid namespace, or on another machine with the same home: unknown', () => {
    const world = new World(leftover);
    world.register('claude-code', sessionB, null, { state: 'unknown' });
    expect(ownerOf81(world)).toBe('unproved');
    world.register('claude-code', sessionA, null, { state: 'unknown' });
    expect(ownerOf81(world)).toBe('unknown');
    // A resumption that is known to live counts for more.
    world.start({ pid: 35, argv: 'claude' });
    world.register('claude-code', sessionA, 35);
    expect(ownerOf81(world)).toBe('live');
  });

  test('the machine hides processes: unknown', () => {
    const world = new World(leftover);
    world.machine.complete = false;
    expect(ownerOf81(world)).toBe('unknown');
    world.machine.complete = true;
    expect(ownerOf81(world)).toBe('unproved');
  });

  test('is gone and another session of its agent can’t be looked into: unknown', () => {
    const world = new World(leftover, { pid: 40, argv: 'claude' });
    world.directory = { ...world.directory, opaqueFor: new Set(['claude-code']) };
    expect(ownerOf81(world)).toBe('unknown');
  });

  test('is gone and its session goes on in another process (resumed): alive', () => {
    const world = new World(leftover, { pid: 40, argv: 'claude --resume' });
    world.register('claude-code', sessionA, 34, { state: 'gone' });
    world.register('claude-code', sessionA, 40);
    expect(ownerOf81(world)).toBe('live');
  });

  test('the registry has an entry left of it: gone', () => {
    const world = new World(leftover);
    world.register('claude-code', sessionA, 34, { state: 'gone' });
    world.complete('claude-code');
    expect(ownerOf81(world)).toBe('gone');
  });

  test('lives, but its session is another by now: alive', () => {
    const world = new World({ pid: 34, argv: 'claude' }, leftover);
    world.register('claude-code', sessionB, 34);
    world.complete('claude-code');
    expect(ownerOf81(world)).toBe('live');
  });
});

describe('a job that names only its session (Claude Code 2.1.197, Codex, Copilot)', () => {
  const old = claudeEnvironment({ pid: 0, version: '2.1.197' });
  const named: Plant = { ...leftover, env: old, outputs: [outputFile('b1')] };

  test('the session is registered and alive', () => {
    const world = new World({ pid: 34, argv: 'claude' }, named);
    world.register('claude-code', sessionA, 34);
    expect(ownerOf81(world)).toBe('live');
  });

  test('the session’s entry can’t be understood: unknown', () => {
    const world = new World(named);
    world.register('claude-code', sessionA, null, { state: 'unknown' });
    expect(ownerOf81(world)).toBe('unknown');
  });

  test('the registry can’t be read and an agent is running that could own it: unknown', () => {
    const world = new World({ pid: 34, argv: 'claude' }, named);
    world.register('claude-code', sessionB, 34, { project: '/home/me/blog' });
    expect(ownerOf81(world)).toBe('unknown');
  });

  test('every living agent is known to work on another project: gone', () => {
    const world = new World({ pid: 34, argv: 'claude' }, named);
    world.register('claude-code', sessionB, 34, { project: '/home/me/blog' });
    world.complete('claude-code');
    expect(ownerOf81(world)).toBe('gone');
  });

  test('an older agent in the same project may have had that session before (/clear, /resume): unknown', () => {
    const world = new World({ pid: 34, argv: 'claude' }, named);
    world.register('claude-code', sessionB, 34, { project: '/home/me/shop' });
    world.complete('claude-code');
    expect(ownerOf81(world)).toBe('unknown');
  });

  test('a living agent of an unknown session could own it', () => {
    const world = new World({ pid: 34, argv: 'claude' }, named);
    world.register('claude-code', null, 34, { project: '/home/me/blog' });
    world.complete('claude-code');
    expect(ownerOf81(world)).toBe('unknown');
  });

  test('an agent came after the job began, and what is left of the job was forked after that: gone', () => {
    const shell = { pid: 80, sid: 80, argv: claudeShell('loop'), env: old };
    const world = new World(shell, { ...named, pid: 82, ppid: 80, sid: 80, pgid: 80 });
    world.look();
    world.start({ pid: 34, argv: 'claude' });
    world.register('claude-code', sessionB, 34);
    world.start({ ...named, ppid: 80, sid: 80, pgid: 80 });
    world.end(80);
    expect(ownerOf81(world)).toBe('gone');
    world.end(82);
    expect(ownerOf81(world)).toBe('gone');
  });

  test('no agent of its kind is left: gone', () => {
    expect(ownerOf81(new World(named))).toBe('unproved');
    expect(ownerOf81(new World({ ...named, env: environments.copilot('c1') }))).toBe('unproved');
    expect(ownerOf81(new World({ ...named, env: environments.codex('c1') }))).toBe('unproved');
  });

  test('its parent lives under an unknown name: unknown', () => {
    const world = new World({ pid: 20, argv: 'my-agent' }, { ...named, ppid: 20 });
    expect(ownerOf81(world)).toBe('unknown');
  });
});

describe('a job that names nothing', () => {
  test('Gemini: its launcher was killed, the agent below it lives, and the owner of its loose ends is unknown', () => {
    const gemini = environments.gemini();
    const world = new World(
      { pid: 34, argv: 'node /usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js' },
      { pid: 40, ppid: 34, argv: 'node /usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js' },
      { pid: 80, ppid: 40, sid: 80, argv: ['/usr/bin/bash', '-c', 'sleep 9'], env: gemini },
      { pid: 86, sid: 85, pgid: 85, argv: 'sleep 10', env: gemini },
    );
    const states = (): readonly string[] => world.look().found.map(({ owner }) => owner);
    expect(states()).toEqual(['live', 'unknown']);
    world.end(34);
    expect(states()).toEqual(['live', 'unknown']);
    world.end(40);
    expect(states()).toEqual(['gone', 'gone']);
  });

  test('mux: its shells have parent 1 in the best of health', () => {
    const env2 = environments.mux('w');
    const world = new World(
      { pid: 34, argv: 'mux' },
      { pid: 80, sid: 79, pgid: 80, argv: muxShell('sleep 9') },
      { pid: 81, ppid: 80, argv: 'sleep 9', env: env2 },
    );
    expect(world.look().found).toEqual([{ root: 80, members: [80, 81], owner: 'unknown' }]);
    world.end(34);
    expect(world.look().found).toEqual([{ root: 80, members: [80, 81], owner: 'gone' }]);
  });

  test('mux over SSH: that no mux runs on this machine says nothing', () => {
    const there = { ...environments.mux('w'), MUX_RUNTIME: 'ssh' };
    const world = new World(
      {
        pid: 80,
        sid: 79,
        pgid: 80,
        argv: muxShell('sleep 9', 'ssh'),
        outputs: ['/tmp/mux-bashes/w/bash_1/output.log'],
      },
      { pid: 81, ppid: 80, argv: 'sleep 9', env: there },
      { pid: 91, sid: 90, pgid: 90, argv: 'sleep 10', env: there },
    );
    expect(world.look().found.map(({ owner }) => owner)).toEqual(['unknown', 'unknown']);
    world.end(80);
    expect(world.look().found.map(({ owner }) => owner)).toEqual(['unknown', 'unknown']);
  });

  test('a bare name proves no session, is never an orphan, and without an agent above it is never ended at all', () => {
    const world = new World({ ...leftover, env: { CLAUDECODE: '1' } });
    for (let times = 0; times < 3; times += 1) {
      const look = world.look();
      expect(look.jobWith(81).owner.state).toBe('unknown');
      expect(look.vetoes(81)).toContain('no-provenance');
    }
  });

  test.each([
    ['Cursor', 'CURSOR_AGENT', environments.cursor()],
    ['Amp', 'AMP_CURRENT_THREAD_ID', { AMP_CURRENT_THREAD_ID: 'T-1' }],
  ])(
    'a variable that only %s sets makes a job probably left over, unless the user’s shell has it',
    (_name, _set, marks) => {
      const shell = { pid: 21, sid: 21, tty: 34_816, argv: 'bash' };
      const world = new World({ pid: 70, argv: 'node strange.js' }, { ...leftover, env: marks });
      for (const [ended, owner] of [
        [[], 'unknown'],
        [[70], 'unproved'],
      ] as const) {
        world.end(...ended);
        const look = world.look();
        expect(look.jobWith(81)).toMatchObject({ owner: { state: owner }, proof: { kind: 'claimed' } });
        expect(look.vetoes(81)).toEqual([]);
      }
      expect(new World({ ...shell, env: marks }, { ...leftover, env: marks }).look().vetoes(81)).toContain(
        'no-provenance',
      );
    },
  );

  test('the program that people call is only a launcher: what the agent itself, unknown by its name, goes on with is no orphan', () => {
    const amp = { AGENT: 'amp' };
    const world = new World(
      { pid: 34, argv: 'amp' },
      { pid: 40, ppid: 34, argv: 'node /opt/somewhere/main.js' },
      { pid: 80, ppid: 40, sid: 80, argv: ['/bin/bash', '-c', 'npm test'], env: amp },
      { pid: 81, ppid: 80, argv: 'npm test', env: amp },
    );
    expect(world.look().jobWith(80).owner.state).toBe('live');
    world.end(34);
    expect(world.look().jobWith(80).owner.state).toBe('unknown');
    world.end(40);
    expect(world.look().jobWith(80).owner.state).toBe('gone');
  });

  test('adopted by an unknown subreaper, which is older than the agent: an orphan all the same', () => {
    const world = new World(
      { pid: 20, argv: 'some-session-manager' },
      { pid: 34, ppid: 20, argv: 'amp' },
      { pid: 80, ppid: 34, sid: 80, argv: ['/bin/bash', '-c', 'npm test'], env: { AGENT: 'amp' } },
    );
    expect(world.look().jobWith(80).owner.state).toBe('live');
    world.end(34);
    world.change(80, { ppid: 20 });
    expect(world.look().jobWith(80).owner.state).toBe('gone');
  });

  test('an agent that no signature knows lives: where one of its commands still hangs below it, none of that session is an orphan', () => {
    for (const marks of [environments.codex('s1'), environments.copilot('s1'), environments.gemini()]) {
      const world = new World(
        { pid: 34, argv: 'a-fork-of-it --resume' },
        { pid: 80, ppid: 34, sid: 80, argv: ['/bin/bash', '-c', 'npm test'], env: marks },
        { pid: 81, sid: 79, pgid: 79, argv: 'npm run dev', env: marks },
      );
      expect(world.look().found.map(({ owner }) => owner)).toEqual(['unknown', 'unknown']);
      world.end(34);
      expect(world.look().found.map(({ owner }) => owner)).toEqual(['unproved', 'unproved']);
    }
    const world = new World(
      { pid: 34, argv: 'a-fork-of-it --resume' },
      { pid: 80, ppid: 34, sid: 80, argv: ['/bin/bash', '-c', 'npm test'], env: environments.codex('s1') },
      { pid: 81, sid: 79, pgid: 79, argv: 'npm run dev', env: environments.codex('s2') },
    );
    world.register('codex', 's2', 30, { state: 'gone' });
    expect(world.look().found.map(({ owner }) => owner)).toEqual(['unknown', 'gone']);
  });

  test('opencode 2: what names a terminal that is gone may be the server’s, which lives', () => {
    const world = new World(
      { pid: 34, argv: 'opencode2' },
      { pid: 40, ppid: 34, sid: 40, argv: 'opencode2 serve --service' },
      { pid: 80, ppid: 40, sid: 80, argv: ['/bin/bash', '-c', 'npm test'], env: environments.opencode(34) },
      { pid: 81, sid: 79, pgid: 79, argv: 'npm run dev', env: environments.opencode(34) },
    );
    world.end(34);
    const states = (): readonly string[] => world.look().found.map(({ owner }) => owner);
    expect(states()).toEqual(['live', 'unknown']);
    world.end(40);
    expect(states()).toEqual(['unproved', 'unproved']);
  });

  test('a bare name below a living agent is a proof, also later', () => {
    const world = new World(
      { pid: 34, argv: 'cursor-agent' },
      { pid: 80, ppid: 34, pgid: 80, argv: ['/bin/bash', '-c', 'sleep 9'], env: environments.cursor() },
    );
    expect(world.look().vetoes(80)).toEqual([]);
    world.end(34);
    expect(world.look().vetoes(80)).toEqual([]);
  });
});

test('an owner that was gone does not come back because what is left says less of it', () => {
  const world = new World(
    { pid: 40, argv: 'claude' },
    { pid: 80, sid: 80, argv: claudeShell('env -i sleep 9; true'), env },
    { pid: 81, ppid: 80, argv: 'sleep 9', env: {} },
  );
  world.register('claude-code', sessionB, 40, { project: '/home/me/shop' });
  world.complete('claude-code');
  expect(ownerOf81(world)).toBe('gone');
  world.end(80);
  expect(world.look().jobWith(81).owner).toMatchObject({ state: 'gone', sinceMs: null });
  expect(ownerOf81(world)).toBe('gone');
  world.adopt('claude-code', sessionA, 40);
  expect(ownerOf81(world)).toBe('live');
});
