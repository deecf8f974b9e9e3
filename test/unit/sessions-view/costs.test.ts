import { inEnglish } from '../../../app/text/say.ts';
import { describe, expect, test } from 'vitest';
import { sessionCosts, type CostsInput, type ProcessMemory } from '../../../app/sessions-view/costs.ts';
import { sessionCostsSchema } from '../../../app/contract/views/session-costs.ts';
import { asAgentSessionId } from '../../../app/agents/common/agent-id.ts';
import type { AgentSession } from '../../../app/model/session.ts';
import { asBootId, asKernelSessionId, asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { sayServers, sayTotals } from '../../../app/text/sessions.ts';
import { jobOf, nowMs, rowOf } from '../judge/job-builder.ts';

const bootId = asBootId('boot');
const megabyte = 1_000_000;

const tableOf = (rows: readonly ProcessRow[]): ProcessTable => ({
  bootId,
  takenAtMs: nowMs,
  nowTicks: 101_000,
  ticksPerSecond: 100,
  uid: 1000,
  rows: new Map(rows.map((row) => [row.pid, row])),
  complete: true,
});

const child = (pid: number, ppid: number, argv: readonly string[], more: Partial<ProcessRow> = {}): ProcessRow =>
  rowOf(pid, argv, { ppid: asPid(ppid), sid: asKernelSessionId(20), rssBytes: 10 * megabyte, ...more });

const session = (row: ProcessRow, more: Partial<AgentSession> = {}): AgentSession => ({
  agent: 'claude-code',
  id: asAgentSessionId(`s-${row.pid}`),
  process: { bootId, pid: row.pid, startTicks: row.startTicks },
  pid: row.pid,
  state: 'live',
  project: `/home/me/p${row.pid}`,
  source: 'registry',
  ...more,
});

const costs = (rows: readonly ProcessRow[], more: Partial<CostsInput>) =>
  sessionCostsSchema.parse(
    sessionCosts({
      host: 'local',
      table: tableOf(rows),
      sessions: [],
      jobs: [],
      memory: new Map(),
      inputs: new Map(),
      unreachable: new Map(),
      idle: new Map(),
      olderSets: [],
      olderJobs: new Map(),
      ...more,
    }),
  );

const byPid = ([one]: readonly (number | null)[], [other]: readonly (number | null)[]): number =>
  (one ?? 0) - (other ?? 0);
const held = (id: string, ...holders: readonly number[]) => ({ id, holders: new Set(holders) });
const memory = (mb: number): ProcessMemory => ({
  pssBytes: mb * megabyte,
  privateBytes: (mb / 2) * megabyte,
  swapBytes: 0,
});

describe('what belongs to a session', () => {
  const one = rowOf(100, ['claude']);
  const two = child(120, 111, ['claude']);

  test('is the agent with its descendants; an agent below it has a session of its own', () => {
    const rows = [one, child(110, 100, ['node', 'a.js']), child(111, 100, ['sh']), two, child(121, 120, ['node'])];
    const { sessions, totals } = costs(rows, { sessions: [session(one), session(two)] });
    expect(sessions.map(({ pid, processes }) => [pid, processes]).toSorted(byPid)).toEqual([
      [100, 3],
      [120, 2],
    ]);
    expect(totals.processes).toBe(5);
  });

  test('is a job wherever it hangs by now, and no process counts twice', () => {
    const root = rowOf(300, ['sleep', '1'], { rssBytes: megabyte });
    const below = child(130, 100, ['sleep', '2']);
    const jobs = [300, 130].map((pid) => {
      const row = pid === 300 ? root : below;
      return jobOf(60, { root: row, members: [{ row, by: ['env'] }], session: asAgentSessionId('s-100') });
    });
    const { sessions } = costs([one, root, below], { sessions: [session(one)], jobs });
    expect(sessions).toMatchObject([{ processes: 3, jobs: 2 }]);
  });

  test('of an ended session are its jobs, also where no registry names it', () => {
    const root = rowOf(300, ['sleep', '1'], { rssBytes: megabyte });
    const owner = { state: 'gone', sinceMs: null, evidence: '' } as const;
    const job = jobOf(60, { root, members: [{ row: root, by: ['env'] }], session: asAgentSessionId('dead'), owner });
    const { sessions, totals } = costs([one, root], { sessions: [session(one)], jobs: [job] });
    expect(sessions.find(({ id }) => id === 'dead')).toMatchObject({ state: 'gone', pid: null, jobs: 1, processes: 1 });
    expect(totals.sessions).toEqual({ live: 1, gone: 1, unknown: 0, unreachable: 0 });
  });

  test('is nothing of a process that has the pid now', () => {
    const later = rowOf(100, ['bash'], { startTicks: 90_000 });
    const { sessions } = costs([later, child(110, 100, ['node'])], { sessions: [session(one)] });
    expect(sessions).toMatchObject([{ processes: 0, memory: { bytes: 0 } }]);
  });

  test('is also the launcher of an agent', () => {
    const launcher = rowOf(90, ['claude']);
    const inner = child(100, 90, ['claude'], { startTicks: one.startTicks });
    const { sessions } = costs([launcher, inner], { sessions: [session(inner)] });
    expect(sessions).toMatchObject([{ pid: 100, processes: 2 }]);
  });
});

describe('servers', () => {
  const one = rowOf(100, ['claude']);
  const two = rowOf(200, ['claude']);
  const rows = [
    one,
    two,
    child(110, 100, ['npm exec x']),
    child(111, 110, ['sh', '-c', 'x']),
    child(112, 111, ['/usr/bin/node', 'x.js', '--token=abcdefghijklmnop']),
    child(210, 200, ['/opt/node/bin/node', 'x.js', '--token=abcdefghijklmnop']),
    child(211, 200, ['node', 'y.js']),
  ];
  const sessions = [session(one), session(two)];
  const inputs = new Map([110, 111, 112].map((pid) => [pid, held('a', 100)])).set(210, held('b', 200));

  test('are the channels that the agent holds: a launcher and its server are one', () => {
    const found = costs(rows, { sessions, inputs });
    expect(found.sessions.map(({ pid, servers }) => [pid, servers]).toSorted(byPid)).toEqual([
      [100, 1],
      [200, 1],
    ]);
  });

  test('that run the same program from another folder are copies, named without secrets', () => {
    const { duplicates, totals } = costs(rows, { sessions, inputs });
    expect(duplicates).toMatchObject([{ copies: 2, sessions: 2 }]);
    expect(duplicates[0]?.command).toContain('node x.js');
    expect(duplicates[0]?.command).not.toContain('abcdefghijklmnop');
    expect(totals.duplicates).toBe(2);
  });

  test.each([
    ['is held by another process', held('c', 999), {}],
    ['leads a kernel session, as a hook does', held('c', 200), { sid: asKernelSessionId(211) }],
  ])('are none whose input %s', (_, input, more) => {
    const changed = rows.map((row) => (row.pid === asPid(211) ? { ...row, ...more } : row));
    const found = costs(changed, { sessions, inputs: new Map([[211, input]]) });
    expect(found.totals.servers).toBe(0);
  });

  test('are said with their memory, helpers included, and with the copies of one command', () => {
    const servers = [110, 111, 112].map((pid) => child(pid, 100, ['node', pid === 112 ? 'b.js' : 'a.js']));
    const running = [rowOf(100, ['claude']), ...servers, child(113, 110, ['chrome']), child(114, 113, ['chrome'])];
    const own = new Map(servers.map(({ pid }) => [pid, held(`socket:[${pid}]`, 100)] as const));
    const seen = (measured: ReadonlyMap<number, ProcessMemory>) =>
      costs(running, { sessions: [session(rowOf(100, ['claude']))], inputs: own, memory: measured }).sessions.map(
        (cost) => inEnglish(sayServers(cost) ?? ''),
      );
    expect(seen(new Map(running.map(({ pid }) => [pid, memory(4)])))).toEqual([
      'This session: 3 servers, 20 MB, 2 copies of one command',
    ]);
    expect(seen(new Map())).toEqual(['This session: 3 servers, ≤ 50 MB, 2 copies of one command']);
    expect(costs(running, { sessions: [session(rowOf(100, ['claude']))] }).sessions.map(sayServers)).toEqual([null]);
  });

  test('are counted where the other end can’t be seen', () => {
    const found = costs(rows, { sessions, inputs: new Map([[211, { id: 'c', holders: null }]]) });
    expect(found.totals.servers).toBe(1);
  });
});

describe('memory and processor time', () => {
  const one = rowOf(100, ['claude'], { rssBytes: 100 * megabyte, cpuMs: 5000, startTicks: 1000 });
  const two = rowOf(200, ['claude'], { rssBytes: 300 * megabyte, startTicks: 1000 });
  const sessions = [session(one), session(two)];

  test('are proportional where they can be read, resident size else; the dearest session is first', () => {
    const found = costs([one, two], { sessions, memory: new Map([[200, memory(50)]]) });
    expect(found.sessions).toMatchObject([
      { pid: 100, memory: { bytes: 100 * megabyte, measured: 'rss', privateBytes: null } },
      { pid: 200, memory: { bytes: 50 * megabyte, measured: 'pss', privateBytes: 25 * megabyte } },
    ]);
    expect(found.totals.memory).toMatchObject({ bytes: 150 * megabyte, measured: 'mixed', rssBytes: 400 * megabyte });
    expect(inEnglish(sayTotals(found))).toContain('2 sessions (2 running): 2 processes, 150 MB');
  });

  test('are shares of the time since the session began', () => {
    const [first] = costs([one], { sessions: [session(one)] }).sessions;
    expect(first).toMatchObject({ ageSeconds: 1000, cpuSeconds: 5, cpuPercent: 0.5 });
  });
});

test('an agent that no user can reach is told of with the reason, and one that has ended is not', () => {
  const one = rowOf(100, ['claude']);
  const ended = session(rowOf(300, ['claude']), { state: 'gone' });
  const unreachable = new Map([100, 300].map((pid) => [asPid(pid), 'its terminal is closed']));
  const { sessions, totals } = costs([one], { sessions: [session(one), ended], unreachable });
  expect(sessions.map(({ pid, state, unreachable: why }) => [pid, state, why])).toEqual([
    [100, 'unreachable', 'its terminal is closed'],
    [300, 'gone', null],
  ]);
  expect(totals.sessions).toMatchObject({ unreachable: 1, gone: 1, live: 0 });
});
