import { readFileSync, readlinkSync } from 'node:fs';
import { isDisposable } from '../../build/scripts/disposable.ts';

/**
 * Throws unless this process runs in a pid namespace made by build/scripts/in-namespace.ts: process
 * 1 carries our token, and our namespace is not the outer one. Curfew ends processes, and the shell
 * that runs the tests looks like an orphan; so a test that starts or signals processes calls this
 * first. A Mac that is thrown away needs none.
 */
export const requirePidNamespace = (): void => {
  if (process.platform === 'darwin' && isDisposable(process.env)) return;
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
