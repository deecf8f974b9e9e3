import { describe, expect, test } from 'vitest';
import type { Job } from '../../../app/model/job.ts';
import { judge } from '../../../app/judge/judge.ts';
import { judgeRun } from '../../../app/judge/runs/run.ts';
import type { Verdict, Veto } from '../../../app/judge/verdict.ts';
import { asBootId, asPid } from '../../../app/process/identity.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { jobOf, nowMs } from './job-builder.ts';

const createdAt = '2026-11-20T00:00:00Z';
const live = ['owner-live', { evidence: 'its process runs' }];
const silentFor = (silentSeconds: number) => ['silent', { silentSeconds }];
const working = ['working', { silentSeconds: 0, windowSeconds: 300, cpuPercent: 0 }];
const ports = { ...jobOf(0).holds, ports: [3000, 8080] };
const stuck = { diagnoses: [{ code: 'waiting-on-stdin', figures: { pid: 40 } }] } as const;

type Said = readonly unknown[];

/**
 * A verdict in full: state, action, seconds until the next moment, then each reason with its
 * figures.
 */
const inFull = ({ state, action, atMs, reasons, ...rest }: Verdict): Said => [
  `${state} ${action} ${atMs === null ? 'never' : (atMs - nowMs) / 1000}${rest.forDiagnosis === undefined ? '' : ` diagnosis ${rest.forDiagnosis}`}`,
  ...reasons.map(({ code, figures }) => [code, figures]),
];

const judged = (age: number, more: Partial<Job> = {}, settings: Partial<Settings> = {}, vetoes: readonly Veto[] = []) =>
  inFull(judge(jobOf(age, more), { ...defaultSettings, mode: 'enforce', ...settings }, { nowMs, vetoes }));

const gone = (sinceMs: number | null) =>
  ({ owner: { state: 'gone', sinceMs, evidence: 'its process ended' } }) as const;

