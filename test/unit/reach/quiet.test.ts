import { expect, test } from 'vitest';
import type { Idle } from '../../../app/model/reach.ts';
import { asPid } from '../../../app/process/identity.ts';
import { isQuietFor, quietOf } from '../../../app/reach/quiet.ts';
import { jobOf, nowMs } from '../judge/job-builder.ts';

const agentWith = (idle: Idle) => ({ agent: 'claude-code' as const, pid: asPid(9), idle });
const idleFor = (seconds: number): Idle => ({
  state: 'idle',
  sinceMs: nowMs - seconds * 1000,
  by: 'status',
  told: true,
  watched: true,
  dueSeconds: null,
});

test('nothing is at work since the latest of all that was', () => {
  const quiet = quietOf({
    agents: [agentWith(idleFor(7200)), agentWith(idleFor(1900))],
    jobs: [jobOf(9000, { silentSeconds: 3600 })],
    nowMs,
  });
  expect(quiet).toEqual({ sinceMs: nowMs - 1_900_000, atWork: [] });
  expect([isQuietFor(quiet, 1800, nowMs), isQuietFor(quiet, 2000, nowMs)]).toEqual([true, false]);
});

test('what is in use, spins, is not known, or was not watched yet is at work', () => {
  const busy: readonly Idle[] = [
    { state: 'unknown' },
    { state: 'in-use', why: 'answer', sinceMs: nowMs - 9e6 },
    { ...idleFor(9000), state: 'spinning' } as Idle,
  ];
  for (const idle of busy) {
    const quiet = quietOf({ agents: [agentWith(idle)], jobs: [], nowMs });
    expect([idle.state, quiet.sinceMs, quiet.atWork]).toEqual([
      idle.state,
      null,
      [{ what: 'agent', agent: 'claude-code', pid: 9 }],
    ]);
    expect(isQuietFor(quiet, 0, nowMs)).toBe(false);
  }
  const job = jobOf(9000, { silentSeconds: 0 });
  expect(quietOf({ agents: [], jobs: [job], nowMs }).atWork).toEqual([{ what: 'job', agent: job.agent, job: job.id }]);
});

test('a server of a session is no work of its own, and where nothing is nothing is at work', () => {
  const server = jobOf(9000, { silentSeconds: 0, kind: 'server' });
  expect(quietOf({ agents: [agentWith(idleFor(60))], jobs: [server], nowMs }).atWork).toEqual([]);
  const none = quietOf({ agents: [], jobs: [], nowMs });
  expect(none).toEqual({ sinceMs: null, atWork: [] });
  expect(isQuietFor(none, 1800, nowMs)).toBe(true);
});
