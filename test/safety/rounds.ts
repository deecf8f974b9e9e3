import { Scene } from '../os/scene/scene.ts';
import { StageNotSetError, setting } from '../os/scene/stage-error.ts';
import { LeftOverError, play, type Played } from './play.ts';
import type { WorldPlan } from './world.ts';

/**
 * What came of many worlds. A stage that could not be set says nothing about Curfew, so it is
 * counted and not shrunk.
 */
export interface Rounds {
  readonly played: Played[];
  /** Stages that could be set at the second try only. */
  readonly setAtSecondTry: string[];
  /** Worlds that were not played, since their stage could not be set twice. */
  readonly notSet: string[];
  /**
   * What was due and lived on in a world's first play and not in its second. A late end; who was
   * touched is never played again.
   */
  readonly late: string[];
}

/**
 * How many worlds of so many may stay unplayed, and in how many something may end at the second try
 * only, before the suite fails.
 */
export const maxNotSet = (worlds: number): number => Math.max(1, Math.floor(worlds / 100));

/**
 * How long a broken world is made smaller, in seconds; each smaller one takes as long as a world
 * does.
 */
const shrinkingSeconds = 150;

const playOnStage = async (plan: WorldPlan): Promise<Played> => {
  const stage = await setting(() => Scene.open());
  try {
    return await play(stage, plan);
  } finally {
    await stage.close();
  }
};

const tryRound = async (rounds: Rounds, playing: Promise<Played>): Promise<StageNotSetError | LeftOverError | null> => {
  try {
    rounds.played.push(await playing);
    return null;
  } catch (error) {
    if (error instanceof StageNotSetError || error instanceof LeftOverError) return error;
    throw error;
  }
};

/**
 * Plays a world, and once more when its stage could not be set or something due was not dead in
 * time, which a machine that gives a process no turn can do. Throws when an invariant is broken.
 */
export const playRound = async (
  rounds: Rounds,
  plan: WorldPlan,
  playOnce: (plan: WorldPlan) => Promise<Played> = playOnStage,
): Promise<void> => {
  const first = await tryRound(rounds, playOnce(plan));
  if (first === null) return;
  const second = await tryRound(rounds, playOnce(plan));
  if (second instanceof LeftOverError) throw second;
  if (second !== null) rounds.notSet.push(second.message);
  else if (first instanceof LeftOverError) rounds.late.push(first.message);
  else rounds.setAtSecondTry.push(first.message);
};

/**
 * A lane's property: the first broken world is told at once, and those that it is shrunk to are
 * played for `shrinkingSeconds`. After that each of them counts as one that holds, which ends the
 * shrinking with the smallest world found so far.
 */
export const boundedShrinking = (round: (plan: WorldPlan) => Promise<void>): ((plan: WorldPlan) => Promise<void>) => {
  let brokenAtMs: number | null = null;
  return async (plan) => {
    if (brokenAtMs !== null && performance.now() - brokenAtMs > shrinkingSeconds * 1000) return;
    try {
      await round(plan);
    } catch (error) {
      if (brokenAtMs === null) console.error(`an invariant is broken: ${String(error)}\nin ${JSON.stringify(plan)}`);
      brokenAtMs ??= performance.now();
      throw error;
    }
  };
};
