import { describe, expect, test } from 'vitest';
import { asAgentSessionId } from '../../../../app/agents/common/agent-id.ts';
import { type AssembledJob, type AssemblyInput, assemblingJobs } from '../../../../app/jobs/measure/assemble.ts';
import type { Draft } from '../../../../app/jobs/find/draft.ts';
import { asJobId, type Owner } from '../../../../app/model/job.ts';
import type { LedgerEntry } from '../../../../app/jobs/ledger/ledger.ts';
import type { MemberFacts } from '../../../../app/process/facts.ts';
import { type ProcessIdentity, asBootId, asPid } from '../../../../app/process/identity.ts';
import type { ProcessTable } from '../../../../app/process/table.ts';
import { factsOf, rowOf } from '../../judge/job-builder.ts';
import { machineOf } from '../machine.ts';
import { safe } from '../../safe-text.ts';
import { drain } from '../../../../app/process/steps.ts';

const table = machineOf([]).table();
const root = rowOf(39, ['/bin/bash', '-c', 'npm run dev'], { startTicks: table.nowTicks - 6000 });
const child = rowOf(40, ['node', 'server.js'], { startTicks: table.nowTicks - 5000 });
const agent: ProcessIdentity = { bootId: asBootId('boot:1'), pid: asPid(34), startTicks: 7 };
const living: Owner = { state: 'live', process: agent, evidence: 'agent process 34 is running' };
const gone: Owner = { state: 'gone', sinceMs: null, evidence: 'agent process 34 is gone' };

const draft: Draft = {
  id: asJobId('1a2b3c'),
  agent: 'claude-code',
  rule: 'claude-shell',
  command: safe('npm run dev'),
  script: null,
  name: null,
  run: null,
  session: asAgentSessionId('a'),
  task: 'b1',
  output: null,
  projectSlug: null,
  project: null,
  root,
  members: [
    { row: root, by: ['tree'] },
    { row: child, by: ['group'] },
  ],
  groups: [39],
  kernelSessions: [39],
  provenance: [{ code: 'wrapper', rule: 'claude-shell' }],
  proof: { kind: 'look', agent: 'claude-code', process: { pid: 34, startTicks: 900 }, atMs: 5_000 },
  owner: living,
  startTicks: root.startTicks,
  couldOwn: [],
  entry: null,
};

/** What a look finds out about the draft. */
interface Look {
  readonly draft?: Partial<Draft>;
  readonly at?: ProcessTable;
  readonly root?: Partial<MemberFacts>;
  readonly child?: Partial<MemberFacts>;
  readonly outputBytes?: AssemblyInput['outputBytes'];
  readonly keeps?: NonNullable<AssemblyInput['keeps']>;
  readonly ownerService?: AssemblyInput['ownerService'];
}

const look = (told: Look = {}): AssembledJob => {
  const [one] = drain(
    assemblingJobs({
      table: told.at ?? table,
      drafts: [{ ...draft, ...told.draft }],
      facts: new Map([
        [39, factsOf({ cwd: '/home/me/shop', ...told.root })],
        [40, factsOf({ cwd: '/home/me/shop/src', ...told.child })],
      ]),
      outputBytes: told.outputBytes ?? (() => null),
      ownerService: told.ownerService ?? (() => null),
      ...(told.keeps === undefined ? {} : { keeps: told.keeps }),
      diagnosing: {
        probes: new Map(),
        latest: new Map(),
        patienceSeconds: 300,
        limitSeconds: 1800,
        hardCapSeconds: 14_400,
      },
    }),
  );
  if (one === undefined) throw new Error('the draft gave no job');
  return one;
};

/** A look some seconds after the first, with what that one left in the ledger. */
const again = (before: LedgerEntry, seconds: number, told: Look = {}): AssembledJob =>
  look({
    ...told,
    at: {
      ...table,
      nowTicks: table.nowTicks + seconds * table.ticksPerSecond,
      takenAtMs: table.takenAtMs + seconds * 1000,
    },
    draft: { ...told.draft, entry: before },
  });

test('no drafts, no jobs', () => {
  const none = { probes: new Map(), latest: new Map(), patienceSeconds: 1, limitSeconds: 1, hardCapSeconds: 1 };
  const input = { table, drafts: [], facts: new Map(), outputBytes: () => 0, ownerService: () => '', diagnosing: none };
  expect(drain(assemblingJobs(input))).toEqual([]);
});

describe('the folder of a job', () => {
  test.each<[string, Look, string | null]>([
    [
      'is the one that its agent named',
      { draft: { project: '/home/me/named', projectSlug: '-home-me' } },
      '/home/me/named',
    ],
    [
      'is the one whose name its output file carries, above where it works',
      { draft: { projectSlug: '-home-me' } },
      '/home/me',
    ],
    ['is where it works if that name fits no folder above', { draft: { projectSlug: '-srv-other' } }, '/home/me/shop'],
    ['is where its root works if nothing names one', {}, '/home/me/shop'],
    ['is not known where that can’t be read', { root: { cwd: null } }, null],
    ['is not guessed from a name alone', { draft: { projectSlug: '-home-me' }, root: { cwd: null } }, null],
  ])('%s', (_which, told, project) => {
    const { job, entry } = look(told);
    expect({ job: job.project, entry: entry.project }).toEqual({ job: project, entry: project });
  });

  test('is not known of a root of which nothing could be read', () => {
    const other = rowOf(77, ['hidden']);
    expect(look({ draft: { root: other, members: [{ row: other, by: ['tree'] }] } }).job).toMatchObject({
      project: null,
      facts: new Map(),
    });
  });
});

