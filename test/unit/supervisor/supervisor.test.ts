import { describe, expect, test } from 'vitest';
import { asAgentSessionId } from '../../../app/agents/common/agent-id.ts';
import type { Plant } from '../jobs/plant.ts';
import { claudeShell, sessionA, sessionB } from '../jobs/plant.ts';
import { env, orphan, run, runToNotice, withClock } from './run-supervisor.ts';

withClock();

describe('the loop', () => {
  test('an orphan is announced, reaped at its second sighting after the notice, and nothing before', async () => {
    const one = await runToNotice(...orphan);
    expect(one.noticed).toEqual(['orphaned']);
    await one.pass(1);
    expect(one.stage.signals).toEqual([]);
    await one.pass(6);
    expect(one.ended.map(({ outcome, decidedBy }) => [outcome, decidedBy])).toEqual([['reaped', 'rule']]);
    expect(one.stage.machine.planted(70)).toBeUndefined();
  });

  test('while something else is reaped, looks come close together and still are no second sighting', async () => {
    const one = run(...orphan);
    one.stage.settings = { ...one.stage.settings, noticeSeconds: 0 };
    one.stage.deaf.add(70);
    await one.pass(11);
    one.stage.machine.start({ pid: 100, start: 99_100, sid: 100, argv: claudeShell('sleep 12'), env });
    await one.pass(3);
    expect(one.looks).toBeGreaterThan(3);
    expect(one.stage.signals.filter((signal) => signal.endsWith(' 100'))).toEqual([]);
    await one.pass(6);
    expect(one.stage.signals.filter((signal) => signal.endsWith(' 100'))).toHaveLength(1);
  });

  test('observing, or unset, nothing is signalled', async () => {
    for (const mode of ['observe', null] as const) {
      const one = run(...orphan);
      one.stage.settings = { ...one.stage.settings, mode };
      await one.pass(30);
      expect(one.stage.signals).toEqual([]);
      expect(one.noticed).toEqual(['orphaned']);
    }
  });

  test('nothing can be recorded: nothing is reaped, the user is told once; when it can again it is', async () => {
    const one = await runToNotice(...orphan);
    one.journalProblem = new Error('the disk is full');
    await one.pass(30);
    expect(one.stage.signals).toEqual([]);
    expect(one.problems).toEqual([one.journalProblem]);
    one.journalProblem = null;
    await one.pass(10);
    expect(one.ended).toHaveLength(1);
  });

  test('a look that fails is told, concludes nothing, and the next one comes', async () => {
    const one = run(...orphan);
    one.lookFails = true;
    await one.pass(12);
    expect(one.looks).toBe(0);
    expect(one.problems.length).toBeGreaterThan(1);
    one.lookFails = false;
    await one.pass(72);
    expect(one.ended).toHaveLength(1);
  });

  test('a look that fails in the middle of a reaping: nothing is killed until one succeeds', async () => {
    const one = await runToNotice(...orphan);
    one.stage.deaf.add(70);
    await one.pass(6);
    one.lookFails = true;
    await one.pass(30);
    expect(one.stage.signals.filter((signal) => signal.includes('KILL'))).toEqual([]);
    one.lookFails = false;
    await one.pass(5);
    expect(one.ended.map(({ outcome }) => outcome)).toEqual(['killed']);
  });

  test('what can’t be ended is tried again after a minute, then two, not at every look', async () => {
    const one = await runToNotice(...orphan);
    one.stage.deaf.add(70);
    one.stage.unkillable.add(70);
    await one.pass(300);
    expect(one.ended.map(({ outcome }) => outcome)).toEqual(['survived', 'survived', 'survived']);
  });
});

describe('its end', () => {
  test('with nothing in progress it ends at once, however often it is told', async () => {
    const one = run();
    await one.pass(1);
    await expect(Promise.all([one.supervisor.stop(), one.supervisor.stop()])).resolves.toBeDefined();
    const { looks } = one;
    await one.pass(30);
    expect(one.looks).toBe(looks);
  });

  test('in the middle of a reaping it sees that one to its end and begins no other', async () => {
    const one = await runToNotice(...orphan);
    one.stage.deaf.add(70);
    await one.pass(6);
    one.stage.machine.start({ pid: 100, start: 99_100, sid: 100, argv: claudeShell('sleep 12'), env });
    let stopped = 0;
    const stops = [one.supervisor.stop(), one.supervisor.stop()].map(async (stop) => stop.then(() => (stopped += 1)));
    await one.pass(5);
    expect(stopped).toBe(0);
    await one.pass(10);
    await Promise.all(stops);
    expect(one.ended.map(({ outcome }) => outcome)).toEqual(['killed']);
    expect(one.stage.machine.planted(100)).toBeDefined();
  });

  test('when the machine can’t be looked at any more it ends all the same, and leaves the record open', async () => {
    const one = await runToNotice(...orphan);
    one.stage.deaf.add(70);
    await one.pass(6);
    one.lookFails = true;
    const stop = one.supervisor.stop();
    await one.pass(60);
    await expect(stop).resolves.toBeUndefined();
    expect(one.stage.journal.events.map(({ kind }) => kind)).not.toContain('ended');
    expect(one.stage.signals.filter((signal) => signal.includes('KILL'))).toEqual([]);
  });
});

