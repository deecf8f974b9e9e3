import { describe, expect, test } from 'vitest';
import type { Job, Owner } from '../../../app/model/job.ts';
import type { Terms } from '../../../app/judge/context.ts';
import { judge } from '../../../app/judge/judge.ts';
import { quietWindowSeconds } from '../../../app/judge/limits.ts';
import type { Veto } from '../../../app/judge/verdict.ts';
import { asPid } from '../../../app/process/identity.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { jobOf, nowMs } from './job-builder.ts';

const enforcing: Settings = { ...defaultSettings, mode: 'enforce' };
const gone: Owner = { state: 'gone', sinceMs: nowMs - 720_000, evidence: 'its process has ended' };
const unknown: Owner = { state: 'unknown', evidence: 'no session id' };
const told = { announcedSeconds: 60 };
const working = { silentSeconds: 0 };
const listens = { kind: 'service', holds: { ...jobOf(0).holds, ports: [3000] } } as const;
const kept = { keptUntilMs: nowMs + 600_000 };
const grown = { diagnoses: [{ code: 'fast-growth', figures: { pid: 40, bytes: 6e9, seconds: 40 } }] } as const;
const stuck = { diagnoses: [{ code: 'waiting-on-stdin', figures: { pid: 40 } }] } as const;
const vetoed: Veto = { code: 'keep-marker', pid: asPid(39), figures: {} };

interface Options {
  readonly settings?: Partial<Settings>;
  readonly vetoes?: readonly Veto[];
  readonly terms?: Terms;
}

const judged = (age: number, more: Partial<Job> = {}, { settings = {}, vetoes = [], ...rest }: Options = {}) =>
  judge(jobOf(age, more), { ...enforcing, ...settings }, { nowMs, vetoes, ...rest });

/** State, action, and the seconds from now until the next thing happens. */
const outcome = (...args: Parameters<typeof judged>): string => {
  const { state, action, atMs } = judged(...args);
  return `${state} ${action} ${atMs === null ? 'never' : (atMs - nowMs) / 1000}`;
};

const codes = (...args: Parameters<typeof judged>): readonly string[] =>
  judged(...args).reasons.map(({ code }) => code);