describe('a job that listens', () => {
  test('is a service, and never silent: it waits for others', () => {
    const told: Look = { child: { ports: [3000] } };
    const third = again(again(look(told).entry, 5, told).entry, 600, told);
    expect(third.job).toMatchObject({ kind: 'service', silentSeconds: 0, holds: { ports: [3000] } });
  });

  test('on nothing is a task, and silent', () => {
    const third = again(again(look().entry, 5).entry, 600);
    expect(third.job).toMatchObject({ kind: 'task', silentSeconds: 600, holds: { ports: [] } });
  });
});

test('the output is measured where there is one', () => {
  const outputBytes = (path: string): number | null => (path === '/tmp/b1.output' ? 4711 : null);
  expect(look({ draft: { output: '/tmp/b1.output' }, outputBytes }).job.holds.outputBytes).toBe(4711);
  expect(look({ outputBytes: () => 1 }).job.holds.outputBytes).toBeNull();
});

describe('an owner that is gone', () => {
  test('at the first look: since when is unknown', () => {
    const { job, entry } = look({ draft: { owner: gone } });
    expect(job.owner).toEqual(gone);
    expect(entry.ownerGoneSinceMs).toBe(0);
  });

  test('and was seen alive before: since now', () => {
    const { job, entry } = again(look().entry, 5, { draft: { owner: gone } });
    expect(job.owner).toEqual({ ...gone, sinceMs: table.takenAtMs + 5000 });
    expect(entry).toMatchObject({ ownerGoneSinceMs: table.takenAtMs + 5000, owner: { pid: 34, startTicks: 7 } });
  });

  test('and was never seen: since when is unknown, at every later look too', () => {
    const { job } = again(look({ draft: { owner: gone } }).entry, 5, { draft: { owner: gone } });
    expect(job.owner).toEqual(gone);
  });

  test('of one that is alive nothing is remembered as gone', () => {
    expect(look().entry.ownerGoneSinceMs).toBeNull();
  });
});

describe('the service of an owner', () => {
  const ownerService = ({ pid, startTicks }: { pid: number; startTicks: number }): string =>
    `${pid}-${startTicks}.service`;

  test('is read once', () => {
    const first = look({ ownerService }).entry;
    expect(first.ownerService).toBe('34-7.service');
    const second = again(first, 5, { ownerService: () => 'read again' });
    expect(second.entry.ownerService).toBe('34-7.service');
  });

  test.each([
    ['process', { ...agent, pid: asPid(35) }, '35-7.service'],
    ['later process with its pid', { ...agent, startTicks: 9 }, '34-9.service'],
  ])('is that of another %s when that owns the job by now', (_which, process, service) => {
    const second = again(look({ ownerService }).entry, 5, { ownerService, draft: { owner: { ...living, process } } });
    expect(second.entry).toMatchObject({ ownerService: service, owner: { pid: process.pid } });
  });

  test.each<[string, Owner]>([
    ['gone', gone],
    ['known by its registry alone', { ...living, process: null }],
    ['unknown', { state: 'unknown', evidence: 'nothing tells' }],
  ])('stays in mind when the owner is %s', (_how, owner) => {
    const second = again(look({ ownerService }).entry, 5, { ownerService: () => 'a stranger’s', draft: { owner } });
    expect(second.entry).toMatchObject({ ownerService: '34-7.service', owner: { pid: 34, startTicks: 7 } });
  });
});

describe('from look to look', () => {
  test('a job keeps when it was first seen, what it hung on, and how long the user keeps it', () => {
    const keep = { fromTicks: table.nowTicks, seconds: 60, by: 'user', capSeconds: null } as const;
    const second = again(look().entry, 5, {
      draft: { root: child, startTicks: child.startTicks },
      keeps: new Map([[draft.id, keep]]),
    });
    expect(second.job).toMatchObject({ keptUntilMs: table.takenAtMs + 60_000, keptBy: 'user' });
    expect(second.entry).toMatchObject({
      firstSeenMs: table.takenAtMs,
      lastSeenMs: table.takenAtMs + 5000,
      root: { pid: 39, startTicks: root.startTicks },
    });
  });

  test.each([5 * 3600, -5 * 3600, 90])('a clock set by %i s makes a keep neither shorter nor longer', (bySeconds) => {
    const keep = { fromTicks: table.nowTicks, seconds: 60, by: 'user', capSeconds: null } as const;
    const after = (seconds: number): number | null => {
      const at = {
        ...table,
        nowTicks: table.nowTicks + seconds * table.ticksPerSecond,
        takenAtMs: table.takenAtMs + (seconds + bySeconds) * 1000,
      };
      const { keptUntilMs } = look({ at, keeps: new Map([[draft.id, keep]]) }).job;
      return keptUntilMs === null ? null : keptUntilMs - at.takenAtMs;
    };
    expect([after(1), after(59), after(61)]).toEqual([59_000, 1_000, null]);
  });

  test('the user who was told stays told while it is quiet, and is told anew when it has worked since', () => {
    const told = { ...look().entry, noticedAtMs: 1234 };
    const quiet = again(told, 5);
    expect([quiet.job.noticedAtMs, quiet.entry.noticedAtMs]).toEqual([1234, 1234]);
    const worked = again(told, 5, { child: { ioBytes: 1 } });
    expect([worked.job.noticedAtMs, worked.entry.noticedAtMs]).toEqual([1234, 1234]);
  });
});

test('a name and the terms of a run are told of where there are any', () => {
  expect(Object.keys(look().job)).not.toContain('run');
  expect(Object.keys(look().job)).not.toContain('name');
  const run = {
    id: 'r1',
    background: true,
    maxElapsedSeconds: null,
    atMaxElapsed: 'always' as const,
    hardCapSeconds: 1,
    graceSeconds: 1,
    supervisor: agent,
  };
  expect(look({ draft: { run, name: 'the shop' } }).job).toMatchObject({ run, name: 'the shop' });
});
