import { safe } from './safe.ts';
import type { Snapshot, SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { settingsView } from '../../../app/contract/views/settings-view.ts';
import { moment } from '../../../app/format/moment.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { sceneAgents } from './agents.ts';
import { sceneLeftOpen } from './left-open.ts';
import { sceneIncidents } from './incidents.ts';
import { sceneJob, type JobSketch } from './job-builder.ts';
import { sketches } from './sketches.ts';

/** The states of the machine that pictures and tests show. */
export const sceneNames = [
  'busy',
  'calm',
  'empty',
  'first-run',
  'paused',
  'problems',
  'crowded',
  'hostile',
  'report-only',
  'reaping',
  'unreachable',
  'left',
  'leftovers',
  'probable',
] as const;

/** See `sceneNames`. */
export type SceneName = (typeof sceneNames)[number];

const {
  stuck,
  overdue,
  orphanServer,
  poll,
  dev,
  watch,
  build,
  kept,
  guarded,
  long,
  hostile,
  remote,
  left,
  leftWatcher,
  leftServer,
  probable,
} = sketches;

const casts: Readonly<Record<SceneName, readonly JobSketch[]>> = {
  busy: [stuck, overdue, dev, watch, build],
  calm: [dev, watch, build],
  empty: [],
  'first-run': [stuck, overdue, dev, watch],
  paused: [overdue, dev, kept, guarded],
  problems: [orphanServer, poll, dev],
  crowded: [],
  hostile: [hostile, long, remote],
  'report-only': [orphanServer, dev],
  reaping: [stuck, overdue, orphanServer, dev, watch],
  unreachable: [dev],
  left: [left],
  leftovers: [stuck, left, leftWatcher, leftServer, dev, kept],
  probable: [left, leftServer, probable, dev],
};

/** 300 jobs, a third of them in need of a look. */
const crowd = (nowMs: number): SnapshotJob[] =>
  Array.from({ length: 300 }, (_, index) => {
    const base: JobSketch = [stuck, overdue, orphanServer, dev, watch, build][index % 6] ?? dev;
    return sceneJob({ ...base, id: (0x1_00_00 + index).toString(16), ageSeconds: base.ageSeconds + index * 7 }, nowMs);
  });

/** The snapshot that a scene begins with. */
export const sceneSnapshot = (name: SceneName, surface: 'desktop' | 'page', nowMs: number): Snapshot => {
  const defaults = settingsView(defaultSettings);
  const chosen = name !== 'first-run';
  return {
    revision: 1,
    at: moment(nowMs),
    platform: {
      system: name === 'report-only' ? 'win32' : 'linux',
      version: '0.1.0',
      canReap: name !== 'report-only',
      surface,
    },
    mode: chosen ? 'enforce' : 'observe',
    modeChosen: chosen,
    pausedUntil: name === 'paused' ? 'forever' : null,
    settings: {
      defaults,
      values: {
        ...defaults,
        mode: chosen ? 'enforce' : null,
        hosts: ['build-box'],
        exemptions: [
          {
            project: '/home/mara/work/music-bot',
            note: 'runs all day on purpose',
            createdAt: '2026-11-02T09:12:00.000Z',
          },
          { command: 'npm run storybook*', createdAt: '2026-11-12T16:40:00.000Z' },
        ],
        rules: [{ name: 'house agent', argv0: 'house-agent-shell', argv: ['--task', '[a-z0-9]{8}'] }],
      },
      notices:
        name === 'problems'
          ? [
              {
                field: 'noticeSeconds',
                text: 'noticeSeconds is "soon", but it must be a number of seconds from 0 to 3600. Curfew uses 1 min.',
              },
            ]
          : [],
      readAt: moment(nowMs - 60_000),
    },
    health: {
      lastLookAt: moment(nowMs - 2000),
      tookMs: 3.1,
      processes: 312,
      journalWritable: name !== 'problems',
      problems:
        name === 'problems'
          ? [
              {
                code: 'table-incomplete',
                text: safe(
                  'The machine hides a part of its processes, so a session that isn’t seen counts as unknown.',
                ),
                figures: {},
                severity: 'warning',
                advice: null,
              },
            ]
          : [],
    },
    watched: [
      { agent: 'claude-code', liveSessions: 2 },
      { agent: 'codex', liveSessions: 1 },
    ],
    agents: name === 'unreachable' ? sceneAgents(nowMs).map((one) => ({ ...one, said: one.text })) : [],
    leftOpen:
      name === 'unreachable'
        ? sceneLeftOpen(nowMs).map((one) => ({ ...one, named: one.text, why: one.refusal ?? one.evidence }))
        : [],
    jobs: name === 'crowded' ? crowd(nowMs) : casts[name].map((sketch) => sceneJob(sketch, nowMs)),
    reapings: [],
    freedThisWeek:
      name === 'empty' || name === 'first-run'
        ? { processes: 0, rssBytes: 0, since: null }
        : { processes: 132, rssBytes: 14_200_000_000, since: null },
    incidents: name === 'empty' || name === 'first-run' ? [] : sceneIncidents(20, nowMs).slice(0, 20),
  };
};