describe('the table of the design', () => {
  test.each([
    // A living owner and a silent task: told ahead, then told and waited for, then ended.
    ['live, not silent yet', 100, {}, 'within none 1700'],
    ['live, silent', 400, {}, 'within none 1340'],
    ['live, silent, a minute before its limit', 1740, {}, 'within notify 60'],
    ['live, silent, just before that', 1739, {}, 'within none 1'],
    ['live, silent, at its limit, not told', 1800, {}, 'overdue notify 60'],
    ['live, silent, at its limit, told just now', 1800, { announcedSeconds: 0 }, 'overdue notify 60'],
    ['live, silent, told 59 s ago', 1800, { announcedSeconds: 59 }, 'overdue notify 1'],
    ['live, silent, told 60 s ago', 1800, told, 'overdue reap 0'],
    // Working, or a service: told once.
    ['live, working, a minute before its limit', 1740, working, 'within none 60'],
    ['live, working, at its limit', 1800, { ...working, ...told }, 'overdue notify 12600'],
    ['live, not silent for long enough yet', 1800, { ...told, silentSeconds: 299 }, 'overdue notify 12600'],
    ['live, silent for long enough', 1800, { ...told, silentSeconds: 300 }, 'overdue reap 0'],
    ['live, a silent service', 5000, { ...told, ...listens }, 'overdue notify 9400'],
    ['live, a task that listens', 5000, { ...told, holds: listens.holds }, 'overdue notify 9400'],
    // No owner any more.
    ['gone, from the first look on', 0, { owner: gone }, 'orphaned none 600'],
    ['gone, within the orphan grace', 500, { owner: gone }, 'orphaned none 100'],
    ['gone, a minute before the end of the grace', 540, { owner: gone }, 'orphaned notify 60'],
    ['gone, at the end of the grace, told', 600, { owner: gone, ...working, ...told }, 'orphaned reap 0'],
    ['gone, at the end of the grace, told 30 s ago', 600, { owner: gone, announcedSeconds: 30 }, 'orphaned notify 30'],
    ['gone, far beyond the grace, not told', 9000, { owner: gone }, 'orphaned notify 60'],
    ['gone, a service', 600, { owner: gone, ...listens, ...told }, 'orphaned reap 0'],
    ['old, gone just now', 9000, { owner: gone, goneSeconds: 0, ...told }, 'orphaned none 600'],
    ['old, gone for nearly the grace', 9000, { owner: gone, goneSeconds: 570 }, 'orphaned notify 60'],
    ['old, gone for the grace', 9000, { owner: gone, goneSeconds: 600, ...told }, 'orphaned reap 0'],
    ['younger than its session is gone', 10, { owner: gone, goneSeconds: 9000, ...told }, 'orphaned none 590'],
    ['old, gone just before the hard cap', 14_390, { owner: gone, goneSeconds: 10 }, 'orphaned notify 60'],
    // The owner is unknown.
    ['unknown, young', 1799, { owner: unknown }, 'within none 1'],
    ['unknown, at its limit', 1800, { owner: unknown, ...told }, 'overdue notify 12600'],
    ['unknown, a second before the hard cap, told', 14_399, { owner: unknown, ...told }, 'overdue notify 1'],
    ['unknown, a minute before the hard cap', 14_340, { owner: unknown }, 'overdue notify 60'],
    // The hard cap.
    ['seen for the first time beyond the hard cap', 20_000, working, 'past-cap notify 60'],
    ['live, at the hard cap', 14_400, { ...told, ...working }, 'past-cap reap 0'],
    ['live service, at the hard cap', 14_400, { ...told, ...listens }, 'past-cap reap 0'],
    ['unknown, at the hard cap', 14_400, { ...told, owner: unknown }, 'past-cap reap 0'],
    ['gone, at the hard cap', 14_400, { ...told, owner: gone }, 'past-cap reap 0'],
    // Put off.
    ['kept', 1800, { ...told, ...kept }, 'kept none 600'],
    ['kept, its session gone', 1800, { owner: gone, ...kept }, 'kept none 600'],
    ['kept, a minute before the hard cap', 14_340, kept, 'kept notify 60'],
    ['kept beyond the hard cap', 14_400, { ...told, ...kept }, 'past-cap reap 0'],
    // Visibly stuck.
    ['stuck, younger than half its limit', 899, stuck, 'within none 1'],
    ['stuck, half its limit', 900, stuck, 'within notify 840'],
    ['takes memory fast, and is young', 5, grown, 'within notify 1795'],
    ['takes memory fast, and is kept', 5, { ...grown, ...kept }, 'kept none 600'],
    ['stuck and working, half its limit', 900, { ...stuck, ...working }, 'within notify 900'],
    ['stuck, unknown owner, half its limit', 900, { ...stuck, owner: unknown }, 'within notify 900'],
    ['stuck and kept', 900, { ...stuck, ...kept }, 'kept none 600'],
  ] as const)('%s, %i s old: %o is %s', (_what, age, more, expected) => {
    expect(outcome(age, more)).toBe(expected);
  });
});

