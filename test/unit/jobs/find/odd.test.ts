import { describe, expect, test } from 'vitest';
import type { Plant } from '../plant.ts';
import { claudeEnvironment, claudeShell, environments, outputFile } from '../plant.ts';
import { World } from '../world.ts';

const agent: Plant = { pid: 34, argv: 'claude' };
const env = claudeEnvironment({ pid: 34 });
const shell: Plant = { pid: 69, ppid: 34, sid: 69, argv: claudeShell('sleep 9 | cat'), env };

describe('strange tables', () => {
  test('parents in a circle end', () => {
    const world = new World(
      { pid: 81, ppid: 82, sid: 81, argv: 'sleep 1', env },
      { pid: 82, ppid: 83, sid: 81, argv: 'sleep 2', env },
      { pid: 83, ppid: 81, sid: 81, argv: 'sleep 3', env },
    );
    const look = world.look();
    expect(look.members).toEqual(new Set([81, 82, 83]));
    expect(look.found).toHaveLength(1);
  });

  test('a process that is its own parent, and parents that are not in the table', () => {
    const world = new World(
      { pid: 81, ppid: 81, argv: 'sleep 1', env },
      { pid: 82, ppid: 4444, argv: 'sleep 2', env },
      { pid: 83, ppid: 0, argv: 'sleep 3', env },
    );
    expect(world.look().found).toEqual([81, 82, 83].map((pid) => ({ root: pid, members: [pid], owner: 'unproved' })));
  });

  test('zombies belong to no job: not members, not roots, and no leader', () => {
    const world = new World(
      agent,
      shell,
      { pid: 70, ppid: 69, argv: 'sleep 9', env, state: 'Z' },
      { pid: 71, ppid: 69, argv: 'cat', env },
    );
    expect(world.look().found).toEqual([{ root: 69, members: [69, 71], owner: 'live' }]);
    world.change(69, { state: 'Z' });
    expect(world.look().found).toEqual([{ root: 71, members: [71], owner: 'live' }]);
    world.change(71, { state: 'Z' });
    expect(world.look().found).toEqual([]);
  });

  test('a zombie agent is no agent: its shells are not below a living one', () => {
    const world = new World({ ...agent, state: 'Z' }, shell);
    expect(world.look().found).toEqual([{ root: 69, members: [69], owner: 'unproved' }]);
  });

  test('kernel threads and process 1 belong to no job, whatever they say of themselves', () => {
    const world = new World(
      { pid: 2, ppid: 0, argv: 'claude', kernelThread: true, env },
      { pid: 3, ppid: 2, argv: 'sleep 9', kernelThread: true, env },
    );
    world.change(1, { env, argv: claudeShell('init') });
    expect(world.look().found).toEqual([]);
  });

  test('an environment that can’t be read leaves the grammar; without either there is nothing', () => {
    const world = new World(agent, { ...shell, env: null }, { pid: 81, sid: 80, pgid: 80, argv: 'sleep 9', env: null });
    const look = world.look();
    expect(look.found).toEqual([{ root: 69, members: [69], owner: 'live' }]);
    expect(look.jobWith(69).provenance.map(({ code }) => code)).toEqual(['wrapper']);
  });

  test('another user’s process with our marks is no job; inside of one it protects it', () => {
    const world = new World(
      agent,
      { ...shell, argv: claudeShell('sudo fs_usage') },
      { pid: 70, ppid: 69, argv: 'fs_usage', env: null, uid: 0 },
      { pid: 81, sid: 80, pgid: 80, argv: 'sleep 9', env, uid: 65_534 },
      { pid: 82, argv: 'sleep 9', env, uid: null },
    );
    const look = world.look();
    expect(look.found).toEqual([{ root: 69, members: [69, 70], owner: 'live' }]);
    expect(look.vetoes(69)).toEqual(['other-user']);
  });

  test('another user’s process in between is passed over: what is below it is still the call’s', () => {
    const world = new World(
      agent,
      shell,
      { pid: 70, ppid: 69, argv: 'sudo -u me make', env: null, uid: 0 },
      { pid: 71, ppid: 70, argv: 'make', env },
    );
    expect(world.look().found).toEqual([{ root: 69, members: [69, 70, 71], owner: 'live' }]);
    world.end(70);
    expect(world.look().found).toEqual([{ root: 69, members: [69, 71], owner: 'live' }]);
  });

  test('the ledger of another boot is not believed', () => {
    const world = new World(agent, shell, { pid: 70, ppid: 69, sid: 70, argv: 'sleep 9', env: {} });
    world.look();
    world.ledger = world.ledger.map((entry) => ({ ...entry, bootId: 'boot:0' as typeof entry.bootId }));
    world.end(69);
    expect(world.look().found).toEqual([]);
  });
});