describe('a verdict says everything that it was made from', () => {
  test.each<[string, () => Said, Said]>([
    [
      'within its limits',
      () => judged(100, { silentSeconds: 0 }),
      ['within none 1700', ['within-limits', { ageSeconds: 100, limitSeconds: 1800 }], live, working],
    ],
    [
      'of an unknown owner',
      () => judged(100, { owner: { state: 'unknown', evidence: 'no session id' } }),
      [
        'within none 1700',
        ['within-limits', { ageSeconds: 100, limitSeconds: 1800 }],
        ['owner-unknown', { evidence: 'no session id' }],
        ['working', { silentSeconds: 100, windowSeconds: 300, cpuPercent: 0 }],
      ],
    ],
    [
      'a service kept until later',
      () => judged(1000, { kind: 'service', holds: ports, keptUntilMs: nowMs + 60_500 }),
      [
        'kept none 60.5',
        ['kept', { untilMs: nowMs + 60_500, leftSeconds: 61 }],
        live,
        ['service', { ports: '3000, 8080', silentSeconds: 1000 }],
      ],
    ],
    [
      'a service without a port',
      () => judged(100, { kind: 'service' }),
      [
        'within none 1700',
        ['within-limits', { ageSeconds: 100, limitSeconds: 1800 }],
        live,
        ['service', { ports: '', silentSeconds: 100 }],
      ],
    ],
    [
      'exempt by all parts',
      () =>
        judged(
          100,
          { holds: ports },
          {
            exemptions: [{ project: '/home/me', command: 'sleep *', port: 8080, note: 'mine', createdAt }],
          },
        ),
      [
        'kept none 14240',
        ['exempt', { project: '/home/me', command: 'sleep *', port: 8080, note: 'mine' }],
        live,
        ['service', { ports: '3000, 8080', silentSeconds: 100 }],
      ],
    ],
    [
      'exempt by one part, and kept for less long',
      () => judged(100, { keptUntilMs: nowMs + 60_000 }, { exemptions: [{ command: 'sleep 3600', createdAt }] }),
      [
        'kept none 14240',
        ['kept', { untilMs: nowMs + 60_000, leftSeconds: 60 }],
        ['exempt', { command: 'sleep 3600' }],
        live,
        ['working', { silentSeconds: 100, windowSeconds: 300, cpuPercent: 0 }],
      ],
    ],
    [
      'kept, shortly before the hard cap',
      () => judged(14_340, { keptUntilMs: nowMs + 600_000 }),
      [
        'kept notify 60',
        ['kept', { untilMs: nowMs + 600_000, leftSeconds: 600 }],
        live,
        silentFor(14_340),
        ['within-limits', { ageSeconds: 14_340, limitSeconds: 14_400 }],
      ],
    ],
    [
      'a keep that ends this very moment keeps nothing',
      () => judged(1800, { silentSeconds: 0, keptUntilMs: nowMs }),
      ['overdue notify 12600', ['past-max-elapsed', { ageSeconds: 1800, limitSeconds: 1800 }], live, working],
    ],
    [
      'past the hard cap, kept and exempt all the same',
      () => judged(14_400, { keptUntilMs: nowMs + 1000 }, { exemptions: [{ project: '/home/me/shop', createdAt }] }),
      [
        'past-cap notify 60',
        ['past-hard-cap', { ageSeconds: 14_400, limitSeconds: 14_400 }],
        ['kept', { untilMs: nowMs + 1000, leftSeconds: 1 }],
        ['exempt', { project: '/home/me/shop' }],
        live,
        silentFor(14_400),
      ],
    ],
    [
      'an orphan, with the time since',
      () => judged(720.4, { ...gone(nowMs - 90_400), goneSeconds: 90 }),
      [
        'orphaned none 510',
        ['within-orphan-grace', { ageSeconds: 720, limitSeconds: 600, leftSeconds: 510 }],
        ['owner-gone', { evidence: 'its process ended', ageSeconds: 720, sinceSeconds: 90 }],
        silentFor(720),
      ],
    ],
    [
      'an orphan since this moment',
      () => judged(720, { ...gone(nowMs), goneSeconds: 0 }),
      [
        'orphaned none 600',
        ['within-orphan-grace', { ageSeconds: 720, limitSeconds: 600, leftSeconds: 600 }],
        ['owner-gone', { evidence: 'its process ended', ageSeconds: 720, sinceSeconds: 0 }],
        silentFor(720),
      ],
    ],
    ...[null, nowMs + 1000].map((sinceMs): [string, () => Said, Said] => [
      'an orphan since an unknown time, or since later by a clock that was set back',
      () => judged(720, gone(sinceMs)),
      ['orphaned notify 60', ['owner-gone', { evidence: 'its process ended', ageSeconds: 720 }], silentFor(720)],
    ]),
    [
      'within a long orphan grace',
      () => judged(1900, gone(null), { orphanGraceSeconds: 2000 }),
      [
        'orphaned none 100',
        ['within-orphan-grace', { ageSeconds: 1900, limitSeconds: 2000, leftSeconds: 100 }],
        ['owner-gone', { evidence: 'its process ended', ageSeconds: 1900 }],
        silentFor(1900),
      ],
    ],
    [
      'told ninety seconds ago',
      () => judged(1800, { announcedSeconds: 90.4 }),
      [
        'overdue reap 0',
        ['past-max-elapsed', { ageSeconds: 1800, limitSeconds: 1800 }],
        ['notice-given', { agoSeconds: 90 }],
        live,
        silentFor(1800),
      ],
    ],
    [
      'its hard cap before the end of the notice: the notice is given whole',
      () => judged(14_390, { announcedSeconds: 0 }),
      ['overdue notify 60', ['past-max-elapsed', { ageSeconds: 14_390, limitSeconds: 1800 }], live, silentFor(14_390)],
    ],
    ...([null, 'observe'] as const).map((mode): [string, () => Said, Said] => [
      `observing, ${mode}`,
      () => judged(720, gone(null), { mode }),
      [
        'orphaned notify 13680',
        ['owner-gone', { evidence: 'its process ended', ageSeconds: 720 }],
        silentFor(720),
        ['observe-mode', { chosen: mode === null ? 'no' : 'yes' }],
      ],
    ]),
    [
      'stuck from half of its limit on',
      () => judged(900, { ...stuck, silentSeconds: 0 }),
      [
        'within notify 900 diagnosis true',
        ['within-limits', { ageSeconds: 900, limitSeconds: 1800 }],
        live,
        working,
        ['diagnosis', { pid: 40, diagnosis: 'waiting-on-stdin' }],
      ],
    ],
    [
      'stuck, and told of its end anyway',
      () => judged(1740, stuck),
      [
        'within notify 60',
        ['within-limits', { ageSeconds: 1740, limitSeconds: 1800 }],
        live,
        silentFor(1740),
        ['diagnosis', { pid: 40, diagnosis: 'waiting-on-stdin' }],
      ],
    ],
    [
      'vetoed',
      () => judged(100, {}, {}, [{ code: 'keep-marker', pid: asPid(39), figures: { name: 'x' } }]),
      [
        'protected none 14300',
        ['vetoed', { name: 'x', veto: 'keep-marker', pid: 39 }],
        ['within-limits', { ageSeconds: 100, limitSeconds: 1800 }],
        live,
        ['working', { silentSeconds: 100, windowSeconds: 300, cpuPercent: 0 }],
      ],
    ],
    [
      'of an age that is no number',
      () => judged(Number.NaN, { silentSeconds: Number.POSITIVE_INFINITY }),
      ['within none 1800', ['within-limits', { ageSeconds: 0, limitSeconds: 1800 }], live, working],
    ],
    [
      'of an age before it began',
      () => judged(-5, { silentSeconds: -5 }),
      ['within none 1800', ['within-limits', { ageSeconds: 0, limitSeconds: 1800 }], live, working],
    ],
  ])('%s', (_, said, expected) => {
    expect(said()).toEqual(expected);
  });
});