describe('settings that change it', () => {
  test.each([
    ['notify: a silent one is told of', { atMaxElapsed: 'notify' }, 1800, told, 'overdue notify 12600'],
    ['notify: the user is not told ahead', { atMaxElapsed: 'notify' }, 1740, {}, 'within none 60'],
    ['notify: the hard cap stays', { atMaxElapsed: 'notify' }, 14_400, told, 'past-cap reap 0'],
    ['reap: a working one is ended too', { atMaxElapsed: 'reap' }, 1800, { ...told, ...working }, 'overdue reap 0'],
    ['reap: and told of ahead', { atMaxElapsed: 'reap' }, 1740, working, 'within notify 60'],
    ['reap: a service is not', { atMaxElapsed: 'reap' }, 1800, { ...told, ...listens }, 'overdue notify 12600'],
    ['a longer orphan grace', { orphanGraceSeconds: 900 }, 600, { owner: gone }, 'orphaned none 300'],
    [
      'an orphan grace beyond the max elapsed',
      { orphanGraceSeconds: 3600 },
      1800,
      { owner: gone },
      'orphaned none 1800',
    ],
    [
      'a max elapsed beyond the hard cap',
      { backgroundMaxElapsedSecondsHardCap: 900 },
      900,
      { ...told, ...working },
      'past-cap reap 0',
    ],
    ['no notice: it is told and ended at the next look', { noticeSeconds: 0 }, 1800, {}, 'overdue notify 0'],
    ['no notice, told', { noticeSeconds: 0 }, 1800, { announcedSeconds: 0 }, 'overdue reap 0'],
  ] as const)('%s', (_what, settings, age, more, expected) => {
    expect(outcome(age, more, { settings })).toBe(expected);
  });

  test.each([
    ['its project', { project: '/home/me' }],
    ['its command', { command: 'sleep *' }],
    ['both', { project: '/home/me/shop', command: 'sleep 3600' }],
  ])('an exemption of %s spares it below the hard cap', (_what, parts) => {
    const settings = { exemptions: [{ ...parts, createdAt: '2026-11-20T00:00:00Z' }] };
    expect(outcome(5000, told, { settings })).toBe('kept none 9340');
    expect(outcome(5000, { owner: gone }, { settings })).toBe('kept none 9340');
    expect(outcome(14_340, {}, { settings })).toBe('kept notify 60');
    expect(outcome(14_400, told, { settings })).toBe('past-cap reap 0');
    expect(codes(5000, {}, { settings })).toContain('exempt');
  });

  test('the command ends orphans of an age, and what is past the hard cap, at once', () => {
    const terms = (minAgeSeconds: number | null) => ({ terms: { kind: 'command', minAgeSeconds } }) as const;
    expect(outcome(30, { owner: gone, goneSeconds: 0 }, terms(30))).toBe('orphaned reap 0');
    expect(outcome(600, { owner: gone }, terms(null))).toBe('orphaned reap 0');
    expect(outcome(700, { owner: gone }, terms(3600))).toBe('orphaned none 2900');
    expect(outcome(30, {}, terms(30))).toBe('within none 1770');
    expect(outcome(1800, {}, terms(0))).toBe('overdue notify 60');
    expect(outcome(14_400, {}, terms(null))).toBe('past-cap reap 0');
  });

  test('what a session left that said itself that it ends is ended at once; nothing else is', () => {
    const terms = { terms: { kind: 'session-said-so' } } as const;
    expect(outcome(30, { owner: gone }, terms)).toBe('orphaned reap 0');
    expect(outcome(14_400, {}, terms)).toBe('past-cap notify 60');
  });

  test.each([Number.NaN, -1, Number.NEGATIVE_INFINITY])(
    'an orphan grace that is none (%d) leaves the setting',
    (grace) => {
      const terms = { kind: 'command', minAgeSeconds: grace } as const;
      expect(outcome(599, { owner: gone }, { terms })).toBe('orphaned none 1');
    },
  );
});

describe('observing', () => {
  test.each(['observe', null] as const)('mode %s: nothing is reaped, and the state stays', (mode) => {
    const settings = { mode };
    expect(outcome(14_400, {}, { settings })).toBe('past-cap notify never');
    expect(outcome(600, { owner: gone }, { settings })).toBe('orphaned notify 13800');
    expect(outcome(1800, told, { settings })).toBe('overdue notify 12600');
    expect(outcome(400, {}, { settings })).toBe('within none 1340');
    expect(codes(14_400, {}, { settings }).at(-1)).toBe('observe-mode');
    expect(codes(100, {}, { settings })).not.toContain('observe-mode');
  });
});

describe('a process is connected to it', () => {
  const used = { client: { by: 'connection', at: 'port 3000', from: '127.0.0.1:5000' } } as const;

  const settings = { inUseAtHardCap: 'end' } as const;

  test('at the hard cap the user is asked, and without an answer it goes on', () => {
    const reaped = { state: 'past-cap', action: 'reap' };
    for (const owner of [gone, unknown, undefined]) {
      const job = { ...(owner === undefined ? {} : { owner }), ...told, ...used };
      const one = judged(14_400, job);
      expect(one).toMatchObject({ state: 'past-cap', action: 'notify', atMs: null });
      expect(one.announces).toBeUndefined();
      expect(one.reasons.map(({ code }) => code).slice(0, 3)).toEqual(['past-hard-cap', 'in-use', 'asked-at-cap']);
      expect(judged(14_390, job).announces).toBeUndefined();
      expect(judged(14_400, job, { settings })).toMatchObject(reaped);
    }
    const byAgent = { client: { ...used.client, byAgent: true } } as const;
    expect(judged(14_400, { ...told, ...byAgent })).toMatchObject(reaped);
  });

  test('a leftover stays until the hard cap, and the user is told of that end', () => {
    const one = judged(700, { owner: gone, ...used });
    expect(one).toMatchObject({
      state: 'kept',
      action: 'none',
      reasons: [{ code: 'in-use', figures: used.client }, {}, {}],
    });
    expect(judged(14_390, { owner: gone, ...used }, { settings })).toMatchObject({ state: 'kept', action: 'notify' });
    expect(judged(14_400, { owner: gone, ...told, ...used }, { settings })).toMatchObject({
      state: 'past-cap',
      action: 'reap',
    });
  });

  test('a silent one of a living session stays as well', () => {
    expect(judged(1900, { ...told, ...used })).toMatchObject({ state: 'kept', action: 'none' });
    expect(judged(1900, told)).toMatchObject({ action: 'reap' });
  });

  test('what would not be ended is said as ever', () => {
    expect(judged(500, { owner: unknown, ...used })).toEqual(judged(500, { owner: unknown }));
    expect(judged(500, used)).toEqual(judged(500));
    expect(judged(500, { owner: gone, ...used })).toMatchObject({ state: 'kept', action: 'none' });
  });
});

