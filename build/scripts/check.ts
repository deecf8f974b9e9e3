// npm test: every check of the project, one after the other, all of them also when one fails. The last line of the
// output is the sum: each check counts as one, each test as one.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { z } from 'zod';
import { findChromium } from './find-chromium.ts';
import { findNamespace } from './pid-namespace.ts';
import { lineOf, linesOfSecondTries, secondTriesIn, sumOf, tallyOfCheck, tallyOfTests } from './tally.ts';
import type { SecondTry, Tally } from './tally.ts';

const root = join(import.meta.dirname, '../..');
const reports = join(root, 'build/out/reports');
const browser = findChromium();
const environment = {
  ...process.env,
  // Found once: inside the namespace HOME is another one, and with it the place of Playwright's downloads.
  ...('path' in browser ? { CHROMIUM: browser.path } : {}),
  PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
};

const secondTries: SecondTry[] = [];
const results: { readonly name: string; readonly tally: Tally; readonly seconds: number }[] = [];

const run = (
  name: string,
  command: string,
  args: readonly string[],
  tallyOf: (endedWell: boolean) => Tally,
): boolean => {
  console.log(`\n== ${name}: ${[command, ...args].join(' ')}`);
  const startedAtMs = performance.now();
  const { status, error } = spawnSync(command, args, { cwd: root, env: environment, stdio: 'inherit' });
  if (error !== undefined) console.error(`${command} could not be started: ${error.message}`);
  const tally = tallyOf(status === 0);
  results.push({ name, tally, seconds: (performance.now() - startedAtMs) / 1000 });
  return tally.failed === 0;
};

const check = (name: string, command: string, ...args: string[]): boolean => run(name, command, args, tallyOfCheck);

const vitest = (report: string, projects: readonly string[]): string[] => [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...projects.flatMap((project) => ['--project', project]),
];

/** Runs tests, here or through another command, and reads the report that they write. */
const tests = (name: string, projects: readonly string[], through: readonly string[] = []): boolean => {
  const report = join(reports, `${projects[0] ?? name}.json`);
  const [command = 'vitest', ...args] = [...through, 'vitest', ...vitest(report, projects)];
  return run(name, command, args, (endedWell) => {
    const tally = tallyOfTests(report, endedWell);
    secondTries.push(...secondTriesIn(report));
    return tally;
  });
};

const skipProcessTests = (reason: string): void => {
  const list = spawnSync('vitest', ['list', '--project', 'os', '--project', 'os-scenes', '--json'], {
    cwd: root,
    env: environment,
    encoding: 'utf8',
  });
  const listed = z.array(z.object({ name: z.string() })).parse(JSON.parse(list.stdout));
  results.push({
    name: 'tests on real processes',
    tally: { passed: 0, failed: 0, skipped: listed.length },
    seconds: 0,
  });
  console.log(`\n== tests on real processes: at least ${listed.length} SKIPPED, no pid namespace can be made here.
   ${reason}
   They end processes, so they run only in a namespace of their own: as root, or where the kernel lets a user make
   one (Debian: sysctl kernel.unprivileged_userns_clone=1; in a container: --privileged).`);
};

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

check('types', 'tsc', '-b');
check('lint', 'oxlint', '--deny-warnings');
check('format', 'oxfmt', '--check');
check('unused', 'knip');
check('imports', 'node', 'build/scripts/check-imports.ts');
const built = check('build', 'npm', 'run', '--silent', 'build', '--', '--logLevel', 'warn');

tests('tests', ['unit', 'property', 'architecture']);

if ('reason' in browser) console.log(`\n== tests in the browser: SKIPPED and counted as such, ${browser.reason}.`);
tests('tests of the interface', ['ui']);

const namespace = findNamespace();
if (!namespace.possible) skipProcessTests(namespace.reason);
else if (!built)
  console.log('\n== tests on real processes: not run, since they use the command that could not be built');
else {
  const inside = ['node', 'build/scripts/in-namespace.ts'];
  tests('tests on real processes', ['os', 'os-scenes', 'safety'], inside);
  tests('the desktop app', ['desktop'], inside);
}

// Last: `npm pack` builds once more.
if (built) {
  tests('packages', ['package']);
}

console.log('');
for (const { name, tally, seconds } of results) {
  console.log(`${name.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s   ${lineOf(tally)}`);
}
const loud = linesOfSecondTries(secondTries);
if (loud.length > 0) console.log(`\n${loud.join('\n')}`);
const sum = sumOf(results.map(({ tally }) => tally));
console.log(`\n${lineOf(sum)}`);
if (sum.failed > 0) process.exitCode = 1;
