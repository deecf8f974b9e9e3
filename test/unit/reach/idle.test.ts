import { describe, expect, test } from 'vitest';
import { type IdleInput, idleOf } from '../../../app/reach/idle.ts';
import { endsByItself } from '../../../app/reach/ending.ts';
import { idleSaid, resumeSaid } from '../../../app/text/reach.ts';
import { resumeOf } from '../../../app/agents/names.ts';
import { inEnglish } from '../../../app/text/say.ts';
import { sessionsOf, togetherOf } from '../../../app/reach/units.ts';
import type { AgentSession } from '../../../app/model/session.ts';
import { asPid } from '../../../app/process/identity.ts';
import { identityOf } from '../../../app/process/table.ts';
import { rowOf } from '../judge/job-builder.ts';
import { remembered, tableOf } from './table.ts';

const table = tableOf([]);
const ago = (seconds: number): number => table.takenAtMs - seconds * 1000;
const day = 86_400;

/** An agent that has said for two days that it is idle, watched for as long. */
const resting = (more: Partial<IdleInput> = {}): IdleInput => ({
  table,
  session: { status: 'idle', statusAtMs: ago(2 * day) },
  transcriptMs: ago(3 * day),
  startedMs: ago(5 * day),
  terminalMs: ago(2 * day + 8),
  memory: remembered('other', 2 * day),
  stopped: false,
  commands: 'none',
  wakes: () => false,
  turn: () => null,
  team: () => null,
  isConnected: () => true,
  ...more,
});

describe('since when an agent is idle', () => {
  test('the latest sign counts', () => {
    expect(idleOf(resting())).toMatchObject({ state: 'idle', by: 'status', sinceMs: ago(2 * day), told: true });
    expect(idleOf(resting({ terminalMs: ago(day) }))).toMatchObject({ state: 'idle', by: 'terminal' });
    expect(idleOf(resting({ transcriptMs: ago(1000) }))).toMatchObject({ state: 'idle', by: 'transcript' });
    expect(idleOf(resting({ transcriptMs: ago(100) }))).toMatchObject({ state: 'in-use', why: 'lately' });
  });

  test('bytes that a watch saw it move are a sign', () => {
    const memory = { ...remembered('other', 2 * day), workTicks: table.nowTicks - 2000 * table.ticksPerSecond };
    expect(idleOf(resting({ memory }))).toMatchObject({ state: 'idle', by: 'watched', sinceMs: ago(2000) });
  });

  for (const [name, more, why] of [
    ['waits for an approval', { session: { status: 'answer', statusAtMs: ago(2 * day) } }, 'answer'],
    ['has a background job at work', { commands: 'working' }, 'command'],
    ['says that only a command of it runs', { session: { status: 'command', statusAtMs: ago(2 * day) } }, 'command'],
    ['can be used from elsewhere', { session: { status: 'idle', remote: true } }, 'remote-control'],
    ['has a scheduled wake-up', { wakes: () => true }, 'wake-up'],
    ['says that it is busy', { session: { status: 'busy', statusAtMs: ago(2 * day) } }, 'busy'],
    ['says what is not known', { session: { status: 'other', statusAtMs: ago(2 * day) } }, 'busy'],
  ] as const satisfies readonly (readonly [string, Partial<IdleInput>, string])[])
    test(`one that ${name} is in use, however long`, () => {
      expect(idleOf(resting(more))).toMatchObject({ state: 'in-use', why });
    });

  test('a terminal alone tells nothing of an agent that no look has watched', () => {
    const unknown = { session: null, transcriptMs: null, memory: null };
    expect(idleOf(resting(unknown))).toEqual({ state: 'unknown' });
    expect(idleOf(resting({ ...unknown, memory: remembered('other', 1000) }))).toMatchObject({ state: 'idle' });
  });

  test('a resumed transcript is no older than its process, where nothing else tells', () => {
    const resumed = { session: null, startedMs: ago(60), memory: null };
    expect(idleOf(resting(resumed))).toMatchObject({ state: 'in-use', why: 'lately' });
  });

  test('one whose turns have all ended is idle whatever its log takes, and not where one is open', () => {
    const memory = { ...remembered('other', 2 * day), workTicks: table.nowTicks };
    const ended: Partial<IdleInput> = {
      session: {},
      transcriptMs: ago(2 * day),
      terminalMs: null,
      memory,
      turn: () => 'ended',
      isConnected: () => false,
    };
    expect(idleOf(resting(ended))).toMatchObject({ state: 'idle', by: 'transcript', told: true });
    expect(idleOf(resting({ ...ended, isConnected: () => true }))).toMatchObject({ why: 'lately' });
    expect(idleOf(resting({ ...ended, turn: () => null }))).toMatchObject({ why: 'lately' });
    expect(idleOf(resting({ ...ended, turn: () => 'open' }))).toMatchObject({ why: 'lately' });
    expect(idleOf(resting({ ...ended, transcriptMs: ago(60) }))).toMatchObject({ why: 'lately' });
    expect(idleOf(resting({ ...ended, commands: 'working' }))).toMatchObject({ why: 'command' });
    expect(idleOf(resting({ ...ended, memory: remembered('other', 2 * day), turn: () => 'open' }))).toMatchObject({
      state: 'in-use',
      why: 'busy',
    });
  });

  test('a teammate is in use while its team says so, and else idle by its terminal', () => {
    const mate: Partial<IdleInput> = { session: {}, transcriptMs: null, terminalMs: ago(3600), memory: null };
    expect(idleOf(resting(mate))).toEqual({ state: 'unknown' });
    expect(idleOf(resting({ ...mate, team: () => 'open' }))).toMatchObject({ state: 'in-use', why: 'busy' });
    expect(idleOf(resting({ ...mate, team: () => 'ended' }))).toMatchObject({ state: 'idle', by: 'terminal' });
    expect(idleOf(resting({ ...mate, terminalMs: null, team: () => 'ended' }))).toEqual({ state: 'unknown' });
  });

  test('one that its user stopped, and one that only computes, are named so', () => {
    const busy = { session: { status: 'busy', statusAtMs: ago(2 * day) } } as const;
    expect(idleOf(resting({ ...busy, stopped: true }))).toMatchObject({ state: 'suspended' });
    const memory = { ...remembered('other', 2 * day), busyTicks: table.nowTicks - table.ticksPerSecond };
    expect(idleOf(resting({ memory }))).toMatchObject({ state: 'spinning' });
    const young = { ...remembered('other', 100), busyTicks: table.nowTicks - table.ticksPerSecond };
    expect(idleOf(resting({ memory: young }))).toMatchObject({ state: 'in-use', why: 'busy' });
  });
});

