// npm run test:windows: plays scenes on real processes of a Windows that Wine makes, against the
// built command line. Not a part of npm test. Installs Wine where it can (Debian, as root).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installWine, makeKit } from './wine.ts';

const root = join(import.meta.dirname, '../..');
const hindered = installWine();
if (hindered !== null) {
  console.error(`test:windows: there is no Wine here, and it is not installed: ${hindered}`);
  console.error('On Debian: apt-get install --no-install-recommends wine wine64');
  process.exit(77);
}
const run = (command: string, ...args: readonly string[]): number =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
const built = run('npm', 'run', '--silent', 'build', '--', '--logLevel', 'warn');
if (built !== 0) process.exit(built);
makeKit();
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
process.exitCode = run(
  process.execPath,
  join(import.meta.dirname, 'in-namespace.ts'),
  process.execPath,
  vitest,
  'run',
  '--project',
  'wine',
  ...process.argv.slice(2),
);
