import { describe, expect, test } from 'vitest';
import type { AgentWitness } from '../../../../app/jobs/lineage/witness.ts';
import { safest, unknown, unproved, gone } from '../../../../app/jobs/owner/answers.ts';
import { asPid } from '../../../../app/process/identity.ts';
import type { Plant } from '../plant.ts';
import { remembered } from '../remembered.ts';
import { toolMark } from '../told-evidence.ts';
import { agent, claimed, idA, job, names, recorded, session, whose, type Situation } from '../whose.ts';

/** The job begins at tick 8000. */
const seen: AgentWitness = {
  kind: 'agent',
  agent: 'claude-code',
  pid: 34,
  startTicks: 5000,
  terminal: null,
  unit: null,
  endedTicks: 9000,
};
const mark = claimed(toolMark('claude-code', { session: 'a', pid: 34 }));
const state = (more: Partial<Situation> = {}, entry = remembered(), proof = mark) =>
  whose({ plants: [job], ...more }, proof, { entry }).state;

describe('an agent that a look saw under the pid that marks name', () => {
  const by = (...witnesses: readonly AgentWitness[]) => state({ witnesses });

  test('proves an end, unless it began with the job or after it, or had ended by then', () => {
    expect(by(seen)).toBe('gone');
    expect([7999, 8000, 8001].map((startTicks) => by({ ...seen, startTicks }))).toEqual([
      'gone',
      'unproved',
      'unproved',
    ]);
    expect([7999, 8000, 8001].map((endedTicks) => by({ ...seen, endedTicks }))).toEqual([
      'unproved',
      'unproved',
      'gone',
    ]);
  });

  test('proves none where it is another agent, another pid, or one of two, or is a pid of another namespace, too', () => {
    expect(by({ ...seen, agent: 'codex' })).toBe('unproved');
    expect(by({ ...seen, pid: 35 })).toBe('unproved');
    expect(by(seen, { ...seen, startTicks: 6000 })).toBe('unproved');
    expect(state({ witnesses: [seen], inside: { 34: asPid(70) } })).toBe('unknown');
  });

  test('proves one whatever has that pid in a namespace since: pids come round quickly there', () => {
    const inside = { 34: asPid(70) };
    const plants = (start: number) => [job, { pid: 70, argv: 'sleep 9', start }];
    expect(state({ plants: plants(81), witnesses: [seen], inside })).toBe('gone');
    expect(state({ plants: plants(79), witnesses: [seen], inside })).toBe('unknown');
  });
});

describe('of two processes of one session', () => {
  const owned = remembered({ owner: recorded });

  test('the end of the one that was seen proves nothing while another is recorded and not proved dead', () => {
    expect(state({}, owned)).toBe('gone');
    for (const [recordedState, expected] of [
      ['live', 'live'],
      ['unknown', 'unknown'],
      ['gone', 'gone'],
    ] as const) {
      const sessions = [session({ id: idA, pid: asPid(40), state: recordedState })];
      expect([recordedState, state({ directory: { sessions } }, owned)]).toEqual([recordedState, expected]);
    }
  });

  test('a claimant that lives is the owner, and its end only takes it off the list', () => {
    const claim = { agent: 'claude-code', pid: 40, startTicks: 6000, claims: true } as const;
    const other: Plant = { pid: 40, argv: 'something', start: 60 };
    const entry = remembered({ couldOwn: [claim] });
    expect(state({ plants: [other, job] }, entry)).toBe('live');
    expect(state({}, entry)).toBe('unproved');
    expect(state({ plants: [{ ...other, start: 61 }, job] }, entry)).toBe('unproved');
  });

  test('an end that a hook or a file without a start tells proves nothing', () => {
    const ended = session({ id: idA, pid: asPid(34), state: 'gone' });
    expect(state({ directory: { sessions: [ended] } })).toBe('gone');
    expect(state({ directory: { sessions: [{ ...ended, claimant: true }] } })).toBe('unproved');
  });

  test('where all that a session was recorded with has ended, no stranger can have it, and nothing proves its end', () => {
    const stranger: Plant = { pid: 40, argv: 'node server.js', start: 10 };
    const unnamed = claimed(toolMark('claude-code', { session: 'a' }));
    const of = (...sessions: readonly ReturnType<typeof session>[]) =>
      state({ plants: [stranger, job], directory: { sessions } }, remembered(), unnamed);
    const lock = session({ id: idA, pid: asPid(34), state: 'gone', claimant: true });
    expect(of(lock)).toBe('unproved');
    expect(of()).toBe('unknown');
    expect(of({ ...lock, pid: null })).toBe('unknown');
    expect(of(lock, { ...lock, pid: asPid(40), state: 'unknown' })).toBe('unknown');
  });

  test('an old agent that no user can reach does not shield the leftovers of later sessions', () => {
    const told = { 50: { program: 'claude-code' } } as const;
    const plants = [{ pid: 50, argv: 'claude', start: 10 }, job];
    expect(state({ plants, told }, owned)).toBe('unknown');
    expect(state({ plants, told, cannotOwn: ({ pid }) => Number(pid) === 50 }, owned)).toBe('gone');
  });
});

