import type { SessionCost, SessionList, ShownSessionState } from '../../../app/contract/views/session-costs.ts';
import { moment } from '../../../app/format/moment.ts';
import type { Reach } from '../../../app/model/reach.ts';
import { idleSaid, reachSaid, sayReach } from '../../../app/text/reach.ts';
import { inEnglish } from '../../../app/text/say.ts';
import { safe } from './safe.ts';

const megabyte = 1_000_000;

interface Sketch {
  readonly agent: string;
  readonly name: string;
  readonly project: string | null;
  /** That of jobs in some scenes. */
  readonly id?: string;
  readonly state: ShownSessionState;
  readonly pid: number | null;
  readonly hours: number;
  readonly mb: number;
  readonly percent: number;
  readonly jobs: number;
  readonly servers: number;
  readonly duplicates: number;
  readonly reach?: Reach;
  readonly idleDays?: number;
}

const sketches: readonly Sketch[] = [
  {
    agent: 'claude-code',
    name: 'Claude Code',
    project: '/home/mara/work/shop',
    state: 'live',
    pid: 4711,
    hours: 5.4,
    mb: 1487,
    percent: 12,
    jobs: 3,
    servers: 14,
    duplicates: 7,
    idleDays: 4 / 24,
  },
  {
    agent: 'opencode',
    name: 'opencode',
    project: '/home/mara/work/api',
    state: 'unreachable',
    pid: 3921,
    hours: 17.2,
    mb: 784,
    percent: 98,
    jobs: 0,
    servers: 3,
    duplicates: 3,
    reach: { state: 'unreachable', why: 'hung-up', quietSeconds: 61_200, settled: true, spinning: false },
  },
  {
    agent: 'codex',
    name: 'Codex CLI',
    project: '/home/mara/work/a-project-with-a-very-long-name-that-does-not-end',
    state: 'live',
    pid: 5120,
    hours: 0.6,
    mb: 312,
    percent: 4,
    jobs: 1,
    servers: 3,
    duplicates: 3,
  },
  {
    agent: 'claude-code',
    name: 'Claude Code',
    project: '/home/mara/work/landing-page',
    id: '9a1c22f0',
    state: 'gone',
    pid: null,
    hours: 2.1,
    mb: 96,
    percent: 0,
    jobs: 2,
    servers: 0,
    duplicates: 0,
  },
  {
    agent: 'copilot',
    name: 'GitHub Copilot CLI',
    project: null,
    state: 'unknown',
    pid: 6200,
    hours: 0.1,
    mb: 80,
    percent: 0,
    jobs: 0,
    servers: 0,
    duplicates: 0,
  },
];

const memoryOf = (mb: number, measured: 'pss' | 'rss' = 'pss'): SessionCost['memory'] => ({
  bytes: mb * megabyte,
  measured,
  privateBytes: measured === 'rss' ? null : Math.round(mb * 0.7) * megabyte,
  swapBytes: measured === 'rss' ? null : 0,
  rssBytes: mb * 2 * megabyte,
});

/** Days of the sketch in which its agent was idle, and its end. */
const idleOf = (
  { idleDays, pid, id }: Sketch,
  nowMs: number,
): Pick<SessionList['sessions'][number], 'idle' | 'idleSaid' | 'end' | 'ownEnd' | 'resume'> => {
  if (idleDays === undefined) return { idle: null, idleSaid: null, end: null, ownEnd: null, resume: null };
  const sinceMs = nowMs - idleDays * 86_400_000;
  const idle = { state: 'idle', sinceMs, by: 'status', told: true, watched: true, dueSeconds: null } as const;
  return {
    idle: { state: 'idle', since: moment(sinceMs), text: safe(inEnglish(idleSaid(idle, nowMs))) },
    idleSaid: idleSaid(idle, nowMs),
    end: '0000a9e8',
    ownEnd: null,
    resume: safe(`claude --resume ${id ?? `session-${pid}`}`),
  };
};

/** What sessions cost in a scene. */
export const sceneSessions = (which: 'several' | 'none', nowMs: number): SessionList => {
  const shown = which === 'none' ? [] : sketches;
  const sum = (of: (sketch: Sketch) => number): number => shown.reduce((total, sketch) => total + of(sketch), 0);
  const count = (state: ShownSessionState): number => shown.filter((sketch) => sketch.state === state).length;
  return {
    schema: 1,
    host: 'local',
    at: moment(nowMs),
    olderSets:
      which === 'none'
        ? []
        : [
            {
              agent: 'codex',
              host: 5120,
              command: safe('npm exec @modelcontextprotocol/server-filesystem /home/mara/work'),
              sets: 14,
              waiting: 2,
              memoryBytes: 6_200 * megabyte,
              freesBytes: 5_400 * megabyte,
              jobs: ['0000b001', '0000b002'],
            },
          ],
    sessions: shown.map((sketch): SessionList['sessions'][number] => ({
      agent: sketch.agent,
      agentName: sketch.name,
      id: sketch.id ?? `session-${sketch.pid}`,
      pid: sketch.pid,
      state: sketch.state,
      unreachable: sketch.reach === undefined ? null : safe(sayReach(sketch.reach)),
      unreachableSaid: sketch.reach === undefined ? null : reachSaid(sketch.reach),
      ...idleOf(sketch, nowMs),
      project: safe(sketch.project),
      startedAt: moment(nowMs - sketch.hours * 3_600_000),
      ageSeconds: sketch.hours * 3600,
      processes: sketch.servers + sketch.jobs + 1,
      memory: memoryOf(sketch.mb, sketch.state === 'unknown' ? 'rss' : 'pss'),
      cpuSeconds: sketch.hours * 36 * sketch.percent,
      cpuPercent: sketch.percent,
      jobs: sketch.jobs,
      servers: sketch.servers,
      serverMemory: memoryOf(sketch.servers * 70, sketch.state === 'unknown' ? 'rss' : 'pss'),
      mostCopies: Math.floor(sketch.servers / 2),
      duplicates: sketch.duplicates,
      source: 'scene',
    })),
    duplicates:
      which === 'none'
        ? []
        : [
            {
              command: safe('node server-filesystem/dist/index.js /home/mara'),
              copies: 7,
              sessions: 3,
              memoryBytes: 410 * megabyte,
            },
          ],
    totals: {
      sessions: {
        live: count('live'),
        gone: count('gone'),
        unknown: count('unknown'),
        unreachable: count('unreachable'),
      },
      processes: sum(({ servers, jobs }) => servers + jobs + 1),
      memory: { ...memoryOf(sum(({ mb }) => mb)), swapBytes: which === 'none' ? 0 : 120 * megabyte },
      cpuSeconds: sum(({ hours, percent }) => hours * 36 * percent),
      jobs: sum(({ jobs }) => jobs),
      servers: sum(({ servers }) => servers),
      duplicates: sum(({ duplicates }) => duplicates),
    },
  };
};
