import { setTimeout as sleep } from 'node:timers/promises';
import { FakeClaude } from '../os/scene/claude.ts';
import type { Innocent } from '../os/scene/innocents.ts';
import { bystander } from '../os/scene/innocents.ts';
import type { Scene } from '../os/scene/scene.ts';
import type { CastJob } from './cast.ts';
import { workersOfJob } from './diary.ts';
import { inTurn, recycle } from './strangers.ts';
import type { Disturbance } from './world.ts';

/** Lets it happen at its time; what came, and must be spared, is added to `strangers`. */
export const disturb = async (
  stage: Scene,
  jobs: readonly CastJob[],
  { kind, afterMs, which }: Disturbance,
  strangers: Innocent[],
): Promise<void> => {
  await sleep(afterMs);
  if (kind === 'recycled')
    return inTurn(stage, async () => {
      const except = strangers.map(({ identity }) => identity);
      const workers = jobs
        .filter(({ due }) => due === 'due')
        .flatMap(({ number }) => workersOfJob(stage, number, except));
      const victim = workers[which % Math.max(1, workers.length)];
      const stranger = victim === undefined ? null : await recycle(stage, victim);
      if (stranger !== null) strangers.push(stranger);
    });
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/project-${which % 2}` });
  const call = await claude.bash('sleep 88888 | cat');
  strangers.push(bystander(stage, 'a session that began meanwhile', claude.actor.pid), {
    what: 'its tool call',
    identity: call.shell,
    diary: null,
  });
};
