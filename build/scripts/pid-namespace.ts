import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isDisposable } from './disposable.ts';

const root = join(import.meta.dirname, '../..');

/** How to enter a pid namespace on this machine, or why it is impossible. */
export type Namespace =
  | { readonly possible: true; readonly command: string; readonly args: readonly string[] }
  | { readonly possible: false; readonly reason: string };

/**
 * The admitted variables. An agent that runs the tests marks its children's environment, and with
 * that mark every process of the test runner would look like one of its jobs.
 */
const ADMITTED =
  /^(PATH|LANG|LC_\w+|TERM|TMPDIR|TZ|USER|LOGNAME|SHELL|CI|NO_COLOR|CHROMIUM|FORCE_COLOR|GITHUB_ACTIONS|RUNNER_ENVIRONMENT|CURFEW_TEST_\w+)$/;

const tail = ['--pid', '--fork', '--mount-proc', '--kill-child', '--'];
const attempts = [
  tail,
  // With the other users that /etc/subuid gives the caller (the package uidmap): sshd needs some.
  ['--user', '--map-root-user', '--map-auto', ...tail],
  ['--user', '--map-root-user', ...tail],
];

/**
 * Returns how to enter a pid namespace with its own /proc: as root directly, else through a user
 * namespace, where the caller is uid 0. Leaves nothing running. `--kill-child` ends everything
 * inside together with `unshare`.
 */
export const findNamespace = (): Namespace => {
  // The system itself, without a namespace.
  if (process.platform === 'darwin' && isDisposable(process.env)) return { possible: true, command: 'env', args: [] };
  if (process.platform !== 'linux')
    return { possible: false, reason: `there are no pid namespaces on ${process.platform}` };
  const refusals: string[] = [];
  for (const args of attempts) {
    const trial = spawnSync('unshare', [...args, 'true'], { encoding: 'utf8', timeout: 10_000 });
    if (trial.error === undefined && trial.status === 0) {
      const init = join(import.meta.dirname, 'namespace-init.sh');
      return { possible: true, command: 'unshare', args: [...args, 'setsid', 'bash', init] };
    }
    refusals.push(trial.error?.message ?? (trial.stderr.trim() || `unshare ended with ${String(trial.status)}`));
  }
  return { possible: false, reason: [...new Set(refusals)].join('; ') };
};

/**
 * Returns the environment inside: our allow-list, Node 24 first on the path, `home` instead of the
 * user's own, and what test/os/namespace.ts checks before it lets a test touch a process.
 */
export const environmentInside = (home: string): Record<string, string> => {
  const admitted = Object.entries(process.env).filter(([name]) => ADMITTED.test(name));
  return {
    ...Object.fromEntries(admitted.map(([name, value]) => [name, value ?? ''])),
    PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
    HOME: home,
    CURFEW_TEST_NAMESPACE: randomBytes(16).toString('hex'),
    CURFEW_TEST_NAMESPACE_OUTSIDE: process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : 'none',
  };
};
