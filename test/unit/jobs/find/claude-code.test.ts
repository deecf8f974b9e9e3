import { describe, expect, test } from 'vitest';
import { emptySessionDirectory } from '../../../../app/model/session.ts';
import type { Plant } from '../plant.ts';
import { claudeEnvironment, claudeShell, outputFile, sessionA, sessionB } from '../plant.ts';
import { World } from '../world.ts';

const terminal: readonly Plant[] = [
  { pid: 32, argv: 'tmux', comm: 'tmux: server' },
  { pid: 33, ppid: 32, argv: ['-bash'], sid: 33, tty: 34_816 },
];
const agent: Plant = { pid: 34, ppid: 33, argv: 'claude', pgid: 34 };
const env = claudeEnvironment({ pid: 34 });
const pipeline = claudeShell('sleep 3600 | cat');
const subshells = claudeShell('(sleep 3601 & sleep 3602 & wait)');
const deaf = claudeShell("trap '' TERM; while :; do sleep 3608; done");

/**
 * The tree that was observed under a living Claude Code 2.1.329: three tool shells, and three
 * leftovers of shells that returned.
 */
const observedTree: readonly Plant[] = [
  ...terminal,
  agent,
  { pid: 69, ppid: 34, sid: 69, tty: 0, argv: pipeline, env, outputs: [outputFile('bi7eshvrw')] },
  { pid: 70, ppid: 69, argv: 'sleep 3600', env },
  { pid: 71, ppid: 69, argv: 'cat', env },
  { pid: 72, ppid: 34, sid: 72, tty: 0, argv: subshells, env, outputs: [outputFile('b00000001')] },
  { pid: 73, ppid: 72, argv: subshells, env },
  { pid: 74, ppid: 73, argv: 'sleep 3601', env },
  { pid: 75, ppid: 73, argv: 'sleep 3602', env },
  { pid: 76, ppid: 34, sid: 76, tty: 0, argv: deaf, env, outputs: [outputFile('b00000002')] },
  { pid: 77, ppid: 76, argv: 'sleep 3608', env },
  { pid: 79, argv: 'sleep 3604', env, outputs: [outputFile('b00000003')] },
  { pid: 81, pgid: 80, sid: 80, argv: 'sleep 3605', env, outputs: ['/home/me/shop/nohup.out'] },
  { pid: 85, argv: 'sleep 3606', env, outputs: ['/dev/null'] },
];

const everyCall = [
  { root: 69, members: [69, 70, 71] },
  { root: 72, members: [72, 73, 74, 75] },
  { root: 76, members: [76, 77] },
  { root: 79, members: [79] },
  { root: 81, members: [81] },
  { root: 85, members: [85] },
];

