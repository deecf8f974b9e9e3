import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { FarMachine } from '../os/remote/far-machine.ts';
import {
  curfewEnvironment,
  history,
  oneDocument,
  reap,
  type RunOptions,
  scan,
  startCurfew,
} from '../os/scene/curfew.ts';
import { expectUntouched } from '../os/scene/innocents.ts';
import { type Incident, reapDocument, type Scan, scanDocument } from '../os/scene/schemas.ts';
import { type Identity, lives } from '../os/scene/processes.ts';
import type { Scene } from '../os/scene/scene.ts';
import { StageError, StageNotSetError, setting } from '../os/scene/stage-error.ts';
import { afterLooks, looks, writeSettings } from '../os/scene/watching.ts';
import { beginnerOf, putOnStage, type CastJob } from './cast.ts';
import { heardIn, lastingOf, processesOf, readDiary, workersOfJob } from './diary.ts';
import { clockEnvironment, playClock, throughClock } from './clock.ts';
import { disturb } from './disturb.ts';
import { isUnproved } from './excuses.ts';
import { putInnocent } from './people.ts';
import { expectClaimed } from './claimed.ts';
import { checkRecord } from './record.ts';
import { beginRuns, type CastRun, endRuns } from './runs.ts';
import { armSteps, playSteps, stepsEnvironment, type Happened } from './steps.ts';
import { expectReasons } from './servers/reasons.ts';
import { canHaveWatched, type PutAgent, putAgents, watchLong } from './reach/stage.ts';
import { dueOfAgent, isUnreachable, type ReachRules } from './reach/kinds.ts';
import { isLost, type WorldPlan } from './world.ts';

/** What a world added up to, for the report. */
export interface Played {
  /** What delivered the signals. */
  readonly by: 'local' | 'remote' | 'run';
  readonly due: number;
  readonly spared: number;
  readonly signals: number;
  readonly recycled: number;
  readonly steps: number;
}

/**
 * A process that was due is not dead in its time. No innocent was touched: that is checked first.
 */
export class LeftOverError extends Error {
  override readonly name = 'LeftOverError';
}

/**
 * How many passes may be needed. One that was disturbed is finished by the next, as for a user
 * who calls it again. What the last process of a job starts before it dies is found by the next
 * pass; this one says that something goes on.
 */
const passesFor = ({ sessions, steps, disturbances }: WorldPlan): number => {
  if (steps.length + disturbances.length > 0) return 4;
  return sessions.some(({ jobs }) => jobs.includes('breeds') || jobs.includes('heir')) ? 3 : 1;
};

/** What lets Curfew work in a world, and tells what it wrote down. */
interface Hands {
  readonly env: Readonly<Record<string, string>>;
  /** The scene as another machine; null: nothing reaches it from outside. */
  readonly far: FarMachine | null;
  readonly runs: readonly CastRun[];
  /** What it is started through. */
  readonly through: Pick<RunOptions, 'through'>;
}

const web1 = ['--json', '--host', 'web1'] as const;
const farReaped = reapDocument.extend({ host: z.literal('web1') });
const farScanned = scanDocument.extend({ host: z.literal('web1') });

/** What `scan` says, from wherever Curfew works. */
const scanFrom = async (
  stage: Scene,
  far: FarMachine | null,
  more: readonly string[] = [],
): Promise<Pick<Scan, 'jobs'>> =>
  far === null ? scan(stage, more) : farScanned.parse(oneDocument(await far.run(['scan', ...web1, ...more])));

/** One pass by hand; what became of each job that it ended. */
const pass = async (
  stage: Scene,
  { env, far, through }: Hands,
): Promise<readonly Pick<Incident, 'command' | 'outcome'>[]> => {
  const how = ['--max-age', '0s', '--grace', '1s'];
  const { incidents } =
    far === null
      ? await reap(stage, how, { env, ...through })
      : farReaped.parse(oneDocument(await far.run(['reap', ...web1, ...how], 'an answer', env)));
  return incidents;
};

/**
 * What goes on was not said to have ended. A job of which a look could not read all, because it
 * forked meanwhile, has no part in that pass: it is left to the next one.
 */
