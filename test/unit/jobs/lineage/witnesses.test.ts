import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asCallGroupKey } from '../../../../app/agents/common/call-group.ts';
import type { Claim } from '../../../../app/agents/common/claim.ts';
import { sameClaim } from '../../../../app/jobs/lineage/claims.ts';
import { restartedService } from '../../../../app/jobs/lineage/services.ts';
import type {
  AgentWitness,
  DaemonWitness,
  OpenedWitness,
  ServiceWitness,
  UserWitness,
  Witness,
} from '../../../../app/jobs/lineage/witness.ts';
import { bounded, claimKey } from '../../../../app/jobs/lineage/witness.ts';
import { asPid } from '../../../../app/process/identity.ts';
import { looked, type LookedAt } from '../looked.ts';
import { machineOf } from '../machine.ts';
import type { Plant } from '../plant.ts';
import { toolMark, toolShell, type Told } from '../told-evidence.ts';

const mark = toolMark('codex', { session: 'a' });
const other = toolMark('codex', { session: 'b' });
const marked: Told = { claims: [mark] };
/** Ticks of a look at planted processes. */
const nowTicks = 10_000_000;

const witnessesOf = (plants: readonly Plant[], at: LookedAt): readonly Witness[] => looked(plants, at).witnesses;
const pidsOf = (kind: Witness['kind'], witnesses: readonly Witness[]): readonly number[] =>
  witnesses.filter((one) => one.kind === kind).map(({ pid }) => pid);

describe('an agent', () => {
  const codex: Plant = { pid: 34, argv: 'codex', start: 100 };
  const told = { 34: { program: 'codex', surroundings: { terminal: ['A=1'], unit: '/x' } } } as const;
  const seen: AgentWitness = {
    kind: 'agent',
    pid: 34,
    startTicks: 10_000,
    agent: 'codex',
    terminal: ['A=1'],
    unit: '/x',
    endedTicks: null,
  };

  test('is remembered with where it was started, once, as it was seen first', () => {
    expect(witnessesOf([codex], { told })).toEqual([seen]);
    expect(witnessesOf([codex], { told: { 34: { program: 'codex' } }, witnesses: [seen] })).toEqual([seen]);
    expect(witnessesOf([{ ...codex, state: 'Z' }], { told })).toEqual([]);
  });

  test('that only a link tells, which may have been changed since it began, proves nothing of what is below it', () => {
    const groups = { memory: '/user/me' };
    const of = (more: Told): readonly Witness[] => witnessesOf([codex], { told: { 34: { ...more, groups } } });
    expect(of({ program: 'claude-code' })).toMatchObject([{ callGroup: 'memory:/user/me/claude-code-bash' }]);
    const [one] = of({ program: 'claude-code', relinked: true });
    expect(one).toMatchObject({ kind: 'agent', adopts: true });
    expect(one).not.toHaveProperty('callGroup');
  });

  test('that is not there any more has ended by now, or is only hidden', () => {
    expect(witnessesOf([], { told: {}, witnesses: [seen] })).toEqual([{ ...seen, endedTicks: nowTicks }]);
    expect(witnessesOf([], { told: {}, witnesses: [seen], complete: false })).toEqual([seen]);
    const ended = { ...seen, endedTicks: 20_000 };
    expect(witnessesOf([], { told: {}, witnesses: [ended] })).toEqual([ended]);
  });

  test('is remembered with when it was seen first, where another process of it had ended by then', () => {
    const ended = { ...seen, pid: 30, endedTicks: 20_000 };
    expect(witnessesOf([codex], { told, witnesses: [ended] })).toEqual([ended, { ...seen, followsTicks: nowTicks }]);
    for (const none of [{ ...ended, agent: 'gemini' } as const, { ...ended, endedTicks: null }])
      expect(witnessesOf([codex, { pid: 30, argv: 'x', start: 100 }], { told, witnesses: [none] })).toContainEqual(
        seen,
      );
  });

  test('has ended where another process has its pid, and where only its parent has not noticed', () => {
    const another = witnessesOf([{ ...codex, start: 200 }], { told: {}, witnesses: [seen] });
    expect(another).toEqual([{ ...seen, endedTicks: nowTicks }]);
    expect(witnessesOf([{ ...codex, state: 'Z' }], { told, witnesses: [seen] })).toEqual(another);
  });
});

