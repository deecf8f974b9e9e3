import { ruleOfSlug } from '../../../../app/agents/common/slug.ts';
import { describe, expect, test } from 'vitest';
import type { Claim } from '../../../../app/agents/common/claim.ts';
import type { SeenAgent } from '../../../../app/jobs/ledger/ledger.ts';
import type { Cluster } from '../../../../app/jobs/lineage/cluster.ts';
import type { RootProof } from '../../../../app/jobs/lineage/root.ts';
import type { ShownOwner } from '../shown-owner.ts';
import { asPid } from '../../../../app/process/identity.ts';
import type { Plant } from '../plant.ts';
import { remembered } from '../remembered.ts';
import type { Told } from '../told-evidence.ts';
import { toolMark, toolShell, weakMark } from '../told-evidence.ts';
import type { Situation } from '../whose.ts';
import { agent, recorded, job, whose, claimed, nameless, names, session, idA } from '../whose.ts';

describe('an owner that was seen', () => {
  const above: Plant = { pid: 80, argv: 'sh', start: 70 };
  const below: Plant = { ...job, ppid: 80 };

  test('has ended: what it had started and the job hangs below may be the agent itself, unless that is known as a part of the job', () => {
    const withMembers = (...members: readonly { readonly pid: number; readonly startTicks: number }[]) =>
      whose({ plants: [above, below] }, nameless, { entry: remembered({ owner: recorded, members }) });
    expect(withMembers()).toEqual({
      state: 'unknown',
      evidence: 'process 80, which its agent had started, is running above it',
    });
    expect(withMembers({ pid: 80, startTicks: 7000 }, { pid: 99, startTicks: 7000 }).state).toBe('gone');
    expect(withMembers({ pid: 80, startTicks: 6999 }, { pid: 99, startTicks: 7000 }).state).toBe('unknown');
  });

  test('lives: it is the owner, whatever hangs between', () => {
    const owner = whose({ plants: [agent, above, below] }, nameless, { entry: remembered({ owner: recorded }) });
    expect(owner).toMatchObject({ state: 'live', process: { pid: 34 } });
  });

  test('has ended, and the mark names another agent that lives: alive', () => {
    const entry = remembered({ owner: { pid: 33, startTicks: 1 } });
    expect(whose({ plants: [agent, job] }, names(34), { entry })).toMatchObject({
      state: 'live',
      process: { pid: 34 },
    });
  });

  test('has given its pid to another: gone for certain, also where processes are hidden', () => {
    const entry = remembered({ owner: { pid: 34, startTicks: 1 } });
    const other = { ...agent, argv: 'something' };
    expect(whose({ plants: [other, job], told: {}, complete: false }, nameless, { entry }).state).toBe('gone');
    expect(whose({ plants: [job], complete: false }, nameless, { entry }).state).toBe('unknown');
  });

  test('a session without an id is not the one of a job that names none', () => {
    const unsure = { sessions: [session({ state: 'unknown' })] };
    expect(whose({ plants: [job], directory: unsure }, nameless).state).toBe('unproved');
    const entry = remembered({ owner: recorded });
    expect(whose({ plants: [job], directory: { sessions: [session({})] } }, nameless, { entry }).state).toBe('gone');
  });
});