describe('what Claude Code 2.1.329 started', () => {
  test('the observed tree is six jobs of a living session, one for each tool call, without any other process', () => {
    const world = new World(...observedTree);
    expect(world.look().found).toEqual(everyCall.map((job) => ({ ...job, owner: 'live' })));
  });

  test('a job is told with its command as the agent wrote it, its session, project and task', () => {
    const job = new World(...observedTree).look().jobWith(70);
    expect(job).toMatchObject({
      agent: 'claude-code',
      rule: 'claude-shell',
      command: 'sleep 3600 | cat',
      session: sessionA,
      project: '/home/me/shop',
      task: 'bi7eshvrw',
      output: outputFile('bi7eshvrw'),
    });
    expect(job.provenance.map(({ code }) => code)).toEqual(['wrapper', 'marker', 'output']);
    expect(job.members.map(({ row, by }) => [row.pid, by.toSorted()])).toEqual([
      [69, ['env', 'group']],
      [70, ['env', 'group', 'tree']],
      [71, ['env', 'group', 'tree']],
    ]);
  });

  test('SIGKILL of the agent: every call is an orphan, under the same id as before', () => {
    const world = new World(...observedTree);
    const before = world.look();
    world.end(34);
    const after = world.look();
    expect(after.found).toEqual(everyCall.map((job) => ({ ...job, owner: 'gone' })));
    for (const { root } of everyCall) expect(after.jobWith(root).id).toBe(before.jobWith(root).id);
    for (const { root } of everyCall) expect(after.vetoes(root)).toEqual([]);
    expect(after.jobWith(69).owner).toMatchObject({ sinceMs: after.table.takenAtMs });
  });

  test('SIGKILL of the agent while Curfew does not run: the same jobs, gone since an unknown time', () => {
    const world = new World(...observedTree);
    world.end(34);
    const look = world.look();
    // Of three their tool shell lives, and has lost its parent.
    expect(look.found.map(({ owner }) => owner).toSorted()).toEqual([
      'gone',
      'gone',
      'gone',
      ...everyCall.slice(3).map(() => 'unproved'),
    ]);
    expect(look.found.map(({ owner: _owner, ...job }) => job)).toEqual(everyCall);
    expect(look.jobWith(69).owner).toMatchObject({ sinceMs: null });
  });

  test('a graceful end takes the shells along and leaves what had left them', () => {
    const world = new World(...observedTree);
    world.look();
    world.end(70, 71, 69, 74, 75, 73, 72, 77, 76, 34);
    expect(world.look().found).toEqual([
      { root: 79, members: [79], owner: 'gone' },
      { root: 81, members: [81], owner: 'gone' },
      { root: 85, members: [85], owner: 'gone' },
    ]);
  });

  test('moved to the background: the shells’ agent is dead, but a background session holds their tasks', () => {
    const world = new World(...observedTree, { pid: 461, argv: ['claude bg-spare', '--bg-spare', 'claim.sock'] });
    world.look();
    world.end(34);
    world.adopt('claude-code', sessionA, 461);
    expect(world.look().found).toEqual(everyCall.map((job) => ({ ...job, owner: 'live' })));
    world.end(461);
    world.directory = emptySessionDirectory;
    expect(world.look().found).toEqual(everyCall.map((job) => ({ ...job, owner: 'gone' })));
  });

  test('two sessions in one project, each with the same command: two jobs, and only the dead session’s is an orphan', () => {
    const shellOf = (pid: number, of: number, session: string): readonly Plant[] => [
      { pid, ppid: of, sid: pid, tty: 0, argv: pipeline, env: claudeEnvironment({ pid: of, session }) },
      { pid: pid + 1, ppid: pid, argv: 'sleep 3600', env: claudeEnvironment({ pid: of, session }) },
    ];
    const world = new World(
      { pid: 40, argv: 'claude' },
      { pid: 41, argv: 'claude' },
      ...shellOf(50, 40, sessionA),
      ...shellOf(60, 41, sessionB),
      { pid: 55, argv: 'sleep 1', env: claudeEnvironment({ pid: 40, session: sessionA }) },
      { pid: 65, argv: 'sleep 1', env: claudeEnvironment({ pid: 41, session: sessionB }) },
    );
    world.register('claude-code', sessionB, 41);
    world.end(40);
    expect(world.look().found).toEqual([
      { root: 50, members: [50, 51], owner: 'gone' },
      { root: 55, members: [55], owner: 'unproved' },
      { root: 60, members: [60, 61], owner: 'live' },
      { root: 65, members: [65], owner: 'live' },
    ]);
  });

  test('hooks, MCP servers and the sandbox’s proxy carry the session’s marks and are no jobs, in its life and after', () => {
    const harness = claudeEnvironment({ pid: 34 }, 'harness');
    const world = new World(
      ...terminal,
      agent,
      { pid: 90, ppid: 34, argv: 'node mcp-server.js', env: harness },
      { pid: 91, ppid: 34, sid: 91, tty: 0, argv: ['/bin/sh', '-c', 'notify'], env: harness },
      {
        pid: 92,
        ppid: 34,
        argv: 'socat UNIX-LISTEN:/tmp/claude-http-0123456789abcdef.sock,fork TCP:localhost:1',
        env: harness,
      },
      { pid: 93, argv: 'node statistics-daemon.js', env: harness },
    );
    expect(world.look().found).toEqual([]);
    world.end(34);
    expect(world.look().found).toEqual([]);
  });
});

describe('earlier versions of Claude Code', () => {
  test('2.0.28 names neither session nor process: while one lives it is unknown, without one it is gone', () => {
    const old = claudeEnvironment({ pid: 34, version: '2.0.28' });
    const world = new World(
      ...terminal,
      agent,
      { pid: 40, argv: 'claude' },
      { pid: 69, ppid: 34, sid: 69, tty: 0, argv: claudeShell('sleep 3600', '2.0.28'), env: old },
      { pid: 81, pgid: 80, sid: 80, argv: 'sleep 3605', env: old },
    );
    expect(world.look().found).toEqual([
      { root: 69, members: [69], owner: 'live' },
      { root: 81, members: [81], owner: 'unknown' },
    ]);
    world.end(34);
    // Its own agent was seen, and has ended; which of the two started the other is unknown.
    expect(world.look().found).toEqual([
      { root: 69, members: [69], owner: 'gone' },
      { root: 81, members: [81], owner: 'unknown' },
    ]);
    world.end(40);
    expect(world.look().found).toEqual([
      { root: 69, members: [69], owner: 'gone' },
      { root: 81, members: [81], owner: 'gone' },
    ]);
  });

  test('2.0.28: a session that began after the leftover can’t have started it', () => {
    const old = claudeEnvironment({ pid: 34, version: '2.0.28' });
    const world = new World({ pid: 81, pgid: 80, sid: 80, argv: 'sleep 3605', env: old }, { pid: 40, argv: 'claude' });
    expect(world.look().found).toEqual([{ root: 81, members: [81], owner: 'unproved' }]);
  });

  test('2.1.197 names its session only', () => {
    const world = new World({
      pid: 81,
      pgid: 80,
      sid: 80,
      argv: 'sleep 3605',
      env: claudeEnvironment({ pid: 1, version: '2.1.197' }),
    });
    expect(world.look().jobWith(81)).toMatchObject({ session: sessionA, owner: { state: 'unproved' } });
  });
});
