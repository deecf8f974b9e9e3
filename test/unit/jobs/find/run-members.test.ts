import { knownBy } from '../../../../app/model/owner-sign.ts';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../../../app/jobs/ledger/ledger.ts';
import { findingJobs } from '../../../../app/jobs/find/find-jobs.ts';
import type { RunSubject } from '../../../../app/jobs/find/run-jobs.ts';
import { emptySessionDirectory } from '../../../../app/model/session.ts';
import { asPid } from '../../../../app/process/identity.ts';
import { machineOf } from '../machine.ts';
import type { Plant } from '../plant.ts';
import { remembered } from '../remembered.ts';
import { toldEvidence, toolMark, toolShell, weakMark, type Told } from '../told-evidence.ts';
import { World } from '../world.ts';
import { safe } from '../../safe-text.ts';
import { drain } from '../../../../app/process/steps.ts';

const argv = 'node /opt/curfew/curfew.js run -- make';
const supervisor: Plant = { pid: 30, argv, start: 100 };
const command: Plant = { pid: 40, ppid: 30, sid: 40, argv: 'make', start: 101 };

/** The record of a run whose command is process 40 below a `curfew run` that is process 30. */
const record = (more: Partial<RunSubject> = {}): RunSubject => ({
  terms: {
    id: 'abcdefghij',
    background: true,
    maxElapsedSeconds: null,
    atMaxElapsed: 'always',
    hardCapSeconds: 14_400,
    graceSeconds: 10,
    supervisor: { bootId: machineOf([]).source.bootId, pid: asPid(30), startTicks: 10_000 },
  },
  name: null,
  command: safe('make'),
  folder: '/home/me/shop',
  output: null,
  root: { pid: 40, startTicks: 10_100 },
  sinceTicks: 10_100,
  subreaper: true,
  seen: [],
  ...more,
});

/** The jobs of runs alone: who is in them, and by what. */
const drafted = (
  plants: readonly Plant[],
  run: Partial<RunSubject> = {},
  told: Readonly<Record<number, Told>> = {},
  cookies: readonly number[] = [],
  ledger: readonly LedgerEntry[] = [],
) => {
  const { drafts } = drain(
    findingJobs({
      table: machineOf(plants).table(),
      evidence: toldEvidence(told),
      directory: emptySessionDirectory,
      ledger,
      witnesses: [],
      runs: [record(run)],
      cookie: ({ pid }) => (cookies.includes(pid) ? 'abcdefghij' : null),
    }),
  );
  return drafts.filter(({ agent }) => agent === 'curfew-run');
};
const byOf = (...of: Parameters<typeof drafted>) =>
  Object.fromEntries(drafted(...of).flatMap(({ members }) => members.map(({ row, by }) => [row.pid, by])));

test('a run is a job that says what it is and how that is known', () => {
  const [draft, ...more] = drafted([supervisor, command]);
  expect(more).toEqual([]);
  expect(draft).toMatchObject({
    rule: 'curfew-run',
    groups: [],
    kernelSessions: [],
    provenance: [{ code: 'run', run: 'abcdefghij' }],
    owner: { state: 'live', evidence: knownBy('its `curfew run` (process {pid}) is running', { pid: 30 }) },
  });
  expect(drafted([command])[0]?.owner).toMatchObject({
    evidence: knownBy('its `curfew run` (process {pid}) was killed', { pid: 30 }),
  });
});

test('a `curfew run` of another user is not the one that the record tells of', () => {
  expect(drafted([{ ...supervisor, uid: 0 }, command])[0]?.owner.state).toBe('gone');
});

describe('the id of a run', () => {
  const idWith = (...ledger: readonly LedgerEntry[]) => drafted([supervisor, command], {}, {}, [], ledger)[0]?.id;
  const id = idWith();

  test('is the remembered one, of this run and of no job that only has a task of that name', () => {
    const known = remembered({ agent: 'curfew-run', task: 'abcdefghij' });
    expect(idWith(known)).toBe(known.id);
    expect(idWith({ ...known, task: 'another' })).toBe(id);
    expect(idWith({ ...known, agent: 'codex' })).toBe(id);
  });

  test('is none that a remembered job has', () => {
    if (id === undefined) throw new Error('there was to be a run');
    expect(idWith(remembered({ id }))).toMatch(/^[0-9a-f]{8}$/);
    expect(idWith(remembered({ id }))).not.toBe(id);
  });
});

