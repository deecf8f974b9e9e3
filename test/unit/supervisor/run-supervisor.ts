import { afterEach, beforeEach, vi } from 'vitest';
import type { Incident } from '../../../app/history/incident.ts';
import type { MemoryState } from '../../../app/judge/scarce-memory.ts';
import { MemoryWatch } from '../../../main/supervisor/memory-watch.ts';
import { Supervisor } from '../../../main/supervisor/supervisor.ts';
import type { Plant } from '../jobs/plant.ts';
import { claudeEnvironment, claudeShell } from '../jobs/plant.ts';
import { Stage } from './stage.ts';

/** The environment of what a session with process 34 starts. */
export const env = claudeEnvironment({ pid: 34 });
/** A job of that session, which has no process any more; past the grace of an orphan. */
export const orphan: readonly Plant[] = [
  { pid: 69, start: 99_000, sid: 69, argv: claudeShell('sleep 9 | cat'), env },
  { pid: 70, start: 99_001, ppid: 69, argv: 'sleep 9', env },
];

/** A supervisor on a stage, and what it told. */
export interface Run {
  readonly stage: Stage;
  readonly supervisor: Supervisor;
  readonly ended: Incident[];
  readonly problems: unknown[];
  readonly noticed: string[];
  /** Jobs of looks that Curfew was said not to be ending, as `rootPid outcomes so far`. */
  readonly others: string[];
  looks: number;
  /** Called when it told of a look. */
  onLooked: () => void;
  lookFails: boolean;
  journalProblem: Error | null;
  /** What the machine says of its memory. */
  memory: MemoryState | null;
  /** A session tells something through its hooks. */
  news: () => void;
  /** Lets so many seconds pass on every clock. */
  readonly pass: (seconds: number) => Promise<void>;
}

const running: Supervisor[] = [];

/** Starts one; it is ended after the test. Timers are played while this file is imported. */
export const run = (...plants: readonly Plant[]): Run => {
  const stage = new Stage(...plants);
  stage.machine.source.scan = () => {
    if (one.lookFails) throw new Error('the machine does not answer');
    return stage.machine.table();
  };
  const supervisor = new Supervisor({
    observer: stage.observer,
    reaper: stage.reaper,
    settings: () => stage.settings,
    journalProblem: () => one.journalProblem,
    rememberNotices: (notices, atMs) => {
      const given = new Map(notices.map(({ id, announcedAtTicks }) => [id, announcedAtTicks]));
      stage.ledger = stage.ledger.map((entry) => {
        const announcedAtTicks = given.get(entry.id);
        return announcedAtTicks === undefined ? entry : { ...entry, noticedAtMs: atMs, announcedAtTicks };
      });
    },
    now: () => stage.wallMs,
    memory: new MemoryWatch(() => one.memory),
    sessionNews: { listen: (heard) => (one.news = heard), close: () => undefined },
    paused: () => stage.paused,
    departed: (look, isOurs) => {
      for (const [id, { job }] of look.jobs) if (!isOurs(id)) one.others.push(`${job.root.pid} ${one.ended.length}`);
      return [];
    },
    events: {
      looked: () => {
        one.looks += 1;
        one.onLooked();
      },
      noticed: ({ verdict }) => one.noticed.push(verdict.state),
      reaping: () => undefined,
      ended: (incident) => one.ended.push(incident),
      failed: ({ error }) => one.problems.push(error),
      problem: (error) => one.problems.push(error),
    },
  });
  const one: Run = {
    stage,
    supervisor,
    ended: [],
    problems: [],
    noticed: [],
    others: [],
    looks: 0,
    onLooked: () => undefined,
    lookFails: false,
    journalProblem: null,
    memory: null,
    news: () => undefined,
    pass: async (seconds) => {
      for (let tenth = 0; tenth < seconds * 10; tenth += 1) {
        stage.pass(0.1);
        await vi.advanceTimersByTimeAsync(100);
      }
    },
  };
  running.push(supervisor);
  supervisor.start();
  return one;
};

/**
 * The same, a notice later: what was due at the first look is seen to be due for the first time.
 */
export const runToNotice = async (...plants: readonly Plant[]): Promise<Run> => {
  const one = run(...plants);
  const isDue = (): boolean =>
    [...(one.supervisor.latest?.jobs.values() ?? [])].some(({ verdict }) => verdict.action === 'reap');
  for (let seconds = 0; seconds < 120 && !isDue(); seconds += 1) await one.pass(1);
  return one;
};

/**
 * For the top of a test file: its tests have a clock that goes only when they say so, and
 * supervisors that stop with them.
 */
export const withClock = (): void => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(async () => {
    const stopping = Promise.all(running.splice(0).map(async (supervisor) => supervisor.stop()));
    await vi.advanceTimersByTimeAsync(60_000);
    await stopping;
    vi.useRealTimers();
  });
};
