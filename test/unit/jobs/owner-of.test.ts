import { describe, expect, test } from 'vitest';
import { asAgentSessionId } from '../../../app/agents/common/agent-id.ts';
import type { Claim } from '../../../app/agents/common/claim.ts';
import type { Cluster } from '../../../app/jobs/lineage/cluster.ts';
import type { Owner } from '../../../app/jobs/model/job.ts';
import type { SeenAgent } from '../../../app/jobs/ledger/ledger.ts';
import { lineageOf } from '../../../app/jobs/lineage/lineage.ts';
import { tableViewOf } from '../../../app/jobs/lineage/table-view.ts';
import { ownerOf } from '../../../app/jobs/owner/owner.ts';
import { possibleAgents } from '../../../app/jobs/owner/owner-session.ts';
import type { Root, RootProof } from '../../../app/jobs/lineage/root.ts';
import type { AgentSession, SessionDirectory, UnclearEntry } from '../../../app/jobs/model/session.ts';
import { emptySessionDirectory } from '../../../app/jobs/model/session.ts';
import type { Pid } from '../../../app/process/identity.ts';
import { asPid } from '../../../app/process/identity.ts';
import { machineOf } from './machine.ts';
import type { Plant } from './plant.ts';
import { remembered } from './remembered.ts';
import { toldEvidence, toolMark, toolShell, weakMark, type Told } from './told-evidence.ts';

/** Started at second 50, the job at second 80. */
const agent: Plant = { pid: 34, argv: 'claude', start: 50 };
const recorded = { pid: 34, startTicks: 5000 };
const job: Plant = { pid: 81, argv: 'sleep 9', start: 80 };
const isClaude: Readonly<Record<number, Told>> = { 34: { program: 'claude-code' } };

interface Situation {
  readonly plants: readonly Plant[];
  readonly told?: Readonly<Record<number, Told>>;
  readonly directory?: Partial<SessionDirectory>;
  readonly complete?: boolean;
  /** Curfew's own pid. */
  readonly self?: Pid;
  /** Living processes by the pid that they have in a namespace of their own. */
  readonly inside?: Readonly<Record<number, Pid>>;
  /** The agent starts tool shells as leaders of kernel sessions. */
  readonly leads?: boolean;
}

const lookedAt = ({ plants, told = isClaude, complete = true, self }: Situation) => {
  const table = { ...machineOf(plants).table(), complete, ...(self === undefined ? {} : { self }) };
  const view = tableViewOf(table, toldEvidence(told));
  const rootOf = (pid: Pid, proof: RootProof): Root => {
    const row = table.rows.get(pid);
    if (row === undefined) throw new Error(`process ${pid} was never planted`);
    return { row, proof, lineage: lineageOf(view, row), endsLineage: false };
  };
  return { view, rootOf };
};

/** Whose the job is whose root is process 81. */
const whose = (situation: Situation, proof: RootProof, cluster: Partial<Cluster> = {}): Owner => {
  const { view, rootOf } = lookedAt(situation);
  const directory = { ...emptySessionDirectory, ...situation.directory };
  const agents = [...view.table.rows.values()].flatMap((row) => {
    const { program } = view.profileOf(row);
    return program === null ? [] : [{ agent: program, row }];
  });
  const roots = [rootOf(asPid(81), proof)];
  const possible = possibleAgents(view, roots);
  return ownerOf(
    {
      ...view,
      directory,
      agents,
      possible,
      namedInside: (pid) => situation.inside?.[pid] ?? null,
      leadsToolCalls: () => situation.leads ?? false,
    },
    { roots, entry: null, output: null, ...cluster },
  );
};
const claimed = (claim: Claim, ...others: readonly Claim[]): RootProof => ({ kind: 'claim', claim, others });
const nameless = claimed(toolMark('claude-code'));
const inSession = (session: string): RootProof => claimed(toolMark('claude-code', { session }));
const names = (pid: number): RootProof => claimed(toolMark('claude-code', { pid }));

const session = (more: Partial<AgentSession>): AgentSession => ({
  agent: 'claude-code',
  id: null,
  process: null,
  pid: null,
  state: 'live',
  project: null,
  source: 'sessions/x.json',
  ...more,
});
const [idA, idB] = [asAgentSessionId('a'), asAgentSessionId('b')];

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
    expect(whose({ plants: [agent, job], complete: false }, nameless, { entry }).state).toBe('gone');
    expect(whose({ plants: [job], complete: false }, nameless, { entry }).state).toBe('unknown');
  });

  test('a session without an id is not the one of a job that names none', () => {
    const entry = remembered({ owner: recorded });
    expect(whose({ plants: [job], directory: { sessions: [session({})] } }, nameless, { entry }).state).toBe('gone');
  });
});