describe('a program that opens others, with marks of a call', () => {
  const editor: Plant = { pid: 60, argv: 'code .', start: 100 };
  const opens = (...claims: readonly Claim[]): LookedAt['told'] => ({
    60: { claims, opensPrograms: true, isUserProgram: true },
  });
  const seen: OpenedWitness = {
    kind: 'opened',
    pid: 60,
    startTicks: 10_000,
    claims: [claimKey(mark)],
    endedTicks: null,
  };
  const openedOf = (told: LookedAt['told'], before: readonly Witness[] = [], more: Partial<Plant> = {}) =>
    witnessesOf([{ ...editor, sid: 1, ...more }], { told, witnesses: before });

  test('is remembered with them, and with those that it has later as well', () => {
    expect(openedOf(opens(mark))).toEqual([seen]);
    expect(openedOf(opens(mark), [seen])).toEqual([seen]);
    const both = { ...seen, claims: [claimKey(mark), claimKey(other)] };
    expect(openedOf(opens(mark, other), [seen])).toEqual([both]);
    expect(openedOf(opens(other), [seen])).toEqual([both]);
  });

  test('is none where it carries no marks, is an agent, has ended, or opens nothing', () => {
    expect(openedOf(opens())).toEqual([]);
    expect(pidsOf('opened', openedOf({ 60: { claims: [mark], opensPrograms: true, program: 'codex' } }))).toEqual([]);
    expect(openedOf(opens(mark), [], { state: 'Z' })).toEqual([]);
    expect(openedOf({ 60: { claims: [mark] } })).not.toContainEqual(seen);
  });

  test('is none where its marks are those of a tool shell: it is one', () => {
    expect(openedOf(opens(toolShell('codex', { session: 'a' })))).toEqual([]);
  });
});

describe('of the user’s marked processes', () => {
  const user = (more: Partial<UserWitness> = {}): UserWitness => ({
    kind: 'user',
    pid: 90,
    startTicks: 20_000,
    sid: 80,
    ...more,
  });
  const living: Plant = { pid: 90, sid: 80, pgid: 80, argv: 'node bot.js', start: 200 };
  const shell: Plant = { pid: 60, sid: 60, argv: 'bash', start: 100 };
  const plants: readonly Plant[] = [
    shell,
    { pid: 61, ppid: 60, pgid: 61, argv: 'make', start: 110 },
    { pid: 62, ppid: 61, pgid: 61, argv: 'cc', start: 120 },
    { pid: 63, ppid: 61, sid: 63, argv: 'setsid x', start: 130 },
    { pid: 64, ppid: 61, sid: 70, pgid: 70, argv: 'left', start: 140 },
    { pid: 65, ppid: 64, sid: 70, pgid: 70, argv: 'its child', start: 150 },
    { pid: 66, ppid: 60, pgid: 60, argv: 'exec', start: 160 },
    { pid: 67, ppid: 61, pgid: 67, argv: 'a pipe', start: 170 },
  ];
  const told: LookedAt['told'] = {
    60: { isUserProgram: true, claims: [mark] },
    ...Object.fromEntries([61, 62, 63, 64, 65, 66, 67].map((pid) => [pid, marked])),
  };

  test('those are remembered by which the rest is known: the topmost, the leaders, one in each session', () => {
    expect(pidsOf('user', witnessesOf(plants, { told }))).toEqual([60, 61, 63, 64, 66, 67]);
  });

  test('the topmost is one of which the parent is hidden', () => {
    expect(
      pidsOf('user', witnessesOf([{ ...living, ppid: 59 }], { told: { 90: marked }, witnesses: [user()] })),
    ).toEqual([90]);
  });

  test('one is remembered by its identity and its kernel session', () => {
    expect(witnessesOf(plants.slice(0, 2), { told }).filter(({ kind }) => kind === 'user')).toEqual([
      { kind: 'user', pid: 60, startTicks: 10_000, sid: 60 },
      { kind: 'user', pid: 61, startTicks: 11_000, sid: 60 },
    ]);
  });

  test('a program that leads no session, has no marks, is an agent or has ended is not remembered', () => {
    const alone = (more: Partial<Plant>, of: Told) =>
      pidsOf('user', witnessesOf([{ ...shell, ...more }], { told: { 60: of } }));
    const its: Told = { isUserProgram: true, claims: [mark] };
    expect(alone({}, its)).toEqual([60]);
    expect(alone({ sid: 59 }, its)).toEqual([]);
    expect(alone({}, { isUserProgram: true })).toEqual([]);
    expect(alone({}, { ...its, program: 'codex' })).toEqual([]);
    expect(alone({}, marked)).toEqual([]);
    expect(alone({ state: 'Z' }, its)).toEqual([]);
  });

  test('one that was known stays the user’s also in a kernel session of its own, and is no job', () => {
    const moved = looked([{ ...living, sid: 90, pgid: 90 }], { told: { 90: marked }, witnesses: [user()] });
    expect(moved.drafts).toEqual([]);
    expect(moved.witnesses).toEqual([user({ sid: 90 })]);
    expect(looked([{ ...living, sid: 90, pgid: 90 }], { told: { 90: marked } }).drafts).toHaveLength(1);
  });

  test('one that was known stays known while it runs a program in which the user works', () => {
    const vim: Told = { isUserProgram: true, claims: [mark] };
    expect(witnessesOf([living], { told: { 90: vim }, witnesses: [user()] })).toEqual([user()]);
  });

  test('one that has ended is remembered as long as one of the user’s is in its kernel session', () => {
    const dead = user({ pid: 70, startTicks: 5 });
    const still = witnessesOf([living], { told: { 90: marked }, witnesses: [dead] });
    expect(pidsOf('user', still)).toEqual([70, 90]);
    expect(witnessesOf([{ ...living, sid: 81, pgid: 81 }], { told: { 90: marked }, witnesses: [dead] })).toEqual([]);
    expect(witnessesOf([{ ...living, state: 'Z' }], { told: { 90: marked }, witnesses: [dead, user()] })).toEqual([]);
  });

  test('a session that can not be told holds none together', () => {
    const dead = user({ pid: 70, startTicks: 5, sid: 0 });
    const inside = { ...living, sid: 0, pgid: 0 };
    expect(looked([inside], { told: { 90: marked }, witnesses: [dead] })).toMatchObject({
      witnesses: [],
      drafts: [{ root: { pid: 90 } }],
    });
    expect(
      pidsOf('user', witnessesOf([inside], { told: { 90: marked }, witnesses: [dead, user({ sid: 0 })] })),
    ).toEqual([90]);
  });

  test('another process with the pid of one is not the user’s', () => {
    const reused = looked([{ ...living, sid: 90, pgid: 90, start: 201 }], {
      told: { 90: marked },
      witnesses: [user()],
    });
    expect(reused.drafts).toHaveLength(1);
    expect(reused.witnesses).toEqual([]);
  });
});

