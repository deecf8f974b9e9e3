import { describe, expect, test } from 'vitest';
import type { Claim } from '../../../../app/agents/common/claim.ts';
import type { RootProof } from '../../../../app/jobs/lineage/root.ts';
import type { ShownOwner } from '../shown-owner.ts';
import type { AgentSession, SessionDirectory, UnclearEntry } from '../../../../app/model/session.ts';
import { possibleAgents } from '../../../../app/jobs/owner/owner.ts';
import { asPid } from '../../../../app/process/identity.ts';
import { machineOf } from '../machine.ts';
import type { Plant } from '../plant.ts';
import { remembered } from '../remembered.ts';
import { toolMark, weakMark } from '../told-evidence.ts';
import type { Situation } from '../whose.ts';
import { agent, job, lookedAt, whose, claimed, inSession, names, session, idA, idB } from '../whose.ts';

describe('what goes on with a session that has lost its process', () => {
  const by = { bootId: machineOf([]).source.bootId, pid: asPid(40), startTicks: 1 };
  const mark = claimed(toolMark('claude-code', { session: 'a', pid: 33 }));
  const taken = { agent: 'claude-code', session: idA, by, evidence: 'its tasks are open' } as const;
  const living = session({ id: idA });

  test.each<[string, Partial<SessionDirectory>, ShownOwner['state']]>([
    ['another process has taken it over', { adoptions: [taken] }, 'live'],
    ['another session was taken over', { adoptions: [{ ...taken, session: idB }] }, 'unproved'],
    ['another agent’s session of that name was taken over', { adoptions: [{ ...taken, agent: 'codex' }] }, 'unproved'],
    ['it is registered as living', { sessions: [living] }, 'live'],
    ['another agent’s session of that name is', { sessions: [{ ...living, agent: 'codex' }] }, 'unproved'],
  ])('%s', (_what, directory, state) => {
    expect(whose({ plants: [job], directory }, mark).state).toBe(state);
  });
});

describe('a session that is registered without a process of this machine', () => {
  const mark = claimed(toolMark('claude-code', { session: 'a', pid: 33 }));
  const elsewhere = session({ id: idA, state: 'unknown' });
  const owner = (one: AgentSession, proof = mark) => whose({ plants: [job], directory: { sessions: [one] } }, proof);

  test('runs in another pid namespace or on another machine: that the pid of its mark is gone proves nothing', () => {
    expect(owner(elsewhere)).toEqual({
      state: 'unknown',
      evidence: 'its session is registered in another pid namespace or on another machine',
    });
  });

  test.each<[string, AgentSession]>([
    ['is another agent’s', { ...elsewhere, agent: 'codex' }],
    ['is another', { ...elsewhere, id: idB }],
  ])('says nothing where it %s', (_which, one) => {
    expect(owner(one).state).toBe('unproved');
  });

  test('may run wherever its record says that it is not known, and has ended where that says so', () => {
    expect(owner({ ...elsewhere, pid: asPid(33) }).state).toBe('unknown');
    expect(owner({ ...elsewhere, state: 'gone' }).state).toBe('gone');
  });

  test('says nothing of a job without a session', () => {
    expect(owner({ ...elsewhere, id: null }, names(33)).state).toBe('unproved');
  });
});

describe('a registry of which a part can’t be read', () => {
  const entry = { agent: 'claude-code', session: null, source: 'sessions/7.json' } as const;
  const stateWith = (one: UnclearEntry, proof = claimed(toolMark('claude-code', { session: 'a', pid: 33 }))) =>
    whose({ plants: [job], directory: { unclear: [one] } }, proof).state;

  test('may say that the session goes on, whenever it was written', () => {
    expect(stateWith(entry)).toBe('unknown');
  });

  test('says nothing of another agent’s sessions, and of another session', () => {
    expect(stateWith({ ...entry, agent: 'codex' })).toBe('unproved');
    expect(stateWith({ ...entry, session: idB })).toBe('unproved');
    expect(stateWith({ ...entry, session: idA })).toBe('unknown');
    expect(stateWith({ ...entry, session: idB }, names(33))).toBe('unknown');
  });

  test('says so, also of a job that names only its session', () => {
    for (const proof of [claimed(toolMark('claude-code', { session: 'a', pid: 33 })), inSession('a')])
      expect(whose({ plants: [job], directory: { unclear: [entry] } }, proof)).toEqual({
        state: 'unknown',
        evidence: "sessions/7.json, which may name its session, can't be read",
      });
  });

  describe('a living agent without an entry', () => {
    const mark = claimed(toolMark('claude-code', { session: 'a', pid: 33 }));
    const state = (situation: Omit<Situation, 'plants'> = {}, start = 90, more: Partial<Plant> = {}, proof = mark) =>
      whose(
        {
          plants: [{ pid: 40, argv: 'claude', start, ...more }, job],
          told: { 40: { program: 'claude-code' } },
          ...situation,
        },
        proof,
      ).state;
    const listed = session({ id: idB, pid: asPid(40) });

    test('may have resumed its session, whether it began before the job or after it', () => {
      for (const start of [10, 79, 80, 90]) expect([start, state({}, start)]).toEqual([start, 'unknown']);
      expect(state({ directory: { sessions: [listed] } })).toBe('unproved');
    });

    test('has not where it is another agent, a spare, or a part that runs no session', () => {
      expect(state({ told: { 40: { program: 'codex' } } })).toBe('unproved');
      expect(state({}, 90, { argv: ['claude bg-spare'] })).toBe('unproved');
      expect(state({}, 90, { argv: ['claude', 'mcp', 'serve'] })).toBe('unproved');
      expect(state({}, 90, { argv: ['my claude bg-spare'] })).toBe('unknown');
    });

    test('has not where it is another user’s, unless a process of this user started it', () => {
      expect(state({}, 90, { uid: 1001 })).toBe('unproved');
      expect(state({}, 90, { uid: 0, ppid: 81 })).toBe('unknown');
    });

    test('shields none of a job that names no session', () => {
      expect(state({}, 90, {}, names(33))).toBe('unproved');
    });

    test('is accounted for by the entry of its launcher, or of what it started', () => {
      const told = { 40: { program: 'claude-code' }, 41: { program: 'claude-code' } } as const;
      const plants: readonly Plant[] = [
        { pid: 40, argv: 'claude', start: 90 },
        { pid: 41, ppid: 40, argv: 'claude', start: 90 },
        job,
      ];
      for (const pid of [40, 41])
        expect(whose({ plants, told, directory: { sessions: [{ ...listed, pid: asPid(pid) }] } }, mark).state).toBe(
          'unproved',
        );
    });
  });
});