const expectSaid = (incidents: Awaited<ReturnType<typeof pass>>, left: readonly number[]): void => {
  for (const { command, outcome } of incidents)
    if (left.some((number) => command.includes(`job-${number}`)))
      expect(outcome, `a pass says that ${command} goes on`).toBe('survived');
};

const historyOf = async (stage: Scene, { far }: Hands): Promise<readonly unknown[]> => {
  if (far === null) return history(stage);
  const document = oneDocument(await far.run(['history', ...web1]));
  return z.object({ incidents: z.array(z.unknown()) }).parse(document).incidents;
};

/** Lets Curfew work until nothing that is due is left, or it has had its time. */
const letCurfewWork = async (
  stage: Scene,
  plan: WorldPlan,
  hands: Hands,
  left: () => readonly number[],
): Promise<void> => {
  armSteps(stage, plan.steps);
  // A table is not read in an instant: a process that forks and exits meanwhile shows as dead, and
  // its child not at all; the next table shows the child. At load 24 a watch was told to stop
  // because of it.
  const nothingIsLeft = (): boolean => left().length + left().length + left().length === 0;
  if (plan.by === 'run') return endRuns(stage, hands.runs, hands.env);
  if (plan.by !== 'watch') {
    for (let number = 0; number < passesFor(plan); number++) {
      const incidents = await pass(stage, hands);
      if (nothingIsLeft()) return;
      if (plan.steps.length + plan.disturbances.length === 0) expectSaid(incidents, left());
    }
    return;
  }
  writeSettings(stage, {
    orphanGraceSeconds: 0,
    noticeSeconds: 0,
    scanIntervalSeconds: 0.5,
    backgroundKillGraceSeconds: 1,
    mode: 'enforce',
    ...(plan.innocents.includes('gets-events') ? { backgroundMaxElapsedSeconds: 10 } : {}),
    ...plan.settings,
  });
  const watch = await startCurfew(stage, ['watch', '--json'], { env: hands.env, ...hands.through });
  try {
    // Counted in looks, so that a slow machine is no broken promise; the limit in seconds is for a
    // watch that stands still.
    await stage.until(
      'the watch has ended what is due, or looked long',
      () => nothingIsLeft() || looks(watch) > 120,
      900,
    );
    // A few more looks at what is not due; what is still being written down gets its end.
    await afterLooks(stage, watch, 4);
  } finally {
    await watch.signal('TERM');
    await stage.until('the watch has ended as it was told', () => !stage.lives(watch.identity), 300);
    await watch.ended();
  }
};

/**
 * Who must be left as he is, for ever: each process of a job that isn't due, stopped ones as
 * stopped.
 */
const sparedOf = (stage: Scene, jobs: readonly CastJob[]) =>
  jobs
    .filter(({ due }) => due === 'spared')
    .flatMap((job) =>
      // The shells around a process that a run leaves alone end with the run.
      (job.begunBy.kind === 'run' ? workersOfJob : lastingOf)(stage, job.number).map(({ pid, start, state }) => ({
        what: `${job.kind} of ${beginnerOf(job)}`,
        identity: { pid, start },
        diary: null,
        stopped: state === 'T',
      })),
    );

/**
 * The most memory that one of the jobs' processes, or of the others, has held so far, in bytes
 * (VmHWM of proc_pid_status(5)).
 */
const maxBytesOf = (stage: Scene, jobs: readonly CastJob[], others: readonly Identity[]): number => {
  const peaks = [...jobs.flatMap(({ number }) => lastingOf(stage, number)), ...others]
    .map(({ pid }) => (stage.has(`/proc/${pid}/status`) ? stage.read(`/proc/${pid}/status`) : ''))
    .map((status) => Number(/^VmHWM:\s+(\d+) kB$/mu.exec(status)?.[1] ?? 0) * 1024);
  return Math.max(0, ...peaks);
};

const rulesOf = ({ by, settings, looked }: WorldPlan): ReachRules => ({
  by,
  unreachableAgents: settings.unreachableAgents,
  watched: looked === 'long' && canHaveWatched(),
});