describe('the process that a mark names', () => {
  test('began before the job: alive; in the same tick: it can’t be told; later: it has the pid of another', () => {
    const state = (start: number) => whose({ plants: [{ ...agent, start }, job] }, names(34)).state;
    expect([79.99, 80, 80.01].map(state)).toEqual(['live', 'unknown', 'unproved']);
  });

  test('is the first process: that was told in another pid namespace', () => {
    expect(whose({ plants: [job] }, names(1)).state).toBe('unknown');
  });

  test('is an agent of another user: alive, because a command can change its user', () => {
    expect(whose({ plants: [{ ...agent, uid: 1001 }, job] }, names(34)).state).toBe('live');
  });

  test('is gone here, and a process in a pid namespace of its own goes by it there: unknown', () => {
    const inside = { 34: asPid(70) };
    expect(whose({ plants: [job] }, names(34)).state).toBe('unproved');
    expect(whose({ plants: [job], inside }, names(34))).toEqual({
      state: 'unknown',
      evidence: 'process 70 is process 34 in a pid namespace of its own',
    });
    expect(whose({ plants: [job], inside }, names(35)).state).toBe('unproved');
  });

  test('is gone here, and a broker for sandboxes is above the job: unknown', () => {
    const below = { ...job, ppid: 20 };
    const above = (argv: string) => ({ pid: 20, argv, start: 10 });
    expect(whose({ plants: [above('flatpak-session-helper'), below] }, names(34))).toEqual({
      state: 'unknown',
      evidence: 'process 20 runs commands for sandboxes',
    });
    expect(whose({ plants: [above('some-subreaper'), below] }, names(34)).state).toBe('unproved');
  });

  test('of another process here means nothing below a broker, whenever that one began, lives or has ended', () => {
    const below = { ...job, ppid: 20 };
    const broker = { pid: 20, argv: 'flatpak-session-helper', start: 10 };
    const { start: begun = 0 } = job;
    for (const start of [begun - 0.01, begun, begun + 0.01]) {
      const claude = { pid: 34, argv: 'claude', start };
      expect([start, whose({ plants: [claude, broker, below] }, names(34)).state]).toEqual([start, 'unknown']);
    }
  });

  test('was told in a sandbox: it says nothing of a process here', () => {
    const told = toolMark('claude-code', { pid: 34 });
    const marker = told.marker?.kind === 'tool' ? { ...told.marker, sandboxed: true as const } : told.marker;
    expect(whose({ plants: [job] }, claimed({ ...told, marker }))).toEqual({
      state: 'unknown',
      evidence: 'its marks were made in a sandbox with pids of its own',
    });
  });
});