describe('a job that only its session names', () => {
  const plants = [agent, job];
  const blog = '/home/me/blog';
  const completeFor = new Set(['claude-code'] as const);
  const elsewhere = session({ id: idB, pid: asPid(34), project: blog });
  const project = remembered({ project: '/home/me/shop' });

  test('what its ledger remembers of its project tells it from an agent that works elsewhere', () => {
    const known = { plants, directory: { sessions: [elsewhere], completeFor } };
    expect(whose(known, inSession('a'), { entry: project }).state).toBe('unproved');
    expect(whose(known, inSession('a'), { entry: remembered({ project: blog }) }).state).toBe('unknown');
  });

  test('a session is elsewhere only where no project speaks for it', () => {
    const match = { session: null, task: null, projectSlug: '-home-me-blog' };
    const output = { agent: 'claude-code', path: '/tmp/b1.output', match } as const;
    const known = { plants, directory: { sessions: [elsewhere], completeFor } };
    expect(whose(known, inSession('a'), { entry: project, output }).state).toBe('unknown');
  });

  test.each<[string, AgentSession]>([
    ['of another agent', { ...elsewhere, agent: 'codex' }],
    ['that is not known to live', { ...elsewhere, state: 'unknown' }],
    ['without an id', { ...elsewhere, id: null }],
  ])('an agent whose pid stands at a session %s is not accounted for by that', (_which, one) => {
    const known = { plants, directory: { sessions: [one], completeFor } };
    expect(whose(known, inSession('a'), { entry: project }).state).toBe('unknown');
  });

  test('of which it is unknown whether it runs; that another is like that says nothing', () => {
    const unsure = session({ id: idA, state: 'unknown' });
    const state = (one: AgentSession) => whose({ plants: [job], directory: { sessions: [one] } }, inSession('a')).state;
    expect(state(unsure)).toBe('unknown');
    expect(state({ ...unsure, id: idB })).toBe('unproved');
    expect(state({ ...unsure, agent: 'codex' })).toBe('unproved');
  });

  test('is not gone while another command of its session has a parent that may be its agent', () => {
    const like: Plant = { pid: 20, argv: 'something', start: 10 };
    const beside: Plant = { pid: 82, ppid: 20, argv: 'sleep 8', start: 80 };
    const loose: Plant = { pid: 83, argv: 'sleep 7', start: 80 };
    const completely = { completeFor, hasTranscript: () => true };
    const owner = (others: Readonly<Record<number, RootProof>>) =>
      whose({ plants: [like, job, beside, loose], directory: completely, beside: others }, inSession('a'));
    expect(owner({ 82: inSession('a'), 83: inSession('a') })).toEqual({
      state: 'unknown',
      evidence: 'process 20, which may have started it, is running',
    });
    expect(owner({ 82: inSession('b'), 83: inSession('a') }).state).toBe('gone');
  });

  test('has ended as its registry says, unless that names no process and a program is named like the agent', () => {
    const ended = session({ id: idA, state: 'gone' });
    const like: Plant = { pid: 30, argv: 'node /opt/@anthropic-ai/claude-code/cli.js', start: 10 };
    const owner = (one: AgentSession, ...others: readonly Plant[]) =>
      whose({ plants: [...others, job], told: {}, directory: { sessions: [one] } }, inSession('a'));
    expect(owner(ended)).toEqual({ state: 'gone', sinceMs: null, evidence: 'sessions/x.json: the session has ended' });
    expect(owner(ended, like).state).toBe('unknown');
    expect(owner({ ...ended, pid: asPid(33) }, like)).toEqual({
      state: 'gone',
      sinceMs: null,
      evidence: 'sessions/x.json: its process has ended',
    });
  });

  test('a mark that any process can have set tells of no agent that could be above it', () => {
    const below = [
      { pid: 20, argv: 'something', start: 10 },
      { ...job, ppid: 20 },
    ];
    const { view, rootOf } = lookedAt({ plants: below });
    const above = (claim: Claim) =>
      possibleAgents(view, [rootOf(asPid(81), claimed(claim))])('gemini', null)?.pid ?? null;
    expect(above(toolMark('gemini'))).toBe(20);
    expect(above(weakMark('gemini', 'bare'))).toBeNull();
  });
});
