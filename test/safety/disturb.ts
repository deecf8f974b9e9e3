import { setTimeout as sleep } from 'node:timers/promises';
import { FakeClaude } from '../os/scene/claude.ts';
import type { Innocent } from '../os/scene/innocents.ts';
import { bystander } from '../os/scene/innocents.ts';
import type { Scene } from '../os/scene/scene.ts';
import { identitiesOf, type CastJob } from './cast.ts';
import type { Disturbance } from './world.ts';

/** Ends a process of a due job and gives its pid to a program of the person, if nobody else took it first. */
const recycle = async (stage: Scene, jobs: readonly CastJob[], which: number): Promise<Innocent | null> => {
  const due = jobs.filter((job) => job.due).flatMap(({ number }) => identitiesOf(stage, number));
  const victim = due[which % Math.max(1, due.length)];
  if (victim === undefined || !stage.lives(victim)) return null;
  const { pid } = victim;
  await stage.first.signal(pid, 'KILL');
  for (let turn = 0; turn < 25 && stage.row(pid) !== null; turn++) await sleep(20);
  // A zombie that nobody waits for keeps its pid.
  if (stage.row(pid) !== null) return null;
  const start = { file: '/bin/sleep', argv: ['sleep', '77777'], env: stage.personEnvironment(), setsid: true, pid };
  try {
    return { what: `who got pid ${pid}`, identity: await stage.top.begin(start), diary: null };
  } catch (error) {
    if (error instanceof Error && error.message.includes('instead of')) return null;
    throw error;
  }
};

/** Lets it happen at its time; returns who came and must be spared. */
export const disturb = async (
  stage: Scene,
  jobs: readonly CastJob[],
  { kind, afterMs, which }: Disturbance,
): Promise<readonly Innocent[]> => {
  await sleep(afterMs);
  if (kind === 'recycled') {
    const stranger = await recycle(stage, jobs, which);
    return stranger === null ? [] : [stranger];
  }
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/project-${which % 2}` });
  const call = await claude.bash('sleep 88888 | cat');
  return [
    bystander(stage, 'a session that began meanwhile', claude.actor.pid),
    { what: 'its tool call', identity: call.shell, diary: null },
  ];
};
