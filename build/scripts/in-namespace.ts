// node build/scripts/in-namespace.ts COMMAND [ARGUMENT…]: runs COMMAND in its own pid namespace
// with an empty home folder, and returns its exit status; 77 when this machine doesn't allow one.
// It can neither see nor signal a process outside, and nothing inside outlives it.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { agentsFolder } from '../agents/table.ts';
import { environmentInside, findNamespace } from './pid-namespace.ts';
import { readableCopy, temporaryFolder } from './readable-copy.ts';

const [command, ...rest] = process.argv.slice(2);
const namespace = findNamespace();

if (command === undefined) {
  console.error('usage: in-namespace.ts COMMAND [ARGUMENT…]');
  process.exitCode = 2;
} else if (!namespace.possible) {
  console.error(`in-namespace: no pid namespace can be made here: ${namespace.reason}`);
  process.exitCode = 77;
} else {
  const home = mkdtempSync(join(tmpdir(), 'curfew-test-home-'));
  const copy = readableCopy(join(import.meta.dirname, '../..'));
  const inside = environmentInside(home);
  const temporary = temporaryFolder(tmpdir());
  // Dozens of small programs start from their source, and thousands of times Curfew does in a home
  // of its own: each file is compiled once, not each time. /tmp is each scene's own.
  const compiled = mkdtempSync('/var/tmp/curfew-compiled-');
  const forOthers =
    copy === null
      ? {}
      : {
          PATH: [copy.programs, inside['PATH'] ?? ''].join(delimiter),
          CURFEW_TEST_READABLE: copy.root,
          CURFEW_TEST_COMMAND_LINE: join(copy.root, 'build/out/cli/curfew.js'),
        };
  const child = spawn(namespace.command, [...namespace.args, command, ...rest], {
    stdio: 'inherit',
    env: {
      ...inside,
      ...forOthers,
      TMPDIR: temporary,
      CURFEW_AGENTS: agentsFolder(),
      NODE_COMPILE_CACHE: compiled,
    },
  });
  // unshare itself ignores INT and TERM, so it is ended by KILL, and everything inside with it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGKILL'));
  child.on('error', (error) => {
    console.error(`in-namespace: ${namespace.command} could not be started: ${error.message}`);
    process.exitCode = 3;
  });
  child.on('close', (code, signal) => {
    for (const folder of [home, compiled]) rmSync(folder, { recursive: true, force: true });
    copy?.remove();
    process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  });
}
