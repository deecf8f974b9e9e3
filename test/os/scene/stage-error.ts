/** What a test waited for on a stage did not come. Its message begins with `waited in vain: `. */
export class StageError extends Error {
  override readonly name: string = 'StageError';
}

/** A scene could not be set: it says nothing about Curfew, which has not been started in it yet. */
export class StageNotSetError extends StageError {
  override readonly name = 'StageNotSetError';
}

/** Sets a part of a scene. Whatever goes wrong in there is a StageNotSetError, with what went wrong as its cause. */
export const setting = async <T>(part: () => Promise<T>): Promise<T> => {
  try {
    return await part();
  } catch (cause) {
    throw new StageNotSetError(`the stage could not be set: ${String(cause)}`, { cause });
  }
};
