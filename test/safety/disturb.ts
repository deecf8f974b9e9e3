import { setTimeout as sleep } from 'node:timers/promises';
import { FakeClaude } from '../os/scene/claude.ts';
import type { Innocent } from '../os/scene/innocents.ts';
import { bystander } from '../os/scene/innocents.ts';
import type { Scene } from '../os/scene/scene.ts';
import type { CastJob } from './cast.ts';
import { workersOfJob } from './diary.ts';
import { recycle } from './strangers.ts';
import type { Disturbance } from './world.ts';

/** Lets it happen at its time; returns who came and must be spared. */
export const disturb = async (
  stage: Scene,
  jobs: readonly CastJob[],
  { kind, afterMs, which }: Disturbance,
): Promise<readonly Innocent[]> => {
  await sleep(afterMs);
  if (kind === 'recycled') {
    const workers = jobs.filter(({ due }) => due === 'due').flatMap(({ number }) => workersOfJob(stage, number));
    const victim = workers[which % Math.max(1, workers.length)];
    const stranger = victim === undefined ? null : await recycle(stage, victim);
    return stranger === null ? [] : [stranger];
  }
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/project-${which % 2}` });
  const call = await claude.bash('sleep 88888 | cat');
  return [
    bystander(stage, 'a session that began meanwhile', claude.actor.pid),
    { what: 'its tool call', identity: call.shell, diary: null },
  ];
};
