// npm run test:prometheus: lets Debian's real Prometheus scrape the built `curfew watch`, evaluate
// the alert rules and answer every question of the dashboard; promtool and node_exporter too. Not a
// part of npm test: it fetches 23 MB of packages at first (build/scripts/prometheus.ts).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fetchPrometheus } from './prometheus.ts';

const root = join(import.meta.dirname, '../..');
const hindered = fetchPrometheus();
if (hindered !== null) {
  console.error(`test:prometheus: there is no Prometheus to test with: ${hindered}`);
  console.error('This needs Debian or Ubuntu, with lists of packages: apt-get update (as root).');
  process.exit(77);
}
const run = (command: string, ...args: readonly string[]): number =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
const built = run('npm', 'run', '--silent', 'build', '--', '--logLevel', 'warn');
process.exitCode =
  built === 0
    ? run(
        process.execPath,
        join(import.meta.dirname, 'in-namespace.ts'),
        process.execPath,
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--project',
        'prometheus',
        ...process.argv.slice(2),
      )
    : built;
