import { expect } from 'vitest';
import { reap, startCurfew } from '../os/scene/curfew.ts';
import { expectUntouched } from '../os/scene/innocents.ts';
import { lives } from '../os/scene/processes.ts';
import type { Scene } from '../os/scene/scene.ts';
import { StageError, StageNotSetError, setting } from '../os/scene/stage-error.ts';
import { afterLooks, looks, writeSettings } from '../os/scene/watching.ts';
import { putOnStage, type Cast, type CastJob } from './cast.ts';
import { heardIn, lastingOf, processesOf, readDiary } from './diary.ts';
import { disturb } from './disturb.ts';
import { putInnocent } from './people.ts';
import { checkRecord } from './record.ts';
import { playSteps, prepareSteps, type Happened } from './steps.ts';
import { livesOn, type WorldPlan } from './world.ts';

/** What a world added up to, for the report. */
export interface Played {
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

/** Lets Curfew work until nothing that is due is left, or it has had its time. */
const letCurfewWork = async (
  stage: Scene,
  plan: WorldPlan,
  env: Record<string, string>,
  left: () => number,
): Promise<void> => {
  // A table is not read in an instant: a process that forks and exits meanwhile shows as dead, and
  // its child not at all; the next table shows the child. At load 24 a watch was told to stop
  // because of it.
  const nothingIsLeft = (): boolean => left() === 0 && left() === 0 && left() === 0;
  if (plan.by === 'reap') {
    for (let pass = 0; pass < passesFor(plan); pass++) {
      const { incidents } = await reap(stage, ['--max-age', '0s', '--grace', '1s'], { env });
      if (nothingIsLeft()) return;
      if (plan.steps.length + plan.disturbances.length === 0)
        expect(
          incidents.map(({ outcome }) => outcome),
          'a pass after which something goes on says so',
        ).toContain('survived');
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
  });
  const watch = await startCurfew(stage, ['watch', '--json'], { env });
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
    await watch.ended();
  }
};

/**
 * Who must be left as he is, for ever: each process of a job that isn't due, stopped ones as
 * stopped.
 */
const sparedOf = (stage: Scene, { jobs }: Cast) =>
  jobs
    .filter(({ due }) => due === 'spared')
    .flatMap((job) =>
      lastingOf(stage, job.number).map(({ pid, start, state }) => ({
        what: `${job.kind} of ${job.session.agent}, which ${job.session.fate}`,
        identity: { pid, start },
        diary: null,
        stopped: state === 'T',
      })),
    );

/**
 * The most memory that one of the jobs' processes has held so far, in bytes (VmHWM of
 * proc_pid_status(5)).
 */
const maxBytesOf = (stage: Scene, jobs: readonly CastJob[]): number => {
  const peaks = jobs
    .flatMap(({ number }) => lastingOf(stage, number))
    .map(({ pid }) => (stage.has(`/proc/${pid}/status`) ? stage.read(`/proc/${pid}/status`) : ''))
    .map((status) => Number(/^VmHWM:\s+(\d+) kB$/mu.exec(status)?.[1] ?? 0) * 1024);
  return Math.max(0, ...peaks);
};

/**
 * Claude Code 2.1.197 names its session and no process. A process that was forked
 * late, when no other of its job was left or before a look, may then be of any living Claude Code
 * that is older than it.
 */
const mayBeAnothers = ({ sessions, steps, disturbances }: WorldPlan, { session, kind }: CastJob): boolean => {
  if (session.agent !== 'claude-2.1.197') return false;
  const another =
    sessions.some((one) => one.agent.startsWith('claude') && (livesOn(one) || one.fate === 'background')) ||
    disturbances.some((one) => one.kind === 'new-session');
  const forked = steps.some(({ what }) => what === 'fork' || what === 'leave' || what === 'setsid');
  return another && (forked || (kind === 'breeds' && session.fate === 'ends'));
};

/**
 * What overwrote its marks is a job's by its parents and its group; where those change, nothing
 * tells whose it is.
 */
const mayBeUnmarked = ({ steps, disturbances }: WorldPlan, { kind }: CastJob): boolean =>
  kind === 'renames' && steps.length + disturbances.length > 0;

/**
 * Plays one world and fails when an invariant is broken: no innocent touched, all that is due dead,
 * every signal on record. Throws a LeftOverError when no more is wrong than that something due
 * lives, and a StageNotSetError when that world could not be set, or what was to happen in it did
 * not, and nothing was broken.
 */