describe('what only looks like it', () => {
  test('a grep for the wrapper, an editor on it, a log of it: no claims, no jobs', () => {
    const text = claudeShell('sleep 9').at(-1) ?? '';
    const world = new World(
      agent,
      { pid: 81, argv: ['grep', '-rF', text, '/home/me'] },
      { pid: 82, argv: ['vim', 'snapshot-bash-1795232964792-3jn0xa.sh'] },
      { pid: 83, argv: ['/bin/bash', '-c', `: '${text.replaceAll("'", '')}'; sleep 9`] },
    );
    expect(world.look().found).toEqual([]);
  });

  test('the user runs a copied wrapper in a terminal: seen, with an unknown owner', () => {
    const world = new World(
      { pid: 30, argv: ['-bash'], sid: 30, tty: 34_816 },
      { pid: 31, ppid: 30, pgid: 31, argv: claudeShell('sleep 9') },
    );
    expect(world.look().found).toEqual([{ root: 31, members: [31], owner: 'unknown' }]);
  });
});

describe('the user’s own rules', () => {
  const rules = [{ name: 'our-bot', argv0: 'our-bot', argv: ['--serve'] }];

  test('find what no signature does, and never an owner that is gone', () => {
    const world = new World({ pid: 40, argv: 'our-bot --serve' }, { pid: 41, ppid: 40, argv: 'worker' });
    world.rules = rules;
    const look = world.look();
    expect(look.found).toEqual([{ root: 40, members: [40, 41], owner: 'unknown' }]);
    expect(look.jobWith(40)).toMatchObject({ agent: 'other', rule: 'our-bot' });
    expect(look.vetoes(40)).toEqual([]);
  });

  test('below an unknown agent in a terminal it is that agent’s; typed into a shell it is the user’s', () => {
    const world = new World(
      { pid: 30, argv: ['-bash'], sid: 30, tty: 34_816 },
      { pid: 31, ppid: 30, pgid: 31, argv: 'my-agent' },
      { pid: 40, ppid: 31, argv: 'our-bot --serve' },
      { pid: 50, ppid: 30, pgid: 50, argv: 'our-bot --serve' },
    );
    world.rules = rules;
    expect(world.look().found).toEqual([{ root: 40, members: [40], owner: 'unknown' }]);
  });

  test('a rule for an agent or an editor finds none', () => {
    const world = new World(agent, { pid: 41, argv: 'vim notes' });
    world.rules = [
      { name: 'a', argv0: 'claude', argv: [] },
      { name: 'v', argv0: 'vim', argv: [] },
    ];
    expect(world.look().found).toEqual([]);
  });

  test('parts of a tool call stay in its job', () => {
    const world = new World(agent, shell, { pid: 70, ppid: 69, argv: 'our-bot --serve', env });
    world.rules = rules;
    expect(world.look().found).toEqual([{ root: 69, members: [69, 70], owner: 'live' }]);
  });
});

describe('the record of a job', () => {
  test('its project comes from the session, the output file or the working folder', () => {
    const world = new World(
      {
        pid: 81,
        sid: 80,
        pgid: 80,
        argv: 'sleep 9',
        env,
        outputs: [outputFile('b1')],
        cwd: '/home/me/shop/packages/web',
      },
      { pid: 86, sid: 85, pgid: 85, argv: 'sleep 9', env: environments.codex('c'), cwd: '/home/me/blog' },
    );
    const look = world.look();
    expect(look.jobWith(81).project).toBe('/home/me/shop');
    expect(look.jobWith(86).project).toBe('/home/me/blog');
  });

  test('secrets of a command line are in neither job nor ledger', () => {
    const secret = 'sk-ant-api03-ThisIsNotARealKeyButItLooksLikeOne0123456789';
    const world = new World(agent, { ...shell, argv: claudeShell(`ANTHROPIC_API_KEY=${secret} sleep 9`) });
    const look = world.look();
    expect(look.jobWith(69).command).toContain('sleep 9');
    expect(JSON.stringify([look.jobWith(69).command, world.ledger])).not.toContain(secret);
  });

  test('silence needs three looks, and any work ends it', () => {
    const world = new World(agent, shell);
    const silences = [1, 2, 3, 4].map(() => world.look().jobWith(69).silentSeconds);
    expect(silences).toEqual([0, 0, 10, 15]);
    world.start({ pid: 70, ppid: 69, argv: 'sleep 9', env });
    expect(world.look().jobWith(69).silentSeconds).toBe(0);
  });

  test('a session that ended while Curfew looked ended then, and stays so', () => {
    const world = new World(agent, shell);
    world.look();
    world.end(34);
    const first = world.look();
    const since = first.table.takenAtMs;
    expect(first.jobWith(69).owner).toMatchObject({ state: 'gone', sinceMs: since });
    expect(world.look().jobWith(69).owner).toMatchObject({ state: 'gone', sinceMs: since });
  });

  test('an owner that comes back (taken over later) and goes again: gone since the second time', () => {
    const world = new World(agent, shell, { pid: 461, argv: ['claude bg-spare'] });
    world.look();
    world.end(34);
    world.look();
    world.adopt('claude-code', '43c8e917-0000-4000-8000-00000000000a', 461);
    expect(world.look().jobWith(69).owner.state).toBe('live');
    world.end(461);
    world.directory = { ...world.directory, adoptions: [] };
    const look = world.look();
    expect(look.jobWith(69).owner).toMatchObject({ state: 'gone', sinceMs: look.table.takenAtMs });
  });
});
