/** Time in which the guard has to decide, milliseconds. */
const thoughtMs = 800;
/**
 * What is shorter takes it a few milliseconds at most, whatever is in it; measured on the worst
 * texts that were found. UTF-16 code units.
 */
const alwaysQuick = 4096;

const name = Symbol.for('curfew.guard.work');

/**
 * Does a work that may take long with a text of that length, and gives up after 0.8 s. A timer
 * could not end what keeps the only thread busy; Node ends a script that was given a limit
 * (https://nodejs.org/api/vm.html#scriptruninthiscontextoptions). Its module costs a twentieth of
 * the guard's whole time, so short texts do without.
 * @throws what the work throws, and an error when the time is up
 */
export const withTimeLimit = <Result>(length: number, work: () => Result): Result => {
  if (length <= alwaysQuick) return work();
  const { runInThisContext } = process.getBuiltinModule('node:vm');
  Reflect.set(globalThis, name, work);
  return runInThisContext(`globalThis[Symbol.for(${JSON.stringify(name.description)})]()`, {
    timeout: thoughtMs,
  }) as Result;
};