describe('an agent that names no session', () => {
  const gemini = { told: { 50: { program: 'gemini' } }, plants: [{ pid: 50, argv: 'x', start: 90 }, job] } as const;
  const entry = remembered({ agent: 'gemini', owner: recorded });
  const other: AgentWitness = { ...seen, agent: 'gemini', pid: 50, startTicks: 9000, endedTicks: null };
  const beside = (...witnesses: readonly AgentWitness[]) =>
    state({ ...gemini, witnesses: [{ ...seen, agent: 'gemini' }, ...witnesses] }, entry, claimed(toolMark('gemini')));

  test('may go on in a process that no look saw beside the one that has ended', () => {
    expect(beside()).toBe('unknown');
    expect(beside({ ...other, followsTicks: 9000 })).toBe('unknown');
    expect(beside({ ...other, followsTicks: 8999 })).toBe('gone');
    expect(beside(other)).toBe('gone');
  });

  test('may go on where so many agents were seen that the one that has ended may be forgotten', () => {
    const others = (count: number): readonly AgentWitness[] =>
      Array.from({ length: count }, (_, at) => ({ ...seen, agent: 'aider', pid: 100 + at }));
    const forgotten = (count: number) =>
      state({ ...gemini, witnesses: [other, ...others(count)] }, entry, claimed(toolMark('gemini')));
    expect(forgotten(1022)).toBe('gone');
    expect(forgotten(1023)).toBe('unknown');
  });

  test('is not gone by the end of all that could own a job, where so many could that not all are remembered', () => {
    const could = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ agent: 'gemini', pid: 100 + at, startTicks: 1 }) as const);
    const of = (count: number) =>
      state({ plants: [job] }, remembered({ agent: 'gemini', couldOwn: could(count) }), claimed(toolMark('gemini')));
    expect(of(63)).toBe('gone');
    expect(of(64)).toBe('unproved');
  });
});

describe('a program that could be the agent by its name', () => {
  const claim = (name?: string) => claimed(toolMark('codex', name === undefined ? {} : { session: name }));
  const entry = remembered({ agent: 'codex', owner: recorded });
  const argv = '/opt/codex-nightly/bin/codex-nightly';
  const nightly: Plant = { pid: 50, argv, start: 90 };
  const of = (plant: Plant, name?: string, more: Partial<Situation> = {}, known = entry) =>
    state({ plants: [plant, job], told: {}, ...more }, known, claim(name));

  test('may go on with the session of one that has ended: a newer one, or any where sessions have names', () => {
    expect([of(nightly), of(nightly, 'a')]).toEqual(['unknown', 'unknown']);
    const older = { ...nightly, start: 10 };
    expect([of(older), of(older, 'a')]).toEqual(['gone', 'unknown']);
    expect(of({ ...nightly, argv: 'something' }, 'a')).toBe('gone');
  });

  test('may not where it runs no session, is a helper of an agent or a part of the job, or a registry tells', () => {
    expect(of({ ...nightly, argv: `${argv} mcp` }, 'a')).toBe('gone');
    const gemini: Plant = { pid: 60, argv: 'gemini', start: 10 };
    const below = { plants: [gemini, { ...nightly, ppid: 60 }, job], told: { 60: { program: 'gemini' } } } as const;
    expect(of(nightly, 'a', below)).toBe('gone');
    expect(of(nightly, 'a', {}, { ...entry, members: [{ pid: 50, startTicks: 9000 }] })).toBe('gone');
    expect(of(nightly, 'a', { directory: { completeFor: new Set(['codex'] as const) } })).toBe('gone');
  });
});

test('what stood between an agent and a job may be the agent, until it has ended or is known as a part of the job', () => {
  const starter = { agent: 'claude-code', pid: 50, startTicks: 6000, starts: true } as const;
  const entry = remembered({ owner: recorded, couldOwn: [starter] });
  const plants = [{ pid: 50, argv: 'node main.js', start: 60 }, job];
  expect(state({ plants }, entry)).toBe('unknown');
  expect(state({ plants }, { ...entry, members: [{ pid: 50, startTicks: 6000 }] })).toBe('gone');
  expect(state({}, entry)).toBe('gone');
});

describe('an agent within a session', () => {
  const within = (pid: number, more: Partial<Plant> = {}): Plant => ({ pid, argv: 'x', start: 70, ...more });
  const owned = remembered({ owner: recorded });
  const marks = [toolMark('claude-code', { session: 'a', pid: 34 })];

  test('could own what carries the marks of the session around it, whatever agent it is, by its program or its name', () => {
    expect(state({ plants: [within(60), job], told: { 60: { program: 'crush', claims: marks } } }, owned)).toBe(
      'unknown',
    );
    const adapter = within(60, { argv: '/opt/codex-acp' });
    expect(state({ plants: [adapter, job], told: { 60: { claims: marks } } }, owned)).toBe('unknown');
    expect(state({ plants: [within(60), job], told: { 60: { claims: marks } } }, owned)).toBe('gone');
  });

  test('could not where it has other marks or none, or began after the job', () => {
    const others = [toolMark('claude-code', { session: 'b', pid: 34 })];
    expect(state({ plants: [within(60), job], told: { 60: { program: 'crush', claims: others } } }, owned)).toBe(
      'gone',
    );
    expect(state({ plants: [within(60), job], told: { 60: { program: 'crush' } } }, owned)).toBe('gone');
    const later = within(60, { start: 81 });
    expect(state({ plants: [later, job], told: { 60: { program: 'crush', claims: marks } } }, owned)).toBe('gone');
  });
});

test('an agent that also goes by its pid in another namespace is the owner, and its end proves nothing', () => {
  const owner = whose({ plants: [agent, job], inside: { 34: asPid(70) } }, names(34));
  expect(owner).toMatchObject({ state: 'live', claimant: true });
  expect(whose({ plants: [agent, job] }, names(34))).not.toHaveProperty('claimant');
});

test('of several answers the one counts under which the fewest processes are ended', () => {
  expect(safest([gone('a'), unproved('b')], '')).toEqual(unproved('b'));
  expect(safest([unproved('b'), unknown('c')], '')).toEqual(unknown('c'));
  expect(safest([unknown('c'), gone('a')], '')).toEqual(unknown('c'));
  expect(safest([], 'none')).toEqual(unknown('none'));
});
