import { setTimeout as sleep } from 'node:timers/promises';
import type { Innocent } from '../os/scene/innocents.ts';
import { lives } from '../os/scene/processes.ts';
import { Scene } from '../os/scene/scene.ts';
import { beginnerOf, type CastJob, putOnStage } from './cast.ts';
import { heardIn, lastingOf, readDiary } from './diary.ts';
import { putInnocent } from './people.ts';
import { putAgents } from './reach/stage.ts';
import { isDoubtful, isServerKind } from './servers/kinds.ts';
import { livesOn, type WorldPlan } from './world.ts';

/** What another program did in a world. */
export interface PeerPlayed {
  /** Processes that may not be touched, and how many of them got a signal. */
  readonly spared: number;
  readonly hit: readonly string[];
  /** Processes of servers of which nothing tells whether they are still wanted, and the same. */
  readonly doubtful: number;
  readonly doubtfulHit: readonly string[];
  /** Processes of jobs whose session is gone, and how many of them were left. */
  readonly due: number;
  readonly left: number;
}

const hasBeenHit = (stage: Scene, { identity, diary }: Innocent): boolean =>
  !stage.lives(identity) || (diary !== null && stage.read(diary) !== 'alive\n');

/** What a living session has left behind may well be ended. */
const leftAlive: ReadonlySet<string> = new Set(['reconnected', 'driver-gone', 'apart', 'left']);

const isDoubtfulJob = ({ kind, begunBy }: CastJob): boolean =>
  begunBy.kind === 'session' &&
  isServerKind(kind) &&
  (leftAlive.has(kind) || (!livesOn(begunBy.plan) && isDoubtful(kind)));

/**
 * Plays a world with another program instead of Curfew, and only counts: who got a signal, who is
 * left. Agents run in a terminal and pid 1 adopts orphans, which every program of this kind knows.
 * Nothing happens between its steps, because it can't be stopped at them.
 * @param command what the user's bash is told to run in that world, whatever it takes to make the
 *   program end what it finds
 */
export const playPeer = async (world: WorldPlan, command: string): Promise<PeerPlayed> => {
  // Only Curfew has runs of its own and reaches other machines.
  // What Curfew would know of earlier looks is nothing to them: what is due is due.
  const by = world.by === 'watch' ? 'watch' : 'reap';
  const settings = { sessionServers: 'end', unreachableAgents: 'show' } as const;
  const plan: WorldPlan = { ...world, by, runs: [], settings, looked: 'once', clock: 'steady' };
  const stage = await Scene.open({ adopter: 'init' });
  try {
    const adopter = stage.top;
    const terminal = await stage.actor({ argv: ['bash'], setsid: true });
    const innocents: Innocent[] = [];
    for (const { innocent } of await putAgents(stage, plan.agents)) innocents.push(innocent);
    for (const kind of plan.innocents) innocents.push(...(await putInnocent(stage, kind, plan)).innocents);
    stage.top = terminal;
    const { jobs, agents, users } = await putOnStage(stage, plan);
    innocents.push(...users);
    stage.top = adopter;
    const untouchable = jobs
      .filter((job) => job.due === 'spared')
      .map((job) => ({ job, rows: lastingOf(stage, job.number) }));
    const [doubtful = [], spared = []] = [true, false].map((is) =>
      untouchable.filter(({ job }) => isDoubtfulJob(job) === is),
    );
    const due = jobs.filter((job) => job.due === 'due');
    const dueRows = due.flatMap(({ number }) => lastingOf(stage, number));
    const pid = await terminal.start({
      file: '/bin/bash',
      argv: ['bash', '-c', command],
      env: stage.userEnvironment(),
      cwd: stage.home,
      setsid: true,
    });
    await terminal.ended(pid);
    // What it sent last is to be heard.
    await sleep(500);
    const hitOf = (all: typeof untouchable): readonly string[] =>
      all.flatMap(({ job, rows }) => {
        const heard = new Set(heardIn(readDiary(stage, job.number)).map(({ pid: one }) => one));
        return rows
          .filter((row) => heard.has(row.pid) || !lives(stage.row(row.pid)))
          .map(() => `${job.kind} of ${beginnerOf(job)}`);
      });
    const count = (all: typeof untouchable): number => all.reduce((sum, { rows }) => sum + rows.length, 0);
    return {
      spared: innocents.length + agents.length + count(spared),
      hit: [
        ...innocents.filter((one) => hasBeenHit(stage, one)).map(({ what }) => what),
        ...agents.filter((one) => hasBeenHit(stage, one) || one.signals().length > 0).map(({ what }) => what),
        ...hitOf(spared),
      ],
      doubtful: count(doubtful),
      doubtfulHit: hitOf(doubtful),
      due: dueRows.length,
      left: dueRows.filter((row) => stage.lives(row)).length,
    };
  } finally {
    await stage.close();
  }
};
