import { describe, expect, test, vi } from 'vitest';
import { asJobId, type JobId } from '../../../app/model/job.ts';
import type { EndResult } from '../../../main/ending/end.ts';
import type { Plant } from '../jobs/plant.ts';
import { claudeShell } from '../jobs/plant.ts';
import { env, orphan, run, runToNotice, withClock, type Run } from './run-supervisor.ts';

withClock();

const only = ({ supervisor }: Run): JobId => {
  const [id] = [...(supervisor.latest?.jobs.keys() ?? [])];
  if (id === undefined) throw new Error('no job was seen');
  return id;
};

/** One that looked once, in the mode observe: nothing is ended by itself. */
const observing = async (...plants: readonly Plant[]): Promise<Run> => {
  const one = run(...plants);
  one.stage.settings = { ...one.stage.settings, mode: 'observe' };
  await one.pass(1);
  return one;
};

/** Asks for the end, and lets its look be made: no other clock goes on meanwhile. */
const reap = async ({ supervisor }: Run, id: JobId): Promise<EndResult> => {
  const came = supervisor.reap(id);
  // A rejection is the caller's.
  came.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(20);
  return came;
};

describe('the user says Reap', () => {
  test('at the second sighting, which is right now, it is recorded and asked to end', async () => {
    const one = await observing(...orphan);
    const before = one.looks;
    expect(await reap(one, only(one))).toMatchObject({ kind: 'begun', incident: one.stage.journal.intents[0]?.id });
    expect(one.looks).toBe(before + 1);
    expect(one.stage.journal.intents[0]).toMatchObject({ decidedBy: 'person' });
    expect(one.stage.signals).toContain('group TERM 69');
    await one.pass(2);
    expect(one.ended.map(({ outcome }) => outcome)).toEqual(['reaped']);
  });

  test('a crowd is signalled at a look of its own after its record, so that others come between', async () => {
    const children = Array.from({ length: 60 }, (_, index): Plant => ({
      pid: 100 + index,
      start: 99_002 + index,
      ppid: 69,
      argv: `sleep ${index}`,
      env,
    }));
    const one = await observing(...orphan, ...children);
    const before = one.looks;
    expect(await reap(one, only(one))).toMatchObject({ kind: 'begun' });
    expect(one.stage.journal.intents).toHaveLength(1);
    expect(one.stage.signals).toEqual([]);
    await one.pass(1);
    expect(one.looks).toBeGreaterThan(before + 1);
    expect(one.stage.signals.filter((signal) => signal.includes('TERM'))).not.toEqual([]);
    await one.pass(2);
    expect(one.ended.map(({ outcome }) => outcome)).toEqual(['reaped']);
  });

  test('several asked for together share one look, and each says why it was not taken up', async () => {
    const one = await observing(...orphan);
    const id = only(one);
    const before = one.looks;
    const all = one.supervisor.reapAll([id, asJobId('abcd')]);
    await vi.advanceTimersByTimeAsync(20);
    expect([...(await all).values()]).toEqual([null, { kind: 'not-found' }]);
    expect(one.looks).toBe(before + 1);
  });

  test('while it is being ended: busy', async () => {
    const one = await observing(...orphan);
    one.stage.deaf.add(70);
    const id = only(one);
    await reap(one, id);
    expect(await reap(one, id)).toEqual({ kind: 'busy' });
    expect(one.stage.signals.filter((signal) => signal.endsWith(' 70'))).toHaveLength(1);
    await one.pass(15);
    expect(one.ended).toHaveLength(1);
  });

  test('gone, never there, or never seen before: nothing is signalled', async () => {
    const one = await observing(...orphan);
    const id = only(one);
    expect(await reap(one, asJobId('abcd'))).toEqual({ kind: 'not-found' });
    one.stage.machine.start({ pid: 100, start: 99_100, sid: 100, argv: claudeShell('sleep 12'), env });
    const newcomer = [...one.stage.observer.look().jobs.keys()].find((job) => job !== id);
    expect(await reap(one, newcomer ?? id)).toEqual({ kind: 'changed' });
    one.stage.machine.end(69);
    one.stage.machine.end(70);
    expect(await reap(one, id)).toEqual({ kind: 'not-found' });
    expect(one.stage.signals).toEqual([]);
  });

  test('another root than at the sighting before: nothing is signalled', async () => {
    const one = await observing(...orphan);
    one.stage.machine.end(69);
    expect(await reap(one, only(one))).toEqual({ kind: 'changed' });
    expect(one.stage.signals).toEqual([]);
  });

  test('what can’t be recorded isn’t done', async () => {
    const one = await observing(...orphan);
    one.journalProblem = new Error('the disk is full');
    expect(await reap(one, only(one))).toEqual({ kind: 'unrecordable', problem: one.journalProblem });
    one.journalProblem = null;
    one.stage.journal.broken = 'intent';
    expect(await reap(one, only(one))).toMatchObject({ kind: 'failed' });
    expect(one.stage.signals).toEqual([]);
    expect(one.stage.reaper.inProgress).toEqual([]);
  });

  test('a look that fails throws, and nothing is done', async () => {
    const one = await observing(...orphan);
    one.lookFails = true;
    await expect(reap(one, only(one))).rejects.toThrow('does not answer');
    one.lookFails = false;
    await one.pass(10);
    expect(one.stage.signals).toEqual([]);
  });

  test('while Curfew ends nothing new is taken up', async () => {
    const one = await observing(...orphan);
    const id = only(one);
    await one.supervisor.stop();
    expect(await reap(one, id)).toEqual({ kind: 'stopping' });
  });
});