describe('vetoes', () => {
  const options = { vetoes: [vetoed] };

  test.each([
    [100, {}, 'protected none 14300'],
    [600, { owner: gone }, 'protected none 13800'],
    [1800, told, 'protected none 12600'],
    [14_400, { owner: gone }, 'protected notify never'],
  ] as const)('at %i s, %o: %s', (age, more, expected) => {
    expect(outcome(age, more, options)).toBe(expected);
  });

  test('the veto is the first reason, with its process', () => {
    expect(judged(14_400, {}, options).reasons[0]).toEqual({
      code: 'vetoed',
      figures: { veto: 'keep-marker', pid: 39 },
    });
  });
});

describe('an announcement', () => {
  test('is told from a notice that only says that it overstays', () => {
    const announces = (...args: Parameters<typeof judged>): boolean => judged(...args).announces === true;
    expect(announces(540, { owner: gone })).toBe(true);
    expect(announces(1800)).toBe(true);
    expect(announces(14_340, { owner: unknown })).toBe(true);
    expect(announces(14_400)).toBe(true);
    expect(announces(5000, { owner: unknown })).toBe(false);
    expect(announces(5000, working)).toBe(false);
    expect(announces(900, stuck)).toBe(false);
  });

  test('is none where nothing comes: observing, or a veto', () => {
    for (const age of [540, 1800, 14_400]) {
      expect(judged(age, { owner: gone }, { settings: { mode: 'observe' } })).not.toHaveProperty('announces');
      expect(judged(age, { owner: gone }, { vetoes: [vetoed] })).not.toHaveProperty('announces');
    }
  });

  test('without one nothing is reaped, whatever was said of it before', () => {
    expect(outcome(5000, { noticedAtMs: nowMs - 600_000 })).toBe('overdue notify 60');
    expect(outcome(5000, { keptUntilMs: nowMs - 60_000, noticedAtMs: nowMs - 600_000 })).toBe('overdue notify 60');
  });
});

describe('reasons', () => {
  test.each([
    [100, {}, ['within-limits', 'owner-live', 'working']],
    [400, {}, ['within-limits', 'owner-live', 'silent']],
    [1800, told, ['past-max-elapsed', 'notice-given', 'owner-live', 'silent']],
    [500, { owner: gone, goneSeconds: 30 }, ['within-orphan-grace', 'owner-gone', 'silent']],
    [1800, { owner: unknown }, ['past-max-elapsed', 'owner-unknown', 'silent']],
    [300, { owner: gone, ...working }, ['within-orphan-grace', 'owner-gone', 'working']],
    [600, { owner: gone, ...stuck }, ['owner-gone', 'silent', 'diagnosis']],
    [14_400, { ...listens, ...kept }, ['past-hard-cap', 'kept', 'owner-live', 'service']],
  ] as const)('at %i s, %o', (age, more, expected) => {
    expect(codes(age, more)).toEqual(expected);
  });

  test('carry the figures that make the sentence', () => {
    expect(judged(600, { owner: gone }).reasons[0]).toEqual({
      code: 'owner-gone',
      figures: { evidence: 'its process has ended', ageSeconds: 600, sinceSeconds: 720 },
    });
    expect(judged(14_500).reasons[0]?.figures).toEqual({ ageSeconds: 14_500, limitSeconds: 14_400 });
    expect(judged(900, stuck).reasons.at(-1)?.figures).toEqual({ diagnosis: 'waiting-on-stdin', pid: 40 });
  });

  test('an owner gone since a time that is not known, or lies ahead, is said without one', () => {
    expect(judged(600, { owner: { ...gone, sinceMs: null } }).reasons[0]?.figures).not.toHaveProperty('sinceSeconds');
    expect(judged(600, { owner: { ...gone, sinceMs: nowMs + 1 } }).reasons[0]?.figures).not.toHaveProperty(
      'sinceSeconds',
    );
  });
});

test.each([
  [10, 15],
  [90, 15],
  [600, 100],
  [1800, 300],
  [14_400, 300],
])('a max elapsed of %i s takes silence to be %i s', (maxElapsed, seconds) => {
  expect(quietWindowSeconds(maxElapsed)).toBe(seconds);
});
