import type { Incident, Intent } from '../../app/history/incident.ts';
import type { JobId } from '../../app/model/job.ts';

export interface ReapingFailure {
  readonly job: JobId;
  readonly error: unknown;
  /** Null when not even the intent could be written. */
  readonly intent: Intent | null;
  /** How many of its processes lived when it was given up. */
  readonly left: number;
}

/** What advancing brought: complete incidents, and reapings that had to be given up. */
export interface ReaperProgress {
  readonly ended: readonly Incident[];
  readonly failed: readonly ReapingFailure[];
}

/** One step of what follows from a look; `more`: others are to be let in before the next. */
export interface LookStep extends ReaperProgress {
  readonly more: boolean;
}

/** Nothing came to its end: others are to be let in. */
export const othersFirst: LookStep = { ended: [], failed: [], more: true };

/** Lets others in after each step of some work; returns its result. */
export function* letOthersIn<Result>(steps: Generator<undefined, Result, unknown>): Generator<LookStep, Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    yield othersFirst;
  }
}

/** The result of a pass whose deliverer waits for promises. Rejects with what the pass throws. */
export const awaited = async <Result>(pass: Generator<Promise<unknown>, Result, unknown>): Promise<Result> => {
  let step = pass.next();
  while (step.done !== true) {
    let value: unknown;
    try {
      value = await step.value;
    } catch (error) {
      step = pass.throw(error);
      continue;
    }
    step = pass.next(value);
  }
  return step.value;
};

/** For a delivery that waits: gives what the promise resolves to; throws what it rejects with. */
export function* waitFor<Value>(promise: Promise<Value>): Generator<Promise<unknown>, Value, unknown> {
  let value: { readonly of: Value } | null = null;
  yield promise.then((of) => (value = { of }));
  if (value === null) throw new TypeError('the promise was not waited for');
  return (value as { readonly of: Value }).of;
}

/**
 * Drives until nothing is in progress: takes it as far as a scene allows, then the next scene.
 * @param advance false when nothing is in progress any more
 * @param next the next scene, once one is due
 */
export const driveToEnd = async <Scene>(
  first: Scene,
  advance: (scene: Scene) => boolean | Promise<boolean>,
  next: () => Promise<Scene>,
): Promise<void> => {
  for (let scene = first; await advance(scene);) scene = await next();
};