describe('a job that names no session, where no agent that is recognised lives', () => {
  const gemini = claimed(toolMark('gemini'));
  const shell = claimed(toolShell('gemini'));
  const stranger: Plant = { pid: 30, argv: 'node server.js', start: 10 };
  const state = (
    plants: readonly Plant[],
    more: Partial<Situation> = {},
    proof = gemini,
    cluster: Partial<Cluster> = {},
  ) => whose({ plants, ...more }, proof, cluster).state;

  test('what holds no agent that calls itself so shields nothing of it', () => {
    const marker = { kind: 'bare' as const, rule: ruleOfSlug('foo'), named: true as const };
    const foo = claimed({ ...toolMark('gemini'), agent: 'other', marker });
    expect(state([stranger, job], {}, foo)).toBe('unknown');
    expect(state([stranger, job], { without: [30] }, foo)).toBe('unproved');
    expect(state([stranger, { ...stranger, pid: 31 }, job], { without: [30] }, foo)).toBe('unknown');
  });

  test('a process that isn’t known to be something else could be its agent', () => {
    expect(state([job])).toBe('unproved');
    expect(state([stranger, job])).toBe('unknown');
    expect(state([{ ...stranger, uid: 1001 }, job])).toBe('unknown');
    expect(state([stranger, job], { without: [30] })).toBe('unproved');
    expect(state([stranger, { ...stranger, pid: 31 }, job], { without: [30] })).toBe('unknown');
    expect(state([{ ...stranger, start: 80 }, job])).toBe('unknown');
    expect(state([{ ...stranger, start: 81 }, job])).toBe('unproved');
    expect(state([stranger, job], { told: { 30: { program: 'codex' } } })).toBe('unproved');
    expect(state([stranger, job], { told: { 30: { claims: [toolMark('gemini')] } } })).toBe('unproved');
    expect(state([stranger, job], { told: { 30: { claims: [toolMark('codex')] } } })).toBe('unknown');
    expect(state([stranger, job], { told: { 30: { serverOf: 'gemini' } } })).toBe('unproved');
    expect(state([stranger, job], { told: { 30: { serverOf: 'codex' } } })).toBe('unknown');
  });

  test('a tool shell that was given to an adopter has lost its agent', () => {
    const leader: Plant = { ...job, sid: 81 };
    expect(state([stranger, leader], { leads: true }, shell)).toBe('gone');
    expect(state([stranger, leader], { leads: false }, shell)).toBe('unknown');
    expect(state([stranger, leader], { leads: true }, gemini)).toBe('unknown');
    expect(state([stranger, { ...job, sid: 80 }], { leads: true }, shell)).toBe('unknown');
    expect(state([stranger, { ...leader, ppid: 30 }], { leads: true }, shell)).toBe('unknown');
    expect(state([stranger, { ...leader, ppid: 29 }], { leads: true }, shell)).toBe('unknown');
    expect(whose({ plants: [stranger, leader], leads: true }, shell).evidence).toBe(
      'its tool shell has lost its parent, which was its agent',
    );
  });

  test('the tool shell of another agent says nothing of this one', () => {
    const both = claimed(toolShell('codex'), toolMark('gemini'));
    expect(state([stranger, { ...job, sid: 81 }], { leads: true }, both)).toBe('unknown');
    expect(state([stranger, { ...job, sid: 81 }], { leads: true }, claimed(toolShell('codex')))).toBe('gone');
  });

  test('a program that is named like it could be it', () => {
    const like = { ...stranger, argv: 'node /opt/gemini-cli-a2a-server/server.mjs' };
    expect(whose({ plants: [like, job] }, gemini).evidence).toBe(
      'process 30 could be its agent by the name of its program',
    );
  });

  test('the agents that could own it were seen, and have all ended', () => {
    const seen = (...couldOwn: readonly SeenAgent[]) => ({ entry: remembered({ agent: 'gemini', couldOwn }) });
    const mark = { agent: 'gemini', pid: 50, startTicks: 5000 } as const;
    const living: Plant = { pid: 50, argv: 'renamed', start: 50 };
    expect(whose({ plants: [stranger, job] }, gemini, seen(mark))).toEqual({
      state: 'gone',
      sinceMs: null,
      evidence: 'every process of its agent that could own it was seen, and has ended',
    });
    expect(state([stranger, living, job], {}, gemini, seen(mark))).toBe('unknown');
    const dead = { ...mark, pid: 51 };
    for (const marks of [[mark], [mark, dead], [dead, mark]])
      expect(
        whose({ plants: [living, job], told: { 50: { claims: [toolMark('gemini')] } } }, gemini, seen(...marks)),
      ).toEqual({
        state: 'unknown',
        evidence: 'an agent that could own it is running',
      });
    expect(state([stranger, { ...living, start: 51 }, job], {}, gemini, seen(mark))).toBe('gone');
    expect(state([stranger, job], {}, gemini, seen({ ...mark, agent: 'codex' }))).toBe('unknown');
    const like = { ...stranger, argv: 'node /opt/gemini-cli-a2a-server/server.mjs' };
    expect(state([like, job], {}, gemini, seen(mark))).toBe('unknown');
  });
});

