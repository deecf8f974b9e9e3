import { describe, expect, test } from 'vitest';
import { asAgentSessionId } from '../../../app/agents/common/agent-id.ts';
import { programOf } from '../../../app/agents/signatures.ts';
import type { ProcessProfile } from '../../../app/jobs/lineage/profile.ts';
import type { Owner } from '../../../app/model/job.ts';
import type { AgentSession } from '../../../app/model/session.ts';
import { isOwn, type Proof, proveOwn } from '../../../app/mcp/proof.ts';
import { asBootId, asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { processTree } from '../../../app/process/tree.ts';
import { nowMs, rowOf } from '../judge/job-builder.ts';

const bootId = asBootId('boot');

const tableOf = (rows: readonly ProcessRow[]): ProcessTable => ({
  bootId,
  takenAtMs: nowMs,
  nowTicks: 101_000,
  ticksPerSecond: 100,
  uid: 1000,
  rows: new Map(rows.map((row) => [row.pid, row])),
  complete: true,
});

const row = (pid: number, ppid: number, argv: readonly string[], more: Partial<ProcessRow> = {}): ProcessRow =>
  rowOf(pid, argv, { ppid: asPid(ppid), uid: 1000, startTicks: pid, ...more });

const init = row(1, 0, ['/sbin/init']);
const server = (ppid: number): ProcessRow => row(50, ppid, ['node', '/opt/curfew.js', 'mcp']);
const worker = row(60, 50, ['node', '/opt/curfew.js', 'mcp', '--call']);

const session = (of: ProcessRow, more: Partial<AgentSession> = {}): AgentSession => ({
  agent: 'claude-code',
  id: asAgentSessionId(`s-${of.pid}`),
  process: { bootId, pid: of.pid, startTicks: of.startTicks },
  pid: of.pid,
  state: 'live',
  project: '/home/me/shop',
  source: 'registry',
  ...more,
});

const prove = (rows: readonly ProcessRow[], sessions: readonly AgentSession[]): Proof => {
  const table = tableOf([init, ...rows, worker]);
  const profileOf = (one: ProcessRow): ProcessProfile => ({
    row: one,
    program: programOf(one),
    isUserProgram: one.comm === 'tmux',
    claims: [],
    rule: null,
  });
  return proveOwn({ table, tree: processTree(table.rows), profileOf, directory: { sessions }, asking: asPid(60) });
};

const why = (proof: Proof): string => (proof.kind === 'session' ? 'proved' : `${proof.kind}: ${proof.why}`);
const claude = row(10, 1, ['claude']);

describe('whose server asks', () => {
  test('is the session of the agent above it, also behind what starts it', () => {
    const proof = prove([claude, row(20, 10, ['npm', 'exec', 'curfew']), server(20)], [session(claude)]);
    expect(proof).toMatchObject({ kind: 'session', own: { agent: 'claude-code', pid: 10 } });
    expect(proof.kind === 'session' && [...proof.own.ids]).toEqual(['s-10']);
  });

  test('is the nearest agent, where one was started by another', () => {
    const inner = row(20, 10, ['claude']);
    const proof = prove([claude, inner, server(20)], [session(claude), session(inner)]);
    expect(proof).toMatchObject({ kind: 'session', own: { processes: [{ pid: 20 }] } });
  });

  test('is the session that a launcher has, where its program has none of its own', () => {
    const inner = row(20, 10, ['claude']);
    expect(prove([claude, inner, server(20)], [session(claude)])).toMatchObject({
      kind: 'session',
      own: { processes: [{ pid: 20 }, { pid: 10 }] },
    });
  });

  test.each([
    ['no agent is above it', [row(20, 1, ['node', 'app.js']), server(20)], /^none: no agent/u],
    ['it is not in the table', [], /^none: .*table|^none: no agent/u],
    [
      'a program of the user stands in between',
      [claude, row(20, 10, ['tmux']), server(20)],
      /^none: .*\(tmux\).*user/u,
    ],
    [
      'a parent is younger than its child',
      [claude, row(20, 10, ['sh'], { startTicks: 99 }), server(20)],
      /^none: .*broken/u,
    ],
    ['the agent has ended', [row(10, 1, ['claude'], { state: 'Z' }), server(10)], /^none/u],
    ['the agent is another user’s', [row(10, 1, ['claude'], { uid: 0 }), server(10)], /^none: .*another user/u],
    ['it serves many sessions', [row(10, 1, ['claude', 'daemon', 'run']), server(10)], /^none: .*many sessions/u],
  ] as const)('is not told where %s', (_, rows, expected) => {
    const agent = rows.find(({ pid }) => Number(pid) === 10);
    expect(why(prove(rows, agent === undefined ? [] : [session(agent)]))).toMatch(expected);
  });

  test.each([
    ['is not known', []],
    ['is unknown', [session(claude, { state: 'unknown' })]],
    ['has ended', [session(claude, { state: 'gone' })]],
    ['is of an earlier process with that pid', [session({ ...claude, startTicks: 3 })]],
    ['is another agent’s', [session(claude, { agent: 'codex' })]],
  ] as const)('is an agent only, which changes nothing, where its session %s', (_, sessions) => {
    expect(why(prove([claude, server(10)], sessions))).toMatch(/^agent: .*registry/u);
  });
});

describe('a job of its own', () => {
  const own = { agent: 'claude-code', ids: new Set<never>(), pid: asPid(10), processes: [] } as const;
  const identity = { bootId, pid: asPid(10), startTicks: 10 };
  const proved = { ...own, processes: [identity] };
  const owned = (owner: Owner) => isOwn({ owner }, proved);

  test('is one whose living owner is that very process', () => {
    expect(owned({ state: 'live', process: identity, evidence: '' })).toBe(true);
    for (const other of [
      { ...identity, pid: asPid(11) },
      { ...identity, startTicks: 11 },
      { ...identity, bootId: asBootId('other') },
    ])
      expect(owned({ state: 'live', process: other, evidence: '' })).toBe(false);
    expect(owned({ state: 'live', process: null, evidence: '' })).toBe(false);
    expect(owned({ state: 'unknown', evidence: '' })).toBe(false);
    expect(owned({ state: 'gone', sinceMs: null, evidence: '' })).toBe(false);
  });

  test('is never an agent itself', () => {
    const reach = { state: 'reachable' } as const;
    expect(isOwn({ owner: { state: 'live', process: identity, evidence: '' }, reach }, proved)).toBe(false);
  });
});