describe('what goes on with a session that has lost its process', () => {
  const by = { bootId: machineOf([]).source.bootId, pid: asPid(40), startTicks: 1 };
  const mark = claimed(toolMark('claude-code', { session: 'a', pid: 33 }));
  const taken = { agent: 'claude-code', session: idA, by, evidence: 'its tasks are open' } as const;
  const living = session({ id: idA });

  test.each<[string, Partial<SessionDirectory>, Owner['state']]>([
    ['another process has taken it over', { adoptions: [taken] }, 'live'],
    ['another session was taken over', { adoptions: [{ ...taken, session: idB }] }, 'gone'],
    ['another agent’s session of that name was taken over', { adoptions: [{ ...taken, agent: 'codex' }] }, 'gone'],
    ['it is registered as living', { sessions: [living] }, 'live'],
    ['another agent’s session of that name is', { sessions: [{ ...living, agent: 'codex' }] }, 'gone'],
  ])('%s', (_what, directory, state) => {
    expect(whose({ plants: [job], directory }, mark).state).toBe(state);
  });
});

describe('the process that a mark names', () => {
  test('began in the same tick as the job: alive', () => {
    expect(whose({ plants: [{ ...agent, start: 80 }, job] }, names(34)).state).toBe('live');
  });

  test('is the first process: that was told in another pid namespace', () => {
    expect(whose({ plants: [job] }, names(1)).state).toBe('unknown');
  });

  test('is an agent of another user: alive, because a command can change its user', () => {
    expect(whose({ plants: [{ ...agent, uid: 1001 }, job] }, names(34)).state).toBe('live');
  });

  test('is gone here, and a process in a pid namespace of its own goes by it there: unknown', () => {
    const inside = { 34: asPid(70) };
    expect(whose({ plants: [job] }, names(34)).state).toBe('gone');
    expect(whose({ plants: [job], inside }, names(34)).state).toBe('unknown');
    expect(whose({ plants: [job], inside }, names(35)).state).toBe('gone');
  });

  test('is gone here, and a broker for sandboxes is above the job: unknown', () => {
    const below = { ...job, ppid: 20 };
    const above = (argv: string) => ({ pid: 20, argv, start: 10 });
    expect(whose({ plants: [above('flatpak-session-helper'), below] }, names(34)).state).toBe('unknown');
    expect(whose({ plants: [above('some-subreaper'), below] }, names(34)).state).toBe('gone');
  });

  test('was told in a sandbox: it says nothing of a process here', () => {
    const told = toolMark('claude-code', { pid: 34 });
    const marker = told.marker?.kind === 'tool' ? { ...told.marker, sandboxed: true as const } : told.marker;
    expect(whose({ plants: [job] }, claimed({ ...told, marker })).state).toBe('unknown');
  });
});

