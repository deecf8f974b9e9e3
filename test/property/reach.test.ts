import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentEnds, AgentWork, StandardEnd } from '../../app/model/reach.ts';
import { asPid } from '../../app/process/identity.ts';
import { canEnd, mayEndByItself } from '../../app/reach/units.ts';
import { judgeAgent } from '../../app/reach/ending.ts';
import { proofOf } from '../../app/reach/reach.ts';
import { endRefused, sayReach } from '../../app/text/reach.ts';
import { agent, reachWith, remembered, tableOf } from '../unit/reach/table.ts';
import { rowOf } from '../unit/judge/job-builder.ts';
import { job, judgeContext, settings } from './arbitraries.ts';

const end: fc.Arbitrary<StandardEnd> = fc.oneof(
  fc.record({ kind: fc.constant('terminal' as const), state: fc.constantFrom('hung-up', 'held'), number: fc.nat(9) }),
  fc.record({
    kind: fc.constant('channel' as const),
    far: fc.constantFrom('open', 'closed'),
    target: fc.constantFrom('pipe:[7]', 'socket:[8]', null),
    side: fc.constantFrom('read', 'write', 'both'),
  }),
  fc.constantFrom<StandardEnd>({ kind: 'null' }, { kind: 'file' }, { kind: 'unknown', why: 'unread' }),
);
const ends: fc.Arbitrary<AgentEnds> = fc.record({
  input: end,
  output: end,
  tty: fc.constantFrom(0, 34_819),
  foreground: fc.constantFrom(-1, 40, 50),
  ioBytes: fc.constantFrom(0, null),
});
const work = fc.constantFrom<AgentWork | null>(null, 'command', 'transcript', 'remote-control', 'connection');
const moment = fc.option(fc.integer({ min: 0, max: 1_006_000 }));
const others = [rowOf(30, ['tmux: server']), rowOf(60, ['sleep', '7']), rowOf(51, ['node'], { ppid: agent.pid })];

const anyReach = fc
  .record({
    ends: fc.option(ends),
    work,
    isService: fc.boolean(),
    holders: fc.option(fc.subarray([30, 60, 51, 1])),
    hasClient: fc.boolean(),
    seconds: fc.integer({ min: 0, max: 9000 }),
    workTicks: moment,
    busyTicks: moment,
  })
  .map(({ holders, seconds, workTicks, busyTicks, hasClient, ...asked }) => {
    const proof = asked.ends === null ? 'other' : proofOf(asked.ends);
    const reach = reachWith({
      ...asked,
      table: tableOf([agent, ...others]),
      holdersOf: () => holders?.map(asPid) ?? null,
      hasClient: () => hasClient,
      memory: proof === 'other' ? null : remembered(proof, seconds, { workTicks, busyTicks }),
    });
    return { reach, proof, seconds, workTicks, busyTicks, asked };
  });

test('an agent ends by itself only with a proof, and after 15 minutes in which nothing was seen of it', () => {
  fc.assert(
    fc.property(anyReach, ({ reach, proof, seconds, workTicks, busyTicks, asked }) => {
      if (!mayEndByItself(reach)) return;
      expect(proof).not.toBe('other');
      expect(asked.work).toBeNull();
      expect(seconds).toBeGreaterThanOrEqual(900);
      for (const ticks of [workTicks, busyTicks]) expect(ticks ?? 0).toBeLessThanOrEqual(1_000_000 - 90_000);
    }),
    { numRuns: 3000 },
  );
});

test('whatever can’t be ended is refused with a sentence, and what can is not', () => {
  fc.assert(
    fc.property(anyReach, fc.option(fc.constant('claude stop 1')), ({ reach }, own) => {
      expect(endRefused(reach, own) === null).toBe(canEnd(reach));
      expect(sayReach(reach)).not.toMatch(/undefined|NaN|^$/u);
    }),
    { numRuns: 2000 },
  );
});

test('the verdict about an agent is to end it only where the user chose that, was told, and nothing protects it', () => {
  fc.assert(
    fc.property(job, anyReach, settings, judgeContext, (someJob, { reach }, all, context) => {
      const verdict = judgeAgent({ ...someJob, reach }, reach, all, context);
      expect(verdict.reasons.length).toBeGreaterThan(0);
      if (verdict.action !== 'reap') return;
      expect(all).toMatchObject({ unreachableAgents: 'end', mode: 'enforce' });
      expect(mayEndByItself(reach)).toBe(true);
      expect(context.vetoes).toEqual([]);
      expect(someJob.announcedSeconds).toBeGreaterThanOrEqual(all.noticeSeconds);
    }),
    { numRuns: 3000 },
  );
});
