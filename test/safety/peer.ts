import { setTimeout as sleep } from 'node:timers/promises';
import type { Innocent } from '../os/scene/innocents.ts';
import { lives } from '../os/scene/processes.ts';
import { Scene } from '../os/scene/scene.ts';
import { beginnerOf, putOnStage } from './cast.ts';
import { heardIn, lastingOf, readDiary } from './diary.ts';
import { putInnocent } from './people.ts';
import type { WorldPlan } from './world.ts';

/** What another program did in a world. */
export interface PeerPlayed {
  /** Processes that may not be touched, and how many of them got a signal. */
  readonly spared: number;
  readonly hit: readonly string[];
  /** Processes of jobs whose session is gone, and how many of them were left. */
  readonly due: number;
  readonly left: number;
}

const hasBeenHit = (stage: Scene, { identity, diary }: Innocent): boolean =>
  !stage.lives(identity) || (diary !== null && stage.read(diary) !== 'alive\n');

/**
 * Plays a world with another program instead of Curfew, and only counts: who got a signal, who is
 * left. Agents run in a terminal and pid 1 adopts orphans, which every program of this kind knows.
 * Nothing happens between its steps, because it can't be stopped at them.
 * @param command what the person's bash is told to run in that world, whatever it takes to make the
 *   program end what it finds
 */
export const playPeer = async (world: WorldPlan, command: string): Promise<PeerPlayed> => {
  // Only Curfew has runs of its own and reaches other machines.
  const plan: WorldPlan = { ...world, by: world.by === 'watch' ? 'watch' : 'reap', runs: [] };
  const stage = await Scene.open({ adopter: 'init' });
  try {
    const adopter = stage.top;
    const terminal = await stage.actor({ argv: ['bash'], setsid: true });
    const innocents: Innocent[] = [];
    for (const kind of plan.innocents) innocents.push(...(await putInnocent(stage, kind, plan.by)).innocents);
    stage.top = terminal;
    const { jobs, agents } = await putOnStage(stage, plan);
    stage.top = adopter;
    const spared = jobs
      .filter(({ due }) => due === 'spared')
      .map((job) => ({ job, rows: lastingOf(stage, job.number) }));
    const due = jobs.filter((job) => job.due === 'due');
    const dueRows = due.flatMap(({ number }) => lastingOf(stage, number));
    const pid = await terminal.start({
      file: '/bin/bash',
      argv: ['bash', '-c', command],
      env: stage.personEnvironment(),
      cwd: stage.home,
      setsid: true,
    });
    await terminal.ended(pid);
    // What it sent last is to be heard.
    await sleep(500);
    return {
      spared: innocents.length + agents.length + spared.reduce((sum, { rows }) => sum + rows.length, 0),
      hit: [
        ...innocents.filter((one) => hasBeenHit(stage, one)).map(({ what }) => what),
        ...agents.filter((one) => hasBeenHit(stage, one) || one.signals().length > 0).map(({ what }) => what),
        ...spared.flatMap(({ job, rows }) => {
          const heard = new Set(heardIn(readDiary(stage, job.number)).map(({ pid: one }) => one));
          return rows
            .filter((row) => heard.has(row.pid) || !lives(stage.row(row.pid)))
            .map(() => `${job.kind} of ${beginnerOf(job)}`);
        }),
      ],
      due: dueRows.length,
      left: dueRows.filter((row) => stage.lives(row)).length,
    };
  } finally {
    await stage.close();
  }
};