describe('a registry of which a part can’t be read', () => {
  const { nowTicks, takenAtMs, ticksPerSecond } = machineOf([job]).table();
  /** The job began at second 80. */
  const begunMs = takenAtMs - ((nowTicks - 8000) / ticksPerSecond) * 1000;
  const entry = { agent: 'claude-code', session: null, changedMs: null, source: 'sessions/7.json' } as const;
  const state = (one: UnclearEntry, proof = claimed(toolMark('claude-code', { session: 'a', pid: 33 }))) =>
    whose({ plants: [job], directory: { unclear: [one] } }, proof).state;

  test('may say that the session goes on, unless it was written before the job began', () => {
    expect(state(entry)).toBe('unknown');
    expect(state({ ...entry, changedMs: begunMs })).toBe('unknown');
    expect(state({ ...entry, changedMs: begunMs - 1 })).toBe('gone');
  });

  test('says nothing of another agent’s sessions, and of another session', () => {
    expect(state({ ...entry, agent: 'codex' })).toBe('gone');
    expect(state({ ...entry, session: idB })).toBe('gone');
    expect(state({ ...entry, session: idA })).toBe('unknown');
    expect(state({ ...entry, session: idB }, names(33))).toBe('unknown');
  });

  test('nor does an agent without an entry, unless it began after the job', () => {
    const resumedBy = (start: number, argv = 'claude') => {
      const { table } = lookedAt({ plants: [{ pid: 40, argv, start }, job] }).view;
      const row = table.rows.get(asPid(40));
      const process = row === undefined ? null : { bootId: table.bootId, pid: row.pid, startTicks: row.startTicks };
      const sessions = [session({ pid: asPid(40), process, state: 'unknown' })];
      return whose(
        { plants: [{ pid: 40, argv, start }, job], directory: { sessions } },
        claimed(toolMark('claude-code', { session: 'a', pid: 33 })),
      ).state;
    };
    expect(resumedBy(79)).toBe('gone');
    expect(resumedBy(80)).toBe('unknown');
    expect(resumedBy(90)).toBe('unknown');
    expect(resumedBy(90, '/opt/claude')).toBe('unknown');
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

  test('a process that isn’t known to be something else could be its agent', () => {
    expect(state([job])).toBe('gone');
    expect(state([stranger, job])).toBe('unknown');
    expect(state([{ ...stranger, uid: 1001 }, job])).toBe('unknown');
    expect(state([{ ...stranger, start: 81 }, job])).toBe('gone');
    expect(state([stranger, job], { told: { 30: { program: 'codex' } } })).toBe('gone');
    expect(state([stranger, job], { told: { 30: { claims: [toolMark('gemini')] } } })).toBe('gone');
  });

  test('a tool shell that was given to an adopter has lost its agent', () => {
    const leader: Plant = { ...job, sid: 81 };
    expect(state([stranger, leader], { leads: true }, shell)).toBe('gone');
    expect(state([stranger, leader], { leads: false }, shell)).toBe('unknown');
    expect(state([stranger, leader], { leads: true }, gemini)).toBe('unknown');
    expect(state([stranger, { ...job, sid: 80 }], { leads: true }, shell)).toBe('unknown');
    expect(state([stranger, { ...leader, ppid: 30 }], { leads: true }, shell)).toBe('unknown');
  });

  test('the agents that could own it were seen, and have all ended', () => {
    const seen = (...couldOwn: readonly SeenAgent[]) => ({ entry: remembered({ agent: 'gemini', couldOwn }) });
    const mark = { agent: 'gemini', pid: 50, startTicks: 5000 } as const;
    const living: Plant = { pid: 50, argv: 'renamed', start: 50 };
    expect(state([stranger, job], {}, gemini, seen(mark))).toBe('gone');
    expect(state([stranger, living, job], {}, gemini, seen(mark))).toBe('unknown');
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
    expect(whose({ plants: [plant, job], told: { 40: told } }, mark).state).toBe('gone');
  });

  test('it is another agent that has gone: a server of opencode says nothing of that', () => {
    const told = { 40: { program: 'claude-code' } } as const;
    expect(whose({ plants: [serve, job], told }, names(33)).state).toBe('gone');
  });

  test('it lives after all: alive', () => {
    const told = { ...isServer, 33: { program: 'opencode' } } as const;
    const terminal: Plant = { pid: 33, argv: 'opencode2', start: 50 };
    expect(whose({ plants: [terminal, serve, job], told }, mark).state).toBe('live');
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
    expect(whose(known, inSession('a'), { entry: project }).state).toBe('gone');
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
    expect(state({ ...unsure, id: idB })).toBe('gone');
    expect(state({ ...unsure, agent: 'codex' })).toBe('gone');
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

describe('a part of a job without a mark', () => {
  const kept = (entry: Cluster['entry']): RootProof => ({ kind: 'ledger', entry: entry ?? remembered() });
  const told = (situation: Situation, entry: ReturnType<typeof remembered>): Owner =>
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
      state: 'gone',
      evidence: 'no process is left that could be its agent',
    });
  });

  test('may be of any program that began with it or before it, but of Curfew itself', () => {
    const plants = [job, { ...job, pid: 90, argv: ['node', 'curfew.js', 'scan'] }];
    expect(told({ plants }, remembered()).state).toBe('unknown');
    expect(told({ plants, self: asPid(90) }, remembered()).state).toBe('gone');
  });

  test('whose parent alone shows an agent, or a rule of the user, has no known owner once that is gone', () => {
    const unknownOwner = { state: 'unknown', evidence: 'nothing tells which session it belongs to' };
    expect(whose({ plants: [job] }, { kind: 'parent', agent: 'aider' })).toEqual(unknownOwner);
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
  const entry = remembered({ ownerGoneSinceMs: 7000 });
  expect(whose({ plants: [job] }, names(34), { entry })).toMatchObject({ state: 'gone', sinceMs: 7000 });
  expect(whose({ plants: [agent, job] }, names(34), { entry })).not.toHaveProperty('sinceMs');
});
