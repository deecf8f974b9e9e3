import { describe, expect, test } from 'vitest';
import { asCallGroupKey } from '../../../../app/agents/common/call-group.ts';
import type { AgentStart } from '../../../../app/jobs/lineage/evidence.ts';
import type { AgentWitness } from '../../../../app/jobs/lineage/witness.ts';
import { looked, type LookedAt } from '../looked.ts';
import type { Plant } from '../plant.ts';
import { toolMark, type Told, weakMark } from '../told-evidence.ts';

const [agentPath, callsPath] = ['/me/curfew-agent-1/agent', '/me/curfew-agent-1/claude-code-bash'];
const start: AgentStart = {
  agent: 'claude-code',
  pid: 34,
  startTicks: 10_000,
  terminal: [],
  unit: null,
  groups: [
    { hierarchy: '', path: agentPath, holds: 'agent' },
    { hierarchy: '', path: callsPath, holds: 'calls' },
  ],
};
const inCalls: Told = { groups: { '': callsPath } };
const inAgents: Told = { groups: { '': agentPath } };
const elsewhere: Told = { groups: { '': '/me/session.scope' } };
const agent: Plant = { pid: 34, argv: 'claude', start: 100 };
const left: Plant = { pid: 90, argv: 'node server.js', start: 200 };
/** The job of process 90 after one look, the first one ever. */
const jobOf = (told: Readonly<Record<number, Told>>, plants: readonly Plant[] = [left], more: Partial<LookedAt> = {}) =>
  looked(plants, { told: { 90: inCalls, ...told }, starts: [start], ...more }).drafts.find(({ members }) =>
    members.some(({ row }) => Number(row.pid) === 90),
  );
const proved = { kind: 'kernel', agent: 'claude-code', process: { pid: 34, startTicks: 10_000 } };

describe('what is left of tool calls in a group that Curfew made for an agent', () => {
  test('is proved with no look before, and its agent is known to have ended', () => {
    expect(jobOf({})).toMatchObject({ agent: 'claude-code', proof: proved, owner: { state: 'gone' } });
  });

  test('belongs to its agent as long as that lives, whatever program that has become', () => {
    const living = (told: Told) => jobOf({ 34: told }, [agent, left]);
    expect(living({ program: 'claude-code', ...inAgents })).toMatchObject({ proof: proved, owner: { state: 'live' } });
    expect(living(inAgents)).toMatchObject({ proof: proved, owner: { state: 'live' } });
  });

  test('is no leftover while the machine hides processes', () => {
    expect(jobOf({}, [left], { complete: false })?.owner.state).not.toBe('gone');
  });

  test('is in a session that may go on where another agent is in that agent’s group', () => {
    const other: Plant = { pid: 60, argv: 'claude', start: 900 };
    const owner = (told: Told) => jobOf({ 60: told }, [other, left])?.owner.state;
    expect(owner({ program: 'claude-code', ...inAgents })).toBe('unknown');
    expect(owner({ program: 'codex', ...inAgents })).toBe('unknown');
    expect(owner({ program: 'codex', ...elsewhere })).toBe('gone');
  });

  test('may be of another agent that a tool call started, while that lives', () => {
    const inner = (began: number) =>
      jobOf({ 60: { program: 'codex', ...inCalls } }, [{ pid: 60, argv: 'codex', start: began }, left])?.owner.state;
    expect(inner(150)).toBe('unknown');
    expect(inner(900)).toBe('gone');
  });
});