const run = (age: number, more: Partial<Job> = {}, terms: Partial<Parameters<typeof judgeRun>[1]> = {}) =>
  inFull(
    judgeRun(
      jobOf(age, { agent: 'curfew-run', silentSeconds: 0, ...more }),
      {
        id: 'abcdefghij',
        background: true,
        maxElapsedSeconds: 200,
        atMaxElapsed: 'always',
        hardCapSeconds: 1000,
        graceSeconds: 10,
        supervisor: { bootId: asBootId('boot'), pid: asPid(30), startTicks: 1 },
        ...terms,
      },
      { ...defaultSettings, mode: 'enforce' },
      nowMs,
    ),
  );
const own = (state: string) => ['own-limits', { state, run: 'abcdefghij' }];
const runWorks = (windowSeconds: number) => ['working', { silentSeconds: 0, windowSeconds, cpuPercent: 0 }];
const limit = (ageSeconds: number) => ['within-limits', { ageSeconds, limitSeconds: 200 }];
const past = (ageSeconds: number) => ['past-max-elapsed', { ageSeconds, limitSeconds: 200 }];

describe('what is said of a run says everything, too', () => {
  test.each<[string, () => Said, Said]>([
    ['working', () => run(50), ['within none 150', limit(50), own('live'), runWorks(33)]],
    ['at its limit', () => run(200), ['overdue none 800', past(200), own('live'), runWorks(33)]],
    [
      'at its hard cap',
      () => run(1000),
      ['past-cap none never', ['past-hard-cap', { ageSeconds: 1000, limitSeconds: 1000 }], own('live'), runWorks(33)],
    ],
    [
      'without its own curfew run',
      () => run(50, gone(null)),
      ['orphaned none 950', limit(50), own('gone'), runWorks(33)],
    ],
    [
      'a service by its kind',
      () => run(50, { kind: 'service' }),
      ['within none 150', limit(50), own('live'), ['service', { ports: '', silentSeconds: 0 }]],
    ],
    [
      'a service by its ports',
      () => run(50, { holds: ports }),
      ['within none 150', limit(50), own('live'), ['service', { ports: '3000, 8080', silentSeconds: 0 }]],
    ],
    [
      'silent for exactly as long as counts',
      () => run(50, { silentSeconds: 40 }, { maxElapsedSeconds: 240 }),
      ['within none 190', ['within-limits', { ageSeconds: 50, limitSeconds: 240 }], own('live'), silentFor(40)],
    ],
    [
      'silent for as long as counts',
      () => run(200, { silentSeconds: 34 }, { atMaxElapsed: 'reap-silent' }),
      ['overdue notify 800', past(200), own('live'), silentFor(34)],
    ],
    [
      'kept',
      () => run(300, { keptUntilMs: nowMs + 60_500 }),
      ['kept none 61', ['kept', { untilMs: nowMs + 60_500, leftSeconds: 61 }], own('live'), runWorks(33)],
    ],
    [
      'kept until this moment',
      () => run(300, { keptUntilMs: nowMs }),
      ['overdue none 700', past(300), own('live'), runWorks(33)],
    ],
    [
      'ended when silent, but working',
      () => run(150, {}, { atMaxElapsed: 'reap-silent' }),
      ['within none 50', limit(150), own('live'), runWorks(33)],
    ],
    [
      'ended when silent, and silent',
      () => run(140, { silentSeconds: 140 }, { atMaxElapsed: 'reap-silent' }),
      ['within notify 60', limit(140), own('live'), silentFor(140)],
    ],
    [
      'told ahead',
      () => run(139, {}, { atMaxElapsed: 'reap' }),
      ['within none 1', limit(139), own('live'), runWorks(33)],
    ],
    [
      'stuck, before half of its limit',
      () => run(99, stuck),
      [
        'within none 1',
        limit(99),
        own('live'),
        runWorks(33),
        ['diagnosis', { pid: 40, diagnosis: 'waiting-on-stdin' }],
      ],
    ],
    [
      'stuck, from half of its limit on',
      () => run(100, stuck),
      [
        'within notify 100 diagnosis true',
        limit(100),
        own('live'),
        runWorks(33),
        ['diagnosis', { pid: 40, diagnosis: 'waiting-on-stdin' }],
      ],
    ],
    [
      'stuck, and told of its end anyway',
      () => run(140, stuck, { atMaxElapsed: 'reap' }),
      [
        'within notify 60',
        limit(140),
        own('live'),
        runWorks(33),
        ['diagnosis', { pid: 40, diagnosis: 'waiting-on-stdin' }],
      ],
    ],
  ])('%s', (_, said, expected) => {
    expect(said()).toEqual(expected);
  });
});