describe('End now', () => {
  test('what is left is killed at once, and the record says first that a user wanted it', async () => {
    const one = await observing(...orphan);
    one.stage.deaf.add(70);
    const came = await reap(one, only(one));
    const incident = came.kind === 'begun' ? came.incident : '';
    expect(one.supervisor.endGrace('another')).toBe(false);
    expect(one.supervisor.endGrace(incident)).toBe(true);
    expect(one.stage.signals.at(-1)).toContain('KILL 70');
    expect(one.stage.journal.events.map(({ kind }) => kind)).toEqual(['signal', 'note', 'signal']);
    await one.pass(1);
    expect(one.ended.map(({ outcome }) => outcome)).toEqual(['killed']);
    expect(one.supervisor.endGrace(incident)).toBe(false);
  });

  test('what can’t be recorded isn’t done: the grace goes on', async () => {
    const one = await observing(...orphan);
    one.stage.deaf.add(70);
    const came = await reap(one, only(one));
    one.stage.journal.broken = 'events';
    expect(() => one.supervisor.endGrace(came.kind === 'begun' ? came.incident : '')).toThrow('full');
    await one.pass(2);
    expect(one.stage.signals.filter((signal) => signal.includes('KILL'))).toEqual([]);
    one.stage.journal.broken = 'nothing';
    await one.pass(15);
    expect(one.ended.map(({ outcome }) => outcome)).toEqual(['killed']);
  });
});

describe('paused', () => {
  test('it looks, and ends and tells nothing; resumed, everything is announced and seen twice anew', async () => {
    const one = run(...orphan);
    await one.pass(50);
    one.stage.paused = true;
    await one.pass(60);
    expect(one.looks).toBeGreaterThan(5);
    expect(one.stage.signals).toEqual([]);
    expect(one.noticed).toEqual(['orphaned']);
    one.stage.paused = false;
    one.supervisor.lookNow();
    expect(one.noticed).toEqual(['orphaned', 'orphaned']);
    await one.pass(60);
    expect(one.stage.signals).toEqual([]);
    await one.pass(8);
    expect(one.ended.map(({ decidedBy }) => decidedBy)).toEqual(['rule']);
  });

  test('what a rule began is stopped, what a user began goes on', async () => {
    for (const decidedBy of ['rule', 'person'] as const) {
      const one = decidedBy === 'rule' ? await runToNotice(...orphan) : run(...orphan);
      one.stage.deaf.add(70);
      if (decidedBy === 'rule') await one.pass(6);
      else {
        await one.pass(1);
        await reap(one, only(one));
      }
      expect(one.stage.reaper.inProgress).toHaveLength(1);
      one.stage.paused = true;
      await one.pass(15);
      expect(one.ended.map(({ outcome }) => outcome)).toEqual([decidedBy === 'rule' ? 'survived' : 'killed']);
      await one.supervisor.stop();
    }
  });
});

test('who asks for a look while told of one gets it, and the beats go on as before', async () => {
  const one = await observing(...orphan);
  await one.pass(20);
  const before = one.looks;
  await one.pass(60);
  const usual = one.looks - before;
  one.onLooked = () => {
    one.onLooked = () => undefined;
    one.supervisor.lookNow();
  };
  await one.pass(10);
  const after = one.looks;
  await one.pass(60);
  expect(one.looks - after).toBeLessThanOrEqual(usual + 1);
});
