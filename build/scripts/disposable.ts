/**
 * True on a machine that is thrown away after this run: then tests that end processes may run on
 * the system itself, where it has no pid namespaces. It takes the switch and a hosted runner of
 * GitHub, so that a switch left in a shell never makes it one.
 */
export const isDisposable = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  environment['CURFEW_TEST_DISPOSABLE'] === 'yes' &&
  environment['GITHUB_ACTIONS'] === 'true' &&
  environment['RUNNER_ENVIRONMENT'] === 'github-hosted';