describe('who belongs to a run', () => {
  const loose: Plant = { pid: 42, sid: 42, argv: 'sleep 9', start: 102 };
  const child: Plant = { pid: 41, ppid: 40, argv: 'cc', start: 102 };

  test('its command and what hangs below that, by parentage; what came loose, by its cookie', () => {
    const known = byOf([supervisor, command, child, loose], { subreaper: false }, {}, [42]);
    expect(known).toEqual({ 40: ['tree'], 41: ['tree'], 42: ['env'] });
  });

  test('where its `curfew run` adopts, a cookie alone says nothing, and where that was killed, it does', () => {
    expect(byOf([supervisor, command, loose], {}, {}, [42])).toEqual({ 40: ['tree'] });
    expect(byOf([command, loose], {}, {}, [42])).toEqual({ 40: ['tree'], 42: ['env'] });
  });

  test('where its `curfew run` does not adopt, not every child of that is the run’s', () => {
    expect(byOf([supervisor, command, { ...loose, ppid: 30 }], { subreaper: false })).toEqual({ 40: ['tree'] });
  });

  test('by its cookie also where the parent is not shown, and not below a stranger, with it or without', () => {
    const parent: Plant = { pid: 50, argv: 'server', start: 90 };
    const below: Plant = { ...loose, ppid: 50 };
    const without = { subreaper: false };
    expect(byOf([supervisor, command, below], without, {}, [42])).toEqual({ 40: ['tree'], 42: ['env'] });
    // The parent is older than the run, and so is not in it itself.
    expect(byOf([supervisor, command, parent, below], without, {}, [42, 50])).toEqual({ 40: ['tree'] });
    expect(byOf([supervisor, command, parent, below], without, {}, [42])).toEqual({ 40: ['tree'] });
  });

  test('its members at the latest scan of its own, unless another process has the pid', () => {
    const seen = [{ pid: 42, startTicks: 10_200 }];
    expect(byOf([supervisor, command, loose], { seen })).toEqual({ 40: ['tree'], 42: ['tree'] });
    expect(byOf([supervisor, command, { ...loose, start: 103 }], { seen })).toEqual({ 40: ['tree'] });
  });

  test('what began in the very tick of the command, and nothing older', () => {
    expect(byOf([supervisor, command, { ...child, start: 101 }])).toEqual({ 40: ['tree'], 41: ['tree'] });
    expect(byOf([supervisor, command, { ...child, start: 100.99 }])).toEqual({ 40: ['tree'] });
  });

  test('never the first process or one of the kernel, whatever is told of them', () => {
    const first: Plant = { pid: 1, ppid: 0, argv: '/sbin/init', start: 102 };
    const kernel: Plant = { pid: 2, ppid: 0, argv: 'kthreadd', kernelThread: true, start: 102 };
    const seen = [first, kernel].map(({ pid }) => ({ pid, startTicks: 10_200 }));
    expect(byOf([first, kernel, supervisor, command], { seen })).toEqual({ 40: ['tree'] });
  });

  test('an agent inside, and nothing below it', () => {
    expect(byOf([supervisor, command, child, { ...loose, ppid: 41 }], {}, { 41: { program: 'codex' } })).toEqual({
      40: ['tree'],
      41: ['tree'],
    });
  });

  test.each([
    ['a mark', toolMark('codex'), false],
    ['a bare mark', weakMark('codex', 'bare'), false],
    ['a tool shell without a mark', { ...toolShell('codex'), marker: null }, false],
    ['a mark of the agent’s own parts, which makes no job', weakMark('codex', 'harness'), true],
    ['neither', { ...toolMark('codex'), marker: null }, true],
  ])('what %s shows to be an agent’s is not the run’s', (_which, claim, isRuns) => {
    const members = byOf([supervisor, command, child], {}, { 41: { claims: [claim] } });
    expect(members).toEqual(isRuns ? { 40: ['tree'], 41: ['tree'] } : { 40: ['tree'] });
  });

  test('what carries the marks of what called `curfew run` is the run’s', () => {
    const claims = [toolMark('codex', { session: 's1' })];
    const told = { 30: { claims }, 40: { claims } };
    expect(byOf([supervisor, command], {}, told)).toEqual({ 40: ['tree'] });
  });
});

test('where its command has ended, the first of the others stands for it; else the command stands first', () => {
  const seen = [{ pid: 42, startTicks: 10_200 }];
  const other: Plant = { pid: 42, sid: 42, argv: 'sleep 9', start: 102 };
  expect(drafted([supervisor, other], { seen })[0]).toMatchObject({
    root: { pid: 42 },
    members: [{ row: { pid: 42 } }],
  });
  const child: Plant = { pid: 41, ppid: 30, argv: 'cc', start: 103 };
  const both = drafted([supervisor, child, command, other], { seen })[0];
  expect(both?.members.map(({ row }) => Number(row.pid))).toEqual([40, 42, 41]);
});

describe('several runs', () => {
  const inner: readonly Plant[] = [
    { pid: 50, ppid: 40, argv, start: 110 },
    { pid: 60, ppid: 50, sid: 60, argv: 'make', start: 111 },
  ];

  test('the one inside takes what is its own first, in whichever order they are told', () => {
    for (const order of [true, false]) {
      const world = new World(supervisor, command, ...inner);
      if (order) world.run('abcdefghij', 30, 40);
      world.run('bbcdefghij', 50, 60);
      if (!order) world.run('abcdefghij', 30, 40);
      const members = world.look().found.map(({ root, members: all }) => [root, all]);
      expect(members).toEqual([
        [40, [40]],
        [60, [60]],
      ]);
    }
  });

  test('the `curfew run` of one in the foreground is no member of the one around it', () => {
    const world = new World(supervisor, command, ...inner);
    world.run('abcdefghij', 30, 40);
    world.run('bbcdefghij', 50, 60, { background: false });
    expect(world.look().found.map(({ members }) => members)).toEqual([[40], [60]]);
  });

  test('what the inner one keeps when its `curfew run` was killed, and the outer one has adopted it', () => {
    for (const ids of [
      ['abcdefghij', 'bbcdefghij'],
      ['bbcdefghij', 'abcdefghij'],
    ]) {
      const world = new World(supervisor, command, ...inner);
      for (const id of ids)
        if (id === 'abcdefghij') world.run(id, 30, 40);
        else world.run(id, 50, 60);
      world.end(50);
      world.change(60, { ppid: 30 });
      expect(world.look().found.map(({ members }) => members)).toEqual([[40], [60]]);
    }
  });

  test('each keeps an id of its own', () => {
    const world = new World(supervisor, command, ...inner);
    world.run('abcdefghij', 30, 40);
    world.run('bbcdefghij', 50, 60);
    const ids = (): readonly string[] => {
      const look = world.look();
      return [look.jobWith(40).id, look.jobWith(60).id];
    };
    const first = ids();
    expect(new Set(first).size).toBe(2);
    expect(ids()).toEqual(first);
  });
});