export const play = async (stage: Scene, plan: WorldPlan): Promise<Played> => {
  const { placed, cast } = await setting(async () => {
    const people = [];
    for (const kind of plan.innocents) people.push(await putInnocent(stage, kind, plan.by));
    return { placed: people, cast: await putOnStage(stage, plan) };
  });
  const innocents = placed.flatMap((one) => one.innocents);
  const dueBeside = placed.flatMap((one) => one.due);
  const { jobs, agents } = cast;
  const due = jobs.filter((job) => job.due === 'due');
  const spared = sparedOf(stage, cast);
  const maxBytes = maxBytesOf(stage, jobs);
  const dueProcesses = due.reduce((sum, { number }) => sum + lastingOf(stage, number).length, 0);

  // Claude Code 2.0 is gone only while none of its kind lives: with a session that begins meanwhile
  // either answer is right.
  const undecided = plan.sessions.some(({ agent }) => agent === 'claude-2.0.28');
  const disturbances = plan.disturbances.filter(({ kind }) => kind !== 'new-session' || !undecided);

  const happened: Happened = { strangers: [], excused: new Set(), done: 0 };
  // Where another process has the pid that a job names as its agent's, nothing proves that this
  // isn't its agent: it is only reported.
  const isExcused = (job: CastJob): boolean =>
    happened.excused.has(job.number) ||
    lives(stage.row(job.agent)) ||
    mayBeAnothers(plan, job) ||
    mayBeUnmarked(plan, job);
  const leftOf = (number: number, table = stage.table()) =>
    processesOf(
      stage,
      number,
      happened.strangers.map(({ identity }) => identity),
      table,
    );
  const left = (): number => {
    const table = stage.table();
    const beside = dueBeside.filter((one) => stage.lives(one)).length;
    return due.reduce((sum, job) => sum + (isExcused(job) ? 0 : leftOf(job.number, table).length), beside);
  };
  // Told only when all the invariants held: what is waited for in vain may have been ended by
  // Curfew.
  const didNotHappen: StageError[] = [];
  const doubt = (error: unknown): void => {
    if (!(error instanceof StageError)) throw error;
    didNotHappen.push(error);
  };
  let over = false;
  const working = letCurfewWork(stage, plan, prepareSteps(stage, plan.steps), left).finally(() => (over = true));
  await Promise.all([
    working,
    playSteps(stage, due, plan.steps, happened, () => over).catch(doubt),
    ...disturbances.map((one) =>
      disturb(stage, jobs, one).then((came) => {
        happened.strangers.push(...came);
      }, doubt),
    ),
  ]);

  expectUntouched(stage, [...innocents, ...agents, ...spared, ...happened.strangers]);
  for (const { what, signals } of agents) expect(signals(), `what ${what} was sent`).toEqual([]);
  for (const { what, identity, stopped } of spared)
    if (stopped) expect(stage.row(identity.pid)?.state, `${what} stands still`).toBe('T');
  for (const { number, kind, due: isDue } of jobs)
    if (isDue === 'spared') expect(heardIn(readDiary(stage, number)), `what ${kind} was sent`).toEqual([]);
  for (const job of due) {
    if (isExcused(job)) continue;
    const rows = leftOf(job.number).map(({ pid, state, argv }) => `${pid} ${state} ${argv.join(' ')}`);
    if (rows.length > 0)
      throw new LeftOverError(
        `${job.kind} of ${job.session.agent}, which ${job.session.fate}, lives: ${rows.join(', ')}`,
      );
  }
  for (const one of dueBeside)
    if (stage.lives(one))
      throw new LeftOverError(`${stage.row(one.pid)?.argv.join(' ')}, due beside an innocent, lives`);
  const changed = happened.done > 0 || disturbances.length > 0;
  const signals = await checkRecord(stage, plan, {
    jobs,
    innocents: [...innocents, ...agents, ...spared],
    strangers: happened.strangers,
    changed,
    stopped: plan.steps.some(({ what }) => what === 'stops'),
    maxBytes,
  });
  if (dueProcesses > 0 && !changed) expect(signals, 'what was ended is on record').toBeGreaterThan(0);
  const [first] = didNotHappen;
  if (first !== undefined)
    throw new StageNotSetError(`a disturbance did not happen: ${first.message}`, { cause: first });
  return {
    due: dueProcesses,
    spared: innocents.length + agents.length + spared.length,
    signals,
    recycled: happened.strangers.length,
    steps: happened.done,
  };
};
