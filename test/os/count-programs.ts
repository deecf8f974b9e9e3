/**
 * `npm run coverage` counts what the programs do that tests start: a Node with NODE_V8_COVERAGE records what it ran, and Node hands it
 * on to all that it starts itself. Set in here, not for vitest: its own modules are counted by itself. Does nothing in any other run.
 */
export const countPrograms = (): void => {
  const folder = process.env['CURFEW_TEST_COVERAGE'];
  if (folder === undefined) return;
  process.env['NODE_V8_COVERAGE'] = folder;
  // Counts of functions out of the compile cache are less exact: https://nodejs.org/api/module.html#module-compile-cache
  process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
};