/** Gives the near machine the settings of the world. */
const settle = (far: FarMachine, settings: WorldPlan['settings']): void => {
  const folder = join(far.home, 'curfew');
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ schemaVersion: 1, ...settings }), { mode: 0o600 });
};

/**
 * An earlier Curfew looks, while all sessions live, and may have watched agents for long. Gives
 * what it saw.
 */
const lookOnce = async (stage: Scene, plan: WorldPlan, far: FarMachine | null): Promise<readonly Identity[]> => {
  if (plan.looked === 'no') return [];
  // What lives before the look and goes on after it was seen by it.
  const before = stage.table().filter(lives);
  await scanFrom(stage, far);
  if (isLost(plan)) {
    // As a disk that was full, or a copy that was broken off, leaves it.
    stage.write('/tmp/curfew-home/ledger.db', 'x'.repeat(60_000));
    for (const more of ['-wal', '-shm']) rmSync(stage.outside(`/tmp/curfew-home/ledger.db${more}`), { force: true });
    return [];
  }
  if (far === null && plan.agents.some(isUnreachable) && rulesOf(plan).watched) await watchLong(stage);
  return before.map(({ pid, start }) => ({ pid, start }));
};

/**
 * Plays one world and fails when an invariant is broken: no innocent touched, all that is due dead,
 * every signal on record. Throws a LeftOverError when no more is wrong than that something due
 * lives, and a StageNotSetError when that world could not be set, or what was to happen in it did
 * not, and nothing was broken.
 */
