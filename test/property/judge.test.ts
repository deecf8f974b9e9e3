import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimed, type Witnessed } from '../../app/model/proof.ts';
import { judge } from '../../app/judge/judge.ts';
import { vetoesOf } from '../../app/judge/vetoes/vetoes-of.ts';
import type { Verdict, VerdictAction } from '../../app/judge/verdict.ts';
import { asPid } from '../../app/process/identity.ts';
import { sayReason } from '../../app/text/reasons.ts';
import { aroundMs, exemption, facts, job, judgeContext, row, settings } from './arbitraries.ts';

const runs = { numRuns: 2000 };
/** none < notify < reap. */
const severity: Readonly<Record<VerdictAction, number>> = { none: 0, notify: 1, reap: 2 };
const enforcing = settings.map((all) => ({ ...all, mode: 'enforce' as const }));
const unprotected = judgeContext.map((context) => ({ ...context, vetoes: [] }));

const witnessed: Witnessed = { kind: 'look', agent: 'claude-code', process: null, atMs: aroundMs };

describe('the judge', () => {
  test('always answers, completely: every reason has a sentence, and the next moment is no past one', () => {
    fc.assert(
      fc.property(job, settings, judgeContext, (someJob, all, context) => {
        const { reasons, atMs } = judge(someJob, all, context);
        expect(reasons.length).toBeGreaterThan(1);
        for (const reason of reasons) expect(sayReason(reason)).not.toMatch(/undefined|^$/u);
        expect(atMs === null || atMs >= context.nowMs).toBe(true);
      }),
      runs,
    );
  });

  test('a veto always wins over reap', () => {
    fc.assert(
      fc.property(job, settings, judgeContext, (someJob, all, context) => {
        fc.pre(context.vetoes.length > 0);
        const { state, action } = judge(someJob, all, context);
        expect(state).toBe('protected');
        expect(action).not.toBe('reap');
      }),
      runs,
    );
  });

  test('a longer age never gives a milder verdict', () => {
    fc.assert(
      fc.property(job, settings, judgeContext, fc.nat(100_000), fc.nat(100_000), (someJob, all, context, age, more) => {
        const at = (ageSeconds: number): Verdict => judge({ ...someJob, ageSeconds }, all, context);
        expect(severity[at(age + more).action]).toBeGreaterThanOrEqual(severity[at(age).action]);
      }),
      { numRuns: 5000 },
    );
  });

  test('nor at the very edge of any limit', () => {
    const edges = fc.constantFrom(
      'backgroundMaxElapsedSeconds' as const,
      'backgroundMaxElapsedSecondsHardCap' as const,
      'orphanGraceSeconds' as const,
    );
    fc.assert(
      fc.property(
        job,
        settings,
        judgeContext,
        edges,
        fc.constantFrom(0, 1, 2),
        (someJob, all, context, edge, before) => {
          const limit = all[edge] / (before === 2 ? 2 : 1) - (before === 1 ? all.noticeSeconds : 0);
          const actions = [limit - 0.001, limit, limit + 0.001].map(
            (ageSeconds) => severity[judge({ ...someJob, ageSeconds }, all, context).action],
          );
          expect(actions).toEqual(actions.toSorted((left, right) => left - right));
        },
      ),
      { numRuns: 5000 },
    );
  });

  test('a job that only marks name is never reaped, at no age, but by the user’s command for what is probably left over', () => {
    fc.assert(
      fc.property(job, enforcing, unprotected, fc.nat(1e6), (someJob, all, context, ageSeconds) => {
        const { state, action, announces } = judge({ ...someJob, proof: claimed, ageSeconds }, all, context);
        expect([action === 'reap', announces === true]).toEqual([false, false]);
        expect(['within', 'overdue', 'probable', 'kept']).toContain(state);
      }),
      { numRuns: 5000 },
    );
  });

  test('the user’s command for it ends nothing that a living session could own', () => {
    fc.assert(
      fc.property(job, enforcing, unprotected, fc.nat(1e6), (someJob, all, context, ageSeconds) => {
        const terms = { kind: 'command' as const, minAgeSeconds: 0, endsProbable: true as const };
        const { state, action } = judge({ ...someJob, proof: claimed, ageSeconds }, all, { ...context, terms });
        fc.pre(action === 'reap');
        expect(state).toBe('probable');
        expect(someJob.owner).toMatchObject(someJob.owner.state === 'gone' ? {} : { state: 'unknown', noneLeft: true });
      }),
      { numRuns: 5000 },
    );
  });

  test('an unknown owner is never reaped below the hard cap', () => {
    fc.assert(
      fc.property(
        job,
        settings,
        judgeContext,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (someJob, all, context, part) => {
          const ageSeconds = all.backgroundMaxElapsedSecondsHardCap * part;
          fc.pre(ageSeconds < all.backgroundMaxElapsedSecondsHardCap);
          const unknown = { ...someJob, ageSeconds, owner: { state: 'unknown' as const, evidence: '' } };
          expect(judge(unknown, all, context).action).not.toBe('reap');
        },
      ),
      runs,
    );
  });

  test('nothing but observing weakens the hard cap of a witnessed job: no exemption, keep, choice or figure of the job', () => {
    fc.assert(
      fc.property(
        job,
        enforcing,
        unprotected,
        fc.nat(100_000),
        fc.array(exemption),
        (someJob, all, context, more, exemptions) => {
          const ageSeconds = all.backgroundMaxElapsedSecondsHardCap + more;
          const announcedSeconds = all.noticeSeconds;
          const past = { ...someJob, proof: witnessed, ageSeconds, announcedSeconds };
          const { state, action } = judge(past, { ...all, exemptions }, context);
          expect(`${state} ${action}`).toBe('past-cap reap');
        },
      ),
      runs,
    );
  });

  test('observing, nothing is ever reaped, and the state is the same as enforcing', () => {
    const observing = fc.constantFrom('observe' as const, null);
    fc.assert(
      fc.property(job, enforcing, observing, judgeContext, (someJob, all, mode, context) => {
        const observed = judge(someJob, { ...all, mode }, context);
        const enforced = judge(someJob, all, context);
        expect(observed.state).toBe(enforced.state);
        expect(observed.action).toBe(enforced.action === 'reap' ? 'notify' : enforced.action);
      }),
      runs,
    );
  });

  test('a living owner’s job is not reaped below the hard cap where the settings end none such, nor a service at all', () => {
    const silences = fc.nat(20_000);
    fc.assert(
      fc.property(job, enforcing, unprotected, silences, (someJob, all, context, silentSeconds) => {
        const owner = { state: 'live' as const, process: null, evidence: '' };
        const ageSeconds = (all.backgroundMaxElapsedSeconds + all.backgroundMaxElapsedSecondsHardCap) / 2;
        const live = { ...someJob, owner, ageSeconds, silentSeconds };
        const { state, action } = judge(live, all, context);
        const mayEnd = live.kind === 'task' && live.holds.ports.length === 0 && all.atMaxElapsed !== 'notify';
        expect(state === 'past-cap' || action !== 'reap' || mayEnd).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  test('nothing is reaped whose end was not announced a whole notice before, but by the word of its session or of the user', () => {
    fc.assert(
      fc.property(job, enforcing, judgeContext, (someJob, all, { terms: _none, ...context }) => {
        const { action } = judge(someJob, all, context);
        fc.pre(action === 'reap');
        expect(someJob.announcedSeconds).toBeGreaterThanOrEqual(all.noticeSeconds);
      }),
      { numRuns: 5000 },
    );
  });

  test('an announced end comes no sooner than the rest of its notice', () => {
    fc.assert(
      fc.property(job, enforcing, judgeContext, (someJob, all, context) => {
        const { announces, action, atMs } = judge(someJob, all, context);
        fc.pre(announces === true);
        const restMs = Math.max(0, all.noticeSeconds - (someJob.announcedSeconds ?? 0)) * 1000;
        expect(action).toBe('notify');
        expect(atMs).toBeGreaterThanOrEqual(Math.floor(context.nowMs + restMs));
      }),
      { numRuns: 5000 },
    );
  });

  test('an orphan whose session ended a moment ago is not reaped before its grace, however old it is', () => {
    fc.assert(
      fc.property(
        job,
        enforcing,
        judgeContext,
        fc.nat(700),
        (someJob, all, { terms: _none, ...context }, goneSeconds) => {
          fc.pre(goneSeconds < all.orphanGraceSeconds);
          const owner = { state: 'gone' as const, sinceMs: null, evidence: '' };
          const { state, action } = judge({ ...someJob, owner, goneSeconds }, all, context);
          expect(state === 'past-cap' || action !== 'reap').toBe(true);
        },
      ),
      { numRuns: 5000 },
    );
  });

  test('a diagnosis never ends anything: the same jobs are reaped with it or without it, and its notice announces no end', () => {
    fc.assert(
      fc.property(job, enforcing, judgeContext, (someJob, all, context) => {
        const stuck = { ...someJob, diagnoses: [{ code: 'polling' as const, figures: {} }] };
        const without = judge({ ...someJob, diagnoses: [] }, all, context);
        const diagnosed = judge(stuck, all, context);
        expect([diagnosed.state, diagnosed.action === 'reap']).toEqual([without.state, without.action === 'reap']);
        expect(diagnosed.forDiagnosis === true).toBe(without.action === 'none' && diagnosed.action === 'notify');
      }),
      runs,
    );
  });

  test('more sparing settings never end more', () => {
    fc.assert(
      fc.property(job, enforcing, judgeContext, exemption, (someJob, all, context, one) => {
        const before = severity[judge(someJob, all, context).action];
        const exempt = judge(someJob, { ...all, exemptions: [...all.exemptions, one] }, context).action;
        const told = judge(someJob, { ...all, atMaxElapsed: 'notify' }, context).action;
        expect([exempt, told].filter((action) => action === 'reap' && before < severity.reap)).toEqual([]);
      }),
      runs,
    );
  });
});

describe('the vetoes', () => {
  const context = fc.record({
    ownPid: fc.integer({ min: 1, max: 32_768 }).map(asPid),
    ownAncestors: fc.array(fc.integer({ min: 1, max: 32_768 }).map(asPid)).map((pids) => new Set(pids)),
    ownGroup: fc.integer({ min: 1, max: 32_768 }),
    uid: fc.constantFrom(0, 1000),
    pidNamespace: fc.option(fc.constantFrom('1', '2')),
    cgroups: facts.map(({ cgroups }) => cgroups),
    isAgent: fc.constant(({ comm }: { readonly comm: string }) => comm === 'node'),
    ownerServices: fc.constant([]),
    keptByAgent: fc.constant([]),
    rows: fc.array(row, { maxLength: 20 }).map((rows) => new Map(rows.map((one) => [one.pid, one]))),
  });

  test('never throw, whatever the table, and a member that must not be signalled always has one', () => {
    fc.assert(
      fc.property(job, context, (someJob, around) => {
        const vetoed = new Set(vetoesOf(someJob, around).map(({ pid }) => pid));
        const rows = [
          someJob.root,
          ...someJob.members.map((one) => one.row).filter(({ pid }) => pid !== someJob.root.pid),
        ];
        const untouchable = rows.filter(
          (one) =>
            one.pid <= 1 ||
            one.kernelThread ||
            one.uid !== around.uid ||
            one.pid === around.ownPid ||
            around.isAgent(one),
        );
        expect(untouchable.filter(({ pid }) => !vetoed.has(pid))).toEqual([]);
      }),
      runs,
    );
  });

  test('marked with CURFEW_KEEP=1, on any member, a job is never reaped', () => {
    fc.assert(
      fc.property(job, context, settings, facts, fc.nat(10), (someJob, around, all, some, index) => {
        const rows = [someJob.root, ...someJob.members.map((one) => one.row)];
        const marked = rows[index % rows.length] ?? someJob.root;
        // A process is one row: the same pid twice is no table.
        fc.pre(new Set(rows.map(({ pid }) => pid)).size === rows.length);
        const keeping = { ...some, environment: { CURFEW_KEEP: '1' } };
        const keptJob = { ...someJob, facts: new Map([...someJob.facts, [marked.pid, keeping]]) };
        const vetoes = vetoesOf(keptJob, around);
        expect(judge(keptJob, { ...all, mode: 'enforce' }, { nowMs: aroundMs, vetoes }).action).not.toBe('reap');
      }),
      runs,
    );
  });
});