describe('a terminal of opencode that is gone', () => {
  const serve: Plant = { pid: 40, argv: 'opencode2 serve', start: 60 };
  const mark = claimed(toolMark('opencode', { pid: 33 }));
  const isServer: Readonly<Record<number, Told>> = { 40: { program: 'opencode' } };

  test('a server that could run its commands lives: unknown', () => {
    for (const more of [{ start: 60 }, { start: 80 }, { uid: 1001 }])
      expect(whose({ plants: [{ ...serve, ...more }, job], told: isServer }, mark)).toEqual({
        state: 'unknown',
        evidence: 'process 40 runs the commands of many sessions and could own it',
      });
  });

  test.each<[string, Plant, Told]>([
    ['another agent’s', serve, { program: 'codex' }],
    ['younger than the job', { ...serve, start: 81 }, { program: 'opencode' }],
    ['no server', { ...serve, argv: 'opencode2' }, { program: 'opencode' }],
  ])('what lives is %s: gone', (_what, plant, told) => {
    expect(whose({ plants: [plant, job], told: { 40: told } }, mark).state).toBe('unproved');
  });

  test('it is another agent that has gone: a server of opencode says nothing of that', () => {
    const told = { 40: { program: 'claude-code' } } as const;
    expect(whose({ plants: [serve, job], told }, names(33)).state).toBe('unproved');
  });

  test('it lives after all: alive', () => {
    const told = { ...isServer, 33: { program: 'opencode' } } as const;
    const terminal: Plant = { pid: 33, argv: 'opencode2', start: 50 };
    expect(whose({ plants: [terminal, serve, job], told }, mark).state).toBe('live');
  });
});

describe('a part of a job without a mark', () => {
  const kept = (entry: Cluster['entry']): RootProof => ({ kind: 'ledger', entry: entry ?? remembered() });
  const told = (situation: Situation, entry: ReturnType<typeof remembered>): ShownOwner =>
    whose(situation, kept(entry), { entry });

  test('is its owner’s that was seen', () => {
    expect(told({ plants: [agent, job] }, remembered({ owner: recorded })).state).toBe('live');
  });

  test('has no certain owner while an agent lives that could own it', () => {
    expect(told({ plants: [agent, job] }, remembered()).state).toBe('unknown');
    const match = { session: null, task: null, projectSlug: null };
    const output = { agent: 'claude-code', path: '/tmp/b1.output', match } as const;
    expect(whose({ plants: [agent, job] }, { kind: 'output', output }, { output }).state).toBe('unknown');
  });

  test('is asked for by its session where that is remembered, and else by its agent alone', () => {
    const sessions = [session({ state: 'unknown' }), session({ id: idA, state: 'unknown' })];
    const situation = { plants: [job], directory: { sessions } };
    expect(told(situation, remembered({ session: idA })).state).toBe('unknown');
    expect(told(situation, remembered())).toMatchObject({
      state: 'unproved',
      evidence: 'nothing is left that could be its agent, and nothing proves that its session has ended',
    });
  });

  test('may be of any program that began with it or before it, but of Curfew itself', () => {
    const plants = [job, { ...job, pid: 90, argv: ['node', 'curfew.js', 'scan'] }];
    expect(told({ plants }, remembered()).state).toBe('unknown');
    expect(told({ plants, self: asPid(90) }, remembered()).state).toBe('unproved');
  });

  test('whose parent alone shows an agent, or a rule of the user, has no known owner once that is gone', () => {
    const unknownOwner = { state: 'unknown', evidence: 'nothing tells which session it belongs to' };
    expect(whose({ plants: [job] }, { kind: 'parent', agent: 'aider', ended: null })).toEqual(unknownOwner);
    expect(whose({ plants: [job] }, { kind: 'rule', rule: 'mine' })).toEqual(unknownOwner);
    expect(whose({ plants: [job] }, nameless, { roots: [] })).toEqual(unknownOwner);
  });
});

test('of two answers that mean the same the first is told', () => {
  const shell = toolShell('claude-code').shell;
  const elsewhere: Claim = { agent: 'mux', marker: null, shell: shell && { ...shell, elsewhere: true } };
  const owner = whose({ plants: [job] }, claimed(elsewhere, weakMark('cursor', 'bare')));
  expect(owner).toEqual({ state: 'unknown', evidence: 'its agent runs on another machine' });
});

test('since when it is gone is remembered, and is not said of a living owner', () => {
  const entry = remembered({ owner: recorded, ownerGoneSinceMs: 7000 });
  expect(whose({ plants: [job] }, names(34), { entry })).toMatchObject({ state: 'gone', sinceMs: 7000 });
  expect(whose({ plants: [agent, job] }, names(34), { entry })).not.toHaveProperty('sinceMs');
});
