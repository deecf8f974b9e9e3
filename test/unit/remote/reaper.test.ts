import { describe, expect, test } from 'vitest';
import type { Incident } from '../../../app/history/incident.ts';
import { HostFailure } from '../../../main/remote/host-failure.ts';
import { RemoteReaper } from '../../../main/remote/reaper.ts';
import type { RemoteOrder, RemoteResult } from '../../../main/remote/answers/signals.ts';
import { planFor } from '../../../main/reaping/plan.ts';
import { claudeEnvironment, claudeShell } from '../jobs/plant.ts';
import { Stage } from '../supervisor/stage.ts';

const env = claudeEnvironment({ pid: 34 });

/**
 * A machine on which a job of two groups ends while the signals are on their way; what the answer
 * tells of them is up to the test.
 */
const reapWhatEnds = async (
  answer: (orders: readonly RemoteOrder[]) => readonly RemoteResult[],
  { paused, decidedBy }: { readonly paused: boolean; readonly decidedBy: 'person' | 'hook' } = {
    paused: false,
    decidedBy: 'person',
  },
): Promise<Incident> => {
  const stage = new Stage(
    { pid: 69, start: 99_000, sid: 69, argv: claudeShell('sleep 9'), env },
    { pid: 85, start: 99_003, ppid: 69, sid: 85, argv: 'sleep 10', env },
  );
  const look = stage.observer.look();
  const judged = [...look.jobs.values()][0];
  if (judged === undefined) throw new Error('nothing was found');
  const reaper = new RemoteReaper({
    host: {
      host: 'web1',
      look: async () => stage.observer.look(),
      signal: async (orders) => {
        for (const pid of [69, 85]) stage.machine.end(pid);
        const results = answer(orders);
        const told = results.length === orders.length;
        return { results, broken: told ? null : new HostFailure('web1', { code: 'other', detail: 'it broke off' }) };
      },
      output: async () => null,
      portsInUse: () => new Set(),
    },
    journal: stage.journal,
    now: () => stage.wallMs,
    writer: { pid: 999, startTicks: 1 },
    isRunning: () => false,
    paused: () => paused,
  });
  const order = { job: judged.job.id, decidedBy, plan: planFor(judged.job, stage.settings) };
  const reaping = reaper.start(order, { ...judged, verdict: { ...judged.verdict, action: 'reap' } }, look);
  await reaper.over(judged.job.id);
  if (reaping?.came?.kind !== 'ended') throw new Error('it was given up');
  return reaping.came.incident;
};

const gone = (pid: number): RemoteResult => ({ to: 'process', pid, result: 'gone' });

describe('a job on another machine that has ended by the next look', () => {
  test('was ended by another hand, where every signal is known to have come too late', async () => {
    const incident = await reapWhatEnds(() => [gone(69), gone(85)]);
    expect(incident).toMatchObject({ outcome: 'vanished', freed: { processes: 0 } });
  });

  test('was ended by Curfew, where a signal may have been heard and the machine broke off before it could say so', async () => {
    const incident = await reapWhatEnds(() => [gone(69)]);
    expect(incident).toMatchObject({ outcome: 'reaped', freed: { processes: 2 } });
  });
});

test('a job on another machine is spared where the user pauses Curfew after its end was begun by itself', async () => {
  const asked: RemoteOrder[] = [];
  const noted = (orders: readonly RemoteOrder[]) => {
    asked.push(...orders);
    return [gone(69), gone(85)];
  };
  const incident = await reapWhatEnds(noted, { paused: true, decidedBy: 'hook' });
  expect([incident.outcome, asked]).toEqual(['spared', []]);
  await reapWhatEnds(noted, { paused: true, decidedBy: 'person' });
  expect(asked).not.toEqual([]);
});