describe('a doubtful process', () => {
  const typed: Plant = { pid: 90, sid: 80, pgid: 90, argv: 'node bot.js', start: 200 };
  const seen: Witness = { kind: 'doubtful', pid: 90, startTicks: 20_000, sid: 80 };
  const told = { 90: marked };

  test('is remembered, with the kernel session in which it was first', () => {
    expect(witnessesOf([typed], { told })).toEqual([seen]);
    expect(witnessesOf([typed], { told, witnesses: [seen] })).toEqual([seen]);
    expect(witnessesOf([{ ...typed, sid: 90 }], { told, witnesses: [seen] })).toEqual([seen]);
  });

  test('is remembered as long as it lives, though it is no job now', () => {
    expect(witnessesOf([typed], { told: {}, witnesses: [seen] })).toEqual([seen]);
  });

  test('that has ended is remembered as long as another of its kernel session is doubted', () => {
    const dead: Witness = { kind: 'doubtful', pid: 70, startTicks: 5, sid: 80 };
    expect(pidsOf('doubtful', witnessesOf([typed], { told, witnesses: [dead] }))).toEqual([70, 90]);
    expect(witnessesOf([], { told: {}, witnesses: [dead] })).toEqual([]);
    expect(pidsOf('doubtful', witnessesOf([typed], { told, witnesses: [{ ...dead, sid: 81 }] }))).toEqual([90]);
    expect(witnessesOf([{ ...typed, start: 201 }], { told: {}, witnesses: [seen] })).toEqual([]);
  });

  test('that has ended in a session that can not be told is forgotten', () => {
    const dead: Witness = { kind: 'doubtful', pid: 70, startTicks: 5, sid: 0 };
    const inside: Plant = { ...typed, sid: 0, pgid: 0 };
    const again: Witness = { ...seen, sid: 0 };
    expect(witnessesOf([inside], { told, witnesses: [dead, again] })).toEqual([again]);
  });

  test('makes no witness of another kind doubtful or the user’s, nor the other way round', () => {
    const ended: AgentWitness = {
      kind: 'agent',
      pid: 34,
      startTicks: 1,
      agent: 'codex',
      terminal: [],
      unit: null,
      endedTicks: null,
    };
    expect(witnessesOf([typed], { told: {}, witnesses: [ended, seen] })).toEqual([
      { ...ended, endedTicks: nowTicks },
      seen,
    ]);
  });
});