export const play = async (stage: Scene, plan: WorldPlan): Promise<Played> => {
  const { placed, put, cast, seen, hands } = await setting(async () => {
    const far = plan.by === 'remote' ? await FarMachine.around(stage) : null;
    writeSettings(stage, { ...plan.settings });
    if (far !== null) settle(far, plan.settings);
    const before = await putAgents(stage, plan.agents);
    const people = [];
    for (const kind of plan.innocents) people.push(await putInnocent(stage, kind, plan));
    let looked: readonly Identity[] = [];
    const onStage = await putOnStage(stage, plan, async () => {
      looked = await lookOnce(stage, plan, far);
    });
    const stops =
      far === null
        ? { ...curfewEnvironment(stage), ...stepsEnvironment(stage, plan.steps) }
        : stepsEnvironment(stage, plan.steps, 'outside');
    const env = clockEnvironment(stage, plan, stops);
    const runs = await beginRuns(stage, plan, env);
    return {
      placed: people,
      put: before,
      cast: onStage,
      seen: looked,
      hands: { env, far, runs, through: throughClock(plan) },
    };
  });
  const { runs } = hands;
  const isDueAgent = (one: PutAgent): boolean => dueOfAgent(one.plan, rulesOf(plan));
  const innocents = [
    ...[...placed, ...runs].flatMap((one) => one.innocents),
    ...put.filter((one) => !isDueAgent(one)).map(({ innocent }) => innocent),
    ...cast.users,
  ];
  const dueBeside = [
    ...[...placed, ...runs].flatMap((one) => one.due),
    ...put.filter(isDueAgent).map(({ innocent }) => innocent.identity),
  ];
  const jobs = [...cast.jobs, ...runs.flatMap((one) => one.jobs)];
  const { agents } = cast;
  const due = jobs.filter((job) => job.due === 'due');
  const spared = sparedOf(stage, jobs);
  const maxBytes = maxBytesOf(stage, jobs, [...put.map(({ innocent }) => innocent.identity), ...dueBeside]);
  // All that a run started may be in one group, with the readers of all its pipes.
  const dueProcesses = new Set([
    ...due.flatMap(({ number }) => lastingOf(stage, number).map(({ pid }) => pid)),
    ...dueBeside.filter((one) => stage.lives(one)).map(({ pid }) => pid),
  ]).size;

  // Claude Code 2.0 is gone only while none of its kind lives: with a session that begins meanwhile
  // either answer is right.
  const undecided = plan.sessions.some(({ agent }) => agent === 'claude-2.0.28');
  const disturbances = plan.disturbances.filter(({ kind }) => kind !== 'new-session' || !undecided);

  const happened: Happened = { strangers: [], excused: new Set(), done: 0 };
  const isExcused = (job: CastJob): boolean => happened.excused.has(job.number) || isUnproved(stage, plan, seen, job);
  const leftOf = (number: number, table = stage.table()) =>
    processesOf(
      stage,
      number,
      happened.strangers.map(({ identity }) => identity),
      table,
    );
  /** Numbers of jobs that go on, and pids beside them. */
  const left = (): readonly number[] => {
    const table = stage.table();
    return [
      ...due.flatMap((job) => (isExcused(job) || leftOf(job.number, table).length === 0 ? [] : [job.number])),
      ...dueBeside.filter((one) => stage.lives(one)).map(({ pid }) => pid),
    ];
  };
  // Told only when all the invariants held: what is waited for in vain may have been ended by
  // Curfew.
  const didNotHappen: StageError[] = [];
  const doubt = (error: unknown): void => {
    if (!(error instanceof StageError)) throw error;
    didNotHappen.push(error);
  };
  let over = false;
  const working = letCurfewWork(stage, plan, hands, left).finally(() => (over = true));
  // Over SSH a busy machine may give a pass no answer in time.
  const unanswered: StageError[] = [];
  await Promise.all([
    working.catch((error: unknown) => {
      if (plan.by !== 'remote' || !(error instanceof StageError)) throw error;
      unanswered.push(error);
    }),
    playSteps(stage, due, plan.steps, happened, () => over).catch(doubt),
    playClock(stage, plan, () => over),
    ...disturbances.map((one) => disturb(stage, jobs, one, happened.strangers).catch(doubt)),
  ]);

  expectUntouched(stage, [...innocents, ...agents, ...spared, ...happened.strangers]);
  for (const { what, signals } of agents) expect(signals(), `what ${what} was sent`).toEqual([]);
  for (const { what, identity, stopped } of spared)
    if (stopped) expect(stage.row(identity.pid)?.state, `${what} stands still`).toBe('T');
  for (const { number, kind, due: isDue } of jobs)
    if (isDue === 'spared') expect(heardIn(readDiary(stage, number)), `what ${kind} was sent`).toEqual([]);
  for (const error of unanswered)
    throw new StageNotSetError(`a pass had no answer: ${error.message}`, { cause: error });
  for (const job of due) {
    if (isExcused(job)) continue;
    const rows = leftOf(job.number).map(({ pid, state, argv }) => `${pid} ${state} ${argv.join(' ')}`);
    if (rows.length > 0) throw new LeftOverError(`${job.kind} of ${beginnerOf(job)}, lives: ${rows.join(', ')}`);
  }
  for (const one of dueBeside)
    if (stage.lives(one))
      throw new LeftOverError(`${stage.row(one.pid)?.argv.join(' ')}, due beside an innocent, lives`);
  const changed = happened.done > 0 || disturbances.length > 0;
  const signals = checkRecord(stage, plan, {
    history: await historyOf(stage, hands),
    jobs,
    innocents: [...innocents, ...agents, ...spared],
    strangers: happened.strangers,
    changed,
    stopped: plan.steps.some(({ what }) => what === 'stops'),
    maxBytes,
  });
  if (dueProcesses > 0 && !changed) expect(signals, 'what was ended is on record').toBeGreaterThan(0);
  // One look is for both: nothing happens any more.
  let look: ReturnType<typeof scanFrom> | null = null;
  const scanAll = (): ReturnType<typeof scanFrom> => (look ??= scanFrom(stage, hands.far, ['--all']));
  if (!changed) await expectReasons(stage, plan, cast.jobs, scanAll);
  if (plan.by !== 'run') await expectClaimed(stage, plan, jobs, scanAll);
  const [first] = didNotHappen;
  if (first !== undefined)
    throw new StageNotSetError(`a disturbance did not happen: ${first.message}`, { cause: first });
  return {
    by: plan.by === 'remote' || plan.by === 'run' ? plan.by : 'local',
    due: dueProcesses,
    spared: innocents.length + agents.length + spared.length,
    signals,
    recycled: happened.strangers.length,
    steps: happened.done,
  };
};