describe('in a group that an agent shares with its tool calls', () => {
  const path = '/me/curfew-agent-2/agent';
  const groups = [{ hierarchy: '', path, holds: 'agent' as const }];
  const codex: AgentStart = { ...start, agent: 'codex', groups };
  const shared: Told = { groups: { '': path } };
  const marked: Told = { ...shared, claims: [toolMark('codex', { session: 'a' })] };
  const among = (told: Readonly<Record<number, Told>>, plants: readonly Plant[] = [left]) =>
    jobOf({ 90: marked, ...told }, plants, { starts: [codex] });

  test('what bears the mark of a call is proved with no look before', () => {
    expect(among({})).toMatchObject({
      agent: 'codex',
      proof: { ...proved, agent: 'codex' },
      owner: { state: 'gone' },
    });
    expect(among({ 34: { program: 'codex', ...shared } }, [{ ...agent, argv: 'codex' }, left])?.owner.state).toBe(
      'live',
    );
  });

  test('the agent, and what it may have started itself, is no leftover', () => {
    expect(among({ 90: shared })).toBeUndefined();
    const itself: Plant = { pid: 34, argv: 'renamed', start: 100 };
    expect(
      looked([itself], { told: { 34: marked }, starts: [codex] }).drafts.map(({ proof }) => proof.kind),
    ).not.toContain('kernel');
    // A plugin inside of the agent starts a daemon with such a mark.
    expect(among({ 90: { ...marked, serverOf: 'codex' } })?.proof.kind).not.toBe('kernel');
    for (const kind of ['bare', 'harness'] as const)
      expect(among({ 90: { ...shared, claims: [weakMark('codex', kind)] } })?.proof.kind).not.toBe('kernel');
    // The mark of another agent does not tell its calls.
    const other = { ...shared, claims: [toolMark('claude-code', { pid: 5, session: 'a' })] };
    expect(among({ 90: other })?.proof.kind).toBe('claimed');
  });

  test('it is left alone while another agent lives there', () => {
    const second: Plant = { pid: 60, argv: 'gemini', start: 150 };
    expect(among({ 60: { program: 'gemini', ...shared } }, [second, left])?.owner.state).toBe('unknown');
    expect(among({ 60: { program: 'gemini', ...elsewhere } }, [second, left])?.owner.state).toBe('gone');
  });

  test('beside what others could ask, what bears the mark of a call is claimed, also at later looks', () => {
    const plants: readonly Plant[] = [{ pid: 70, argv: 'make', start: 150 }, left];
    const told = { 70: marked, 90: marked };
    const { witnesses } = looked(plants, { told, starts: [codex] });
    expect(witnesses.filter(({ kind }) => kind === 'doubtful')).toEqual([]);
    const later = among({ 70: marked }, plants);
    expect(later).toMatchObject({ proof: { kind: 'claimed' }, owner: { state: 'unknown', noneLeft: true } });
  });

  test('what a process outside started is not proved', () => {
    const outside: Plant = { pid: 70, argv: 'make', start: 150 };
    expect(
      among({ 70: { ...elsewhere, claims: marked.claims ?? [] } }, [outside, { ...left, ppid: 70 }])?.proof.kind,
    ).toBe('claimed');
  });
});

describe('a group of that name proves nothing', () => {
  const seen: AgentWitness = {
    kind: 'agent',
    pid: 34,
    startTicks: 10_000,
    agent: 'claude-code',
    terminal: [],
    unit: null,
    callGroup: asCallGroupKey(`:${callsPath}`),
    endedTicks: 15_000,
  };

  test('where the record or the kernel does not confirm it, also if a look saw an agent that gives it', () => {
    expect(jobOf({}, [left], { starts: [], witnesses: [seen] })).toBeUndefined();
    // Where no records are read, the look counts.
    expect(looked([left], { told: { 90: inCalls }, witnesses: [seen] }).drafts).toMatchObject([{ proof: proved }]);
  });

  test('of a process that is older than the agent', () => {
    expect(jobOf({}, [{ ...left, start: 99 }])).toBeUndefined();
  });

  test('of a process that is in another group of a hierarchy in which Curfew made one', () => {
    const groups = [...start.groups, { hierarchy: 'pids', path: '/me/curfew-agent-1', holds: 'agent' as const }];
    const of = (pids: string) =>
      jobOf({ 90: { groups: { '': callsPath, 'cpu,pids': pids } } }, [left], { starts: [{ ...start, groups }] });
    expect(of('/me/curfew-agent-1/below')).toMatchObject({ proof: proved });
    expect(of('/me')).toBeUndefined();
    expect(of('/me/curfew-agent-12')).toBeUndefined();
  });

  test('of what a process outside started, also with the marks of the agent', () => {
    const outside: Plant = { pid: 70, argv: 'make', start: 150 };
    const claims = [toolMark('claude-code', { pid: 34, session: 'a' })];
    const marked = { ...inCalls, claims };
    const kind = (told: Told, plants: readonly Plant[]) =>
      jobOf({ 70: { ...told, claims }, 90: marked }, plants)?.proof.kind;
    const below = [outside, { ...left, ppid: 70 }];
    expect(kind(elsewhere, below)).toBe('claimed');
    expect(kind(inCalls, below)).toBe('kernel');
    // What is in its kernel session was started by it, or by what it started.
    const beside = [outside, { ...left, sid: 70 }];
    expect(kind(elsewhere, beside)).toBe('claimed');
    expect(kind(inCalls, beside)).toBe('kernel');
    // A session that is older than the agent may be the agent's own.
    expect(
      kind(elsewhere, [
        { ...outside, start: 50 },
        { ...left, sid: 70 },
      ]),
    ).toBe('kernel');
  });
});