test('two claims have one key exactly where they say the same', () => {
  const claim = fc
    .record({
      agent: fc.constantFrom('codex', 'claude-code'),
      session: fc.constantFrom('a', 'b', null),
      pid: fc.constantFrom(34, 35, null),
    })
    .map(({ agent, session, pid }) =>
      toolMark(agent, { ...(session === null ? {} : { session }), ...(pid === null ? {} : { pid }) }),
    );
  fc.assert(
    fc.property(claim, claim, (left, right) => {
      expect(claimKey(left) === claimKey(right)).toBe(sameClaim(left, right));
    }),
  );
});

test('of more than 1,024 of one kind the youngest are remembered, and all of the others', () => {
  const doubtful = Array.from({ length: 1025 }, (_, at): Witness => ({
    kind: 'doubtful',
    pid: at + 2,
    startTicks: (at * 7) % 1025,
    sid: 0,
  }));
  const user: Witness = { kind: 'user', pid: 1, startTicks: -1, sid: 0 };
  const kept = bounded([user, ...doubtful]);
  expect(kept).toHaveLength(1025);
  expect(kept).toContain(user);
  expect(kept).not.toContain(doubtful.find(({ startTicks }) => startTicks === 0));
  expect(bounded(doubtful.slice(0, 1024))).toHaveLength(1024);
});

// Any process can start programs without end; those of the user's must not be pushed out by them.
describe('what spares programs of the user beyond the limit', () => {
  const group = asCallGroupKey('memory:/user/me/claude-code-bash');
  const many = <One extends Witness>(make: (at: number) => One): readonly One[] =>
    Array.from({ length: 1030 }, (_, at) => make(at));
  const opened = (at: number, more: Partial<OpenedWitness> = {}): OpenedWitness => ({
    kind: 'opened',
    pid: at + 2,
    startTicks: 100 + at,
    claims: [],
    callGroup: group,
    endedTicks: 2000 + at,
    ...more,
  });

  test('goes on in one that spares as much: programs in a control group of tool calls, and daemons there', () => {
    const standIn = { startTicks: 100, callGroup: group, endedTicks: 2005 };
    const kept = bounded(many((at) => opened(at)));
    expect(kept).toHaveLength(1025);
    expect(kept.at(-1)).toMatchObject({ kind: 'opened', ...standIn });
    const daemons = many((at): DaemonWitness => ({ ...opened(at), kind: 'daemon', callGroup: group, sid: 7 }));
    expect(bounded(daemons).at(-1)).toMatchObject({ kind: 'daemon', ...standIn, sid: 0 });
    expect(bounded(kept)).toEqual(kept);
  });

  test('goes on until the look that no longer sees the last of those that lived', () => {
    const kept = bounded(many((at) => opened(at, at === 3 ? { endedTicks: null } : {})));
    expect(kept.at(-1)).toMatchObject({ kind: 'opened', endedTicks: null });
    const later = witnessesOf([], { told: {}, witnesses: kept }).find(({ startTicks }) => startTicks === 100);
    expect(later).toMatchObject({ kind: 'opened', callGroup: group, endedTicks: nowTicks });
  });

  test('is one for each control group, and none for programs outside of them', () => {
    const elsewhere = asCallGroupKey('memory:/user/you/claude-code-bash');
    const two = bounded(many((at) => opened(at, at % 2 === 0 ? { callGroup: elsewhere } : {}))).slice(1024);
    expect(two.map((one) => (one.kind === 'opened' ? one.callGroup : null))).toEqual([group, elsewhere]);
    expect(new Set(two.map(({ pid }) => pid)).size).toBe(2);
    const outside = many((at): OpenedWitness => {
      const { callGroup: _, ...one } = opened(at);
      return one;
    });
    expect(bounded(outside)).toHaveLength(1024);
  });

  test('goes on for the ports of the user’s services, whatever program listens there again', () => {
    const services = many((at): ServiceWitness => ({
      kind: 'service',
      pid: at + 2,
      startTicks: 100 + at,
      command: 'c',
      ports: [3000 + at],
    }));
    const kept = bounded(services);
    const row = machineOf([{ pid: 90, argv: 'next dev', start: 90_000 }])
      .table()
      .rows.get(asPid(90));
    if (row === undefined) throw new Error('It was planted.');
    const restarted = (port: number) => restartedService([{ row, by: [] }], new Map([[90, { ports: [port] }]]), kept);
    expect(restarted(3000)).toBe('restarted-service 90 3000');
    expect(restarted(3900)).toBeNull();
  });
});
