/** A test waited in vain on a stage. Its message begins with `waited in vain: `. */
export class StageError extends Error {
  override readonly name: string = 'StageError';
}

/**
 * A scene could not be set up: it says nothing about Curfew, which has not been started in it yet.
 */
export class StageNotSetError extends StageError {
  override readonly name = 'StageNotSetError';
}

/** Sets up a part of a scene. Any error becomes a StageNotSetError with that error as its cause. */
export const setting = async <T>(part: () => Promise<T>): Promise<T> => {
  try {
    return await part();
  } catch (cause) {
    throw new StageNotSetError(`the stage could not be set: ${String(cause)}`, { cause });
  }
};
