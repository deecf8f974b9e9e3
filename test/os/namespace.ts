import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Throws unless this process runs in a pid namespace that build/scripts/in-namespace.ts made: process 1 carries the
 * token that we carry, and our namespace is not the one outside. Curfew ends processes, and a shell of the person who
 * runs the tests looks like an orphan; so a test that creates or signals processes calls this first.
 */
export const requirePidNamespace = (): void => {
  const token = process.env['CURFEW_TEST_NAMESPACE'];
  const outside = process.env['CURFEW_TEST_NAMESPACE_OUTSIDE'];
  const refuse = (why: string): never => {
    throw new Error(`${why}. These tests end processes: run them with "npm run test:os".`);
  };
  if (token === undefined || token === '' || outside === undefined) return refuse('Not in a pid namespace for tests');
  if (readlinkSync('/proc/self/ns/pid') === outside) refuse('The pid namespace is the one of the machine');
  const environmentOfInit = readFileSync('/proc/1/environ', 'utf8').split('\0');
  if (!environmentOfInit.includes(`CURFEW_TEST_NAMESPACE=${token}`)) refuse('Process 1 is not the one of the tests');
};