test('a task of a living session: told that it is overdue, told again when it falls silent, and reaped when that notice is over', async () => {
  const one = run(
    { pid: 34, start: 90_000, argv: 'claude' },
    { pid: 69, start: 98_195, ppid: 34, sid: 69, argv: claudeShell('sleep 9'), env },
  );
  await one.pass(290);
  expect(one.noticed).toEqual(['overdue']);
  await one.pass(30);
  expect(one.noticed).toEqual(['overdue', 'overdue']);
  expect(one.stage.signals).toEqual([]);
  await one.pass(60);
  expect(one.ended.map(({ outcome }) => outcome)).toEqual(['reaped']);
});

describe('a session tells through its hooks', () => {
  const agent: Plant = { pid: 34, start: 90_000, argv: 'claude' };
  const young: Plant = { pid: 69, start: 99_990, ppid: 34, sid: 69, argv: claudeShell('sleep 9 &'), env };
  const id = asAgentSessionId(sessionA);

  test('is looked at at once, and only then', async () => {
    const one = run(agent);
    await one.pass(1);
    const { looks } = one;
    await one.pass(1);
    expect(one.looks).toBe(looks);
    one.news();
    await one.pass(0.1);
    expect(one.looks).toBe(looks + 1);
  });

  test('that it ends: what it left is ended by the word of its hook, however young', async () => {
    const one = run(agent, young);
    one.stage.ended = [{ agent: 'claude-code', id, atMs: one.stage.machine.table().takenAtMs }];
    await one.pass(10);
    expect(one.stage.signals).toEqual([]);
    one.stage.machine.end(34);
    one.stage.machine.change(69, { ppid: 1 });
    await one.pass(3);
    expect(one.stage.signals).toEqual([]);
    await one.pass(6);
    expect(one.ended.map(({ outcome, decidedBy }) => [outcome, decidedBy])).toEqual([['reaped', 'hook']]);
  });

  test('that it ends, and a successor shows up before its jobs were confirmed: nothing is ended', async () => {
    const one = run(agent, young, { pid: 40, start: 99_995, argv: 'claude bg-spare' });
    one.stage.ended = [{ agent: 'claude-code', id, atMs: one.stage.machine.table().takenAtMs }];
    one.stage.machine.end(34);
    one.stage.machine.change(69, { ppid: 1 });
    await one.pass(4);
    one.stage.adopt(sessionA, 40);
    await one.pass(60);
    expect(one.stage.signals).toEqual([]);
  });

  test('that it ends says nothing of another session, nor of one that was put off', async () => {
    const other = run({ ...young, ppid: 1 });
    other.stage.ended = [
      { agent: 'claude-code', id: asAgentSessionId(sessionB), atMs: other.stage.machine.table().takenAtMs },
    ];
    await other.pass(60);
    expect(other.stage.signals).toEqual([]);
    const kept = run({ ...young, ppid: 1 });
    kept.stage.settings = {
      ...kept.stage.settings,
      exemptions: [{ command: 'sleep 9*', createdAt: '2026-11-21T00:00:00Z' }],
    };
    kept.stage.ended = [{ agent: 'claude-code', id, atMs: kept.stage.machine.table().takenAtMs }];
    await kept.pass(60);
    expect(kept.stage.signals).toEqual([]);
  });
});

test('told early of what keeps it, a task is not ended any sooner: it is told of its end with all the time that a notice gives', async () => {
  const plants: readonly Plant[] = [
    { pid: 34, start: 90_000, argv: 'claude' },
    { pid: 69, start: 99_000, ppid: 34, sid: 69, argv: claudeShell('sleep 9'), env },
  ];
  const child: Plant = { pid: 70, start: 99_001, ppid: 69, argv: 'sleep 1', state: 'T' };
  const plain = run(...plants);
  const stuck = run(...plants, child);
  await stuck.pass(10);
  await plain.pass(10);
  expect([plain.noticed, stuck.noticed]).toEqual([[], ['within']]);
  // The limit comes closer while both are silent: a job that is announced for the first time has
  // the notice before them.
  for (const one of [plain, stuck]) {
    await one.pass(300);
    one.stage.settings = { ...one.stage.settings, backgroundMaxElapsedSeconds: 1200 };
    await one.pass(50);
  }
  expect([plain, stuck].map((one) => one.ended)).toEqual([[], []]);
  expect([plain.noticed, stuck.noticed]).toEqual([['overdue'], ['within', 'overdue']]);
  for (const one of [plain, stuck]) await one.pass(30);
  expect([plain, stuck].map((one) => one.ended.map(({ outcome }) => outcome))).toEqual([['reaped'], ['reaped']]);
});