describe('what may end an idle agent by itself', () => {
  const dueAfter = (more: Partial<IdleInput>, idleAgentDays: number): boolean => {
    const idle = idleOf(resting(more));
    if (idle.state === 'in-use' || idle.state === 'unknown') return false;
    return endsByItself({ state: 'idle', idle, resume: null }, { unreachableAgents: 'end', idleAgentDays });
  };

  test('only days that the user chose, all of them watched', () => {
    expect(dueAfter({}, 0)).toBe(false);
    expect(dueAfter({}, 2)).toBe(true);
    expect(dueAfter({}, 3)).toBe(false);
    expect(dueAfter({ memory: remembered('other', day) }, 2)).toBe(false);
    expect(dueAfter({ memory: null }, 1)).toBe(false);
  });

  for (const [name, more] of [
    ['of which nothing tells its status', { session: { statusAtMs: ago(2 * day) } }],
    ['that its user stopped', { stopped: true }],
    ['that has a silent command', { commands: 'silent' }],
    ['of which it is not known whether it wakes', { wakes: () => null }],
  ] as const satisfies readonly (readonly [string, Partial<IdleInput>])[])
    test(`never one ${name}`, () => {
      expect(dueAfter(more, 1)).toBe(false);
    });
});

test('what is said of it names the sign, what is not known, and the way back', () => {
  expect(inEnglish(idleSaid(idleOf(resting()), table.takenAtMs))).toBe('idle for 2 d, by its own status');
  expect(inEnglish(idleSaid(idleOf(resting({ memory: null })), table.takenAtMs))).toContain('while Curfew watches');
  const untold = idleOf(resting({ session: null, terminalMs: null }));
  expect(inEnglish(idleSaid(untold, table.takenAtMs))).toContain('whether it waits for an answer');
  expect(inEnglish(resumeSaid(resumeOf('codex', 'abc')))).toBe('Its session goes on with: codex resume abc');
  expect(inEnglish(resumeSaid(resumeOf('aider', 'abc')))).toBe('No command is known that resumes its session.');
  expect(resumeOf('claude-code', null)).toBeNull();
});

describe('the sessions of an agent', () => {
  const top = rowOf(50, ['codex', 'app-server']);
  const session = (more: Partial<AgentSession> = {}): AgentSession => ({
    agent: 'codex',
    id: null,
    process: identityOf(table, top),
    pid: top.pid,
    state: 'live',
    project: null,
    source: 'registry',
    ...more,
  });
  const found = (...sessions: readonly AgentSession[]) => sessionsOf({ agent: 'codex', top, parts: [top] }, sessions);

  test('are those of its process and program alone, a registry before hooks', () => {
    const own = session();
    const earlier = identityOf(table, rowOf(50, ['codex'], { startTicks: top.startTicks - 1 }));
    expect(found(session({ agent: 'claude-code' }), session({ pid: asPid(51) }), own)).toEqual([own]);
    expect(found(session({ process: null, state: 'gone' }), session({ process: earlier }), own)).toEqual([own]);
    const hooked = session({ claimant: true });
    expect(found(hooked, own)).toEqual([own]);
    expect(found(hooked)).toEqual([hooked]);
  });

  test('are idle only together, since the last of them', () => {
    const idle = { status: 'idle', statusAtMs: 1 } as const;
    expect(togetherOf([])).toBeNull();
    expect(togetherOf([idle, { status: 'idle', statusAtMs: 2 }])).toEqual({ status: 'idle', statusAtMs: 2 });
    for (const status of ['answer', 'command', 'busy', 'other'] as const)
      expect(togetherOf([idle, { status }])).toEqual({ status, statusAtMs: 1 });
    expect(togetherOf([idle, { remote: true }])).toEqual({ statusAtMs: 1, remote: true });
  });
});
