/**
 * `npm run coverage` counts code that runs in programs started by tests: a process with
 * NODE_V8_COVERAGE writes down what it ran, and Node passes the variable on to its children. Set
 * here, not for vitest, which counts its own modules itself. Does nothing in other runs.
 */
export const countPrograms = (): void => {
  const folder = process.env['CURFEW_TEST_COVERAGE'];
  if (folder === undefined) return;
  process.env['NODE_V8_COVERAGE'] = folder;
  // Counts of functions out of the compile cache are less exact:
  // https://nodejs.org/api/module.html#module-compile-cache
  process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
};
