import { describe, expect, test } from 'vitest';
import type { MembershipEvidence } from '../../../../app/model/job.ts';
import { env, left } from '../left.ts';
import type { Plant } from '../plant.ts';
import { claudeShell, environments, outputFile } from '../plant.ts';
import { World, type WorldLook } from '../world.ts';

const agent: Plant = { pid: 34, argv: 'claude' };
const call: Plant = { pid: 80, ppid: 34, sid: 80, argv: claudeShell('sleep 9; true'), env };

/** Why this process is a member. */
const byOf = (look: WorldLook, pid: number): readonly MembershipEvidence[] | undefined =>
  look.jobWith(pid).members.find(({ row }) => Number(row.pid) === pid)?.by;

describe('it is said why each process belongs to its job', () => {
  test.each<[string, readonly Plant[], number, readonly MembershipEvidence[]]>([
    ['a tool shell whose environment can’t be read', [agent, { ...call, env: null }], 80, ['tree', 'group']],
    ['a tool shell with its marks', [agent, call], 80, ['env', 'group']],
    ['a child that carries the marks on', [agent, call, { ...left(81), ppid: 80 }], 81, ['tree', 'group', 'env']],
    ['the output file alone', [left(81, { pgid: 81, env: {}, outputs: [outputFile('b1')] })], 81, ['output', 'group']],
    [
      'the agent right above it, in whose group and session it stays',
      [
        { pid: 31, argv: 'aider' },
        { pid: 40, ppid: 31, argv: ['/bin/sh', '-c', 'make'], heldBy: 31 },
      ],
      40,
      ['tree'],
    ],
  ])('%s', (_which, plants, pid, by) => {
    expect(byOf(new World(...plants).look(), pid)).toEqual(by);
  });

  test('what shares the kernel session of a shell that was seen to be the job’s and has ended', () => {
    const world = new World(
      { pid: 20, argv: 'my-subreaper' },
      agent,
      call,
      left(81, { ppid: 80 }),
      left(84, { ppid: 80, env: {} }),
    );
    world.look();
    world.end(80);
    // Under a pid that no look has seen, and with another's as its parent, nothing but the session
    // tells of it.
    world.end(84);
    world.start(left(85, { ppid: 20, env: {} }));
    const look = world.look();
    expect(look.found).toEqual([{ root: 81, members: [81, 85], owner: 'live' }]);
    expect(byOf(look, 85)).toEqual(['group', 'ledger']);
  });
});

test('process 1 is a member of nothing, whose group and session it may share', () => {
  const world = new World(agent, call);
  world.change(1, { sid: 80, pgid: 80 });
  expect(world.look().found).toEqual([{ root: 80, members: [80], owner: 'live' }]);
});

describe('the user’s program that a member of a job started', () => {
  test('has left the job where it made a kernel session of its own', () => {
    const world = new World(agent, call, { pid: 500, ppid: 80, sid: 500, argv: 'ssh-agent -s', env });
    expect(world.look().found).toEqual([{ root: 80, members: [80], owner: 'live' }]);
  });

  test('protects it where it stays in the session, also in that of the terminal', () => {
    const world = new World(
      { pid: 30, argv: ['-bash'], sid: 30, tty: 34_816 },
      { pid: 31, ppid: 30, pgid: 31, argv: 'aider' },
      { pid: 40, ppid: 31, argv: ['/bin/sh', '-c', 'xdg-open http://localhost'], heldBy: 31 },
      { pid: 41, ppid: 40, pgid: 41, argv: '/usr/bin/firefox http://localhost' },
    );
    const look = world.look();
    expect(look.found).toEqual([{ root: 40, members: [40, 41], owner: 'live' }]);
    expect(look.vetoes(40)).toContain('shared-daemon');
  });
});

describe('a browser or an agent that a call left in its kernel session, of which the leader has ended', () => {
  const browser = left(90, { argv: '/usr/bin/firefox http://localhost' });
  const both = { ...env, ...environments.codex('c1') };

  test.each<[string, Plant, Plant]>([
    ['with the same marks', browser, left(91)],
    ['with more marks', { ...browser, env: both }, left(91)],
    ['with fewer marks', browser, left(91, { env: both })],
  ])('protects what is left there %s', (_how, program, rest) => {
    const world = new World(program, rest);
    world.register('codex', 'c1', 30, { state: 'gone' });
    const look = world.look();
    // A living browser carries the same marks: the user may have started what is loose.
    expect(look.found).toEqual([{ root: 91, members: [90, 91], owner: 'unknown' }]);
    expect(byOf(look, 90)).toEqual(['env']);
    expect(look.vetoes(91)).toContain('shared-daemon');
  });

  test('protects it also where the oldest of the job has no marks', () => {
    const outputs = [outputFile('b1')];
    const look = new World(left(81, { env: {}, outputs }), browser, left(91, { outputs })).look();
    expect(look.found).toEqual([{ root: 91, members: [81, 90, 91], owner: 'unproved' }]);
    expect(look.vetoes(91)).toContain('shared-daemon');
  });

  test('is the user’s own, and apart, where it has no such marks', () => {
    const look = new World({ ...browser, env: {} }, left(91)).look();
    expect(look.found).toEqual([{ root: 91, members: [91], owner: 'unproved' }]);
  });

  test('is apart from it where the leader lives and belongs to no job', () => {
    const look = new World({ pid: 80, argv: 'node host.js' }, browser, left(91)).look();
    expect(look.found.map(({ members }) => members)).toEqual([[90], [91]]);
  });

  test('and what is no such program is found by its own marks only', () => {
    const muxs = environments.mux('w');
    const look = new World(left(81, { env: muxs }), left(82, { env: muxs })).look();
    expect(look.found.map(({ members }) => members)).toEqual([[81], [82]]);
  });
});
