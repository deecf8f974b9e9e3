/** Work in small steps: between yields other work may come, without effect on the result. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/**
 * Rows of a table in one step where little is done for each: handing the turn on costs more than
 * that, and every idle look pays it.
 */
export const rowsOfStep = 32;

/** Does all of it now and returns its result. Throws what the work throws. */
export const drain = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
};
