import { setTimeout as sleep } from 'node:timers/promises';
import { innocent, type Innocent } from '../os/scene/innocents.ts';
import type { Identity } from '../os/scene/processes.ts';
import type { Scene } from '../os/scene/scene.ts';

let strangers = 0;

const turns = new WeakMap<Scene, Promise<unknown>>();

/**
 * One change of a stage at a time: what one of them is about to end by its pid must not have become
 * what another one put there.
 */
export const inTurn = async <Result>(stage: Scene, work: () => Promise<Result>): Promise<Result> => {
  const turn = (turns.get(stage) ?? Promise.resolve()).then(work);
  turns.set(
    stage,
    turn.catch(() => undefined),
  );
  return turn;
};

/**
 * Ends a process and gives its pid to a program of the user, which keeps a diary; null where that
 * can't be: a zombie that is not waited for keeps its pid, as does the id of a group that still has
 * members, or another process was quicker.
 * @param argv what the user's program is called; a script of that name is made in a folder of its
 *   own
 */
export const recycle = async (
  stage: Scene,
  victim: Identity,
  argv: readonly [string, string] | null = null,
): Promise<Innocent | null> => {
  const { pid } = victim;
  if (!stage.lives(victim)) return null;
  await stage.first.signal(pid, 'KILL');
  for (let turn = 0; turn < 25 && stage.row(pid) !== null; turn++) await sleep(20);
  if (stage.row(pid) !== null) return null;
  const cwd = `${stage.home}/stranger-${strangers++}`;
  try {
    return await innocent(stage, { argv: argv ?? ['node', 'stranger.js'], cwd, setsid: true, pid });
  } catch (error) {
    if (error instanceof Error && /instead of|no living process/u.test(error.message)) return null;
    throw error;
  }
};
