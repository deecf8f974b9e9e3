// npm test: every check of the project, all of them also when one fails. The last line of the
// output is the sum: each check counts as one, each test as one.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { z } from 'zod';
import { type Failure, failuresIn, linesOfFailure, onlyTest, toTryAlone } from './failures.ts';
import { findChromium } from './find-chromium.ts';
import { findNamespace } from './pid-namespace.ts';
import { readReport } from './report.ts';
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
/** What failed, and what the tests of its stage run through. */
const failures: { readonly failure: Failure; readonly through: readonly string[] }[] = [];
const results: { readonly name: string; readonly tally: Tally; readonly seconds: number }[] = [];

/** Where what a command says goes: to the person at once, or into a file that is shown when others have ended. */
type Output = 'inherit' | { readonly file: string };

const run = async (
  name: string,
  command: string,
  args: readonly string[],
  tallyOf: (endedWell: boolean) => Tally,
  output: Output = 'inherit',
): Promise<boolean> => {
  const heading = `\n== ${name}: ${[command, ...args].join(' ')}`;
  console.log(output === 'inherit' ? heading : `${heading}\n   (at the same time; what it says follows)`);
  const startedAtMs = performance.now();
  const descriptor = output === 'inherit' ? null : openSync(output.file, 'w');
  const said = descriptor ?? 'inherit';
  const child = spawn(command, args, { cwd: root, env: environment, stdio: ['inherit', said, said] });
  if (descriptor !== null) closeSync(descriptor);
  const endedWell = await new Promise<boolean>((resolve) => {
    child.on('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      resolve(false);
    });
    child.on('close', (status) => {
      resolve(status === 0);
    });
  });
  const tally = tallyOf(endedWell);
  results.push({ name, tally, seconds: (performance.now() - startedAtMs) / 1000 });
  return tally.failed === 0;
};

const check = async (name: string, command: string, ...args: string[]): Promise<boolean> =>
  run(name, command, args, tallyOfCheck);

const vitest = (report: string, projects: readonly string[]): string[] => [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...projects.flatMap((project) => ['--project', project]),
];

/** Runs tests, here or through another command, and reads the report that they write. */
const tests = async (
  name: string,
  projects: readonly string[],
  through: readonly string[] = [],
  output: Output = 'inherit',
): Promise<boolean> => {
  const report = join(reports, `${projects[0] ?? name}.json`);
  const [command = 'vitest', ...args] = [...through, 'vitest', ...vitest(report, projects)];
  const read = (endedWell: boolean): Tally => {
    secondTries.push(...secondTriesIn(report));
    for (const failure of failuresIn(readReport(report), root)) failures.push({ failure, through });
    return tallyOfTests(report, endedWell);
  };
  return run(name, command, args, read, output);
};

/**
 * Runs a failed test by itself, three times. One that holds each time failed because of what ran beside it, or of a machine that gave it no turn.
 */
const heldAlone = ({ file, name }: Failure, through: readonly string[]): boolean => {
  const report = join(reports, 'alone.json');
  const [command, ...args] = [...through, 'vitest', ...vitest(report, []), file];
  return [1, 2, 3].every((time) => {
    console.log(`\n== alone, ${time} of 3: ${file} > ${name}`);
    rmSync(report, { force: true });
    const only = ['--testNamePattern', onlyTest(name ?? '')];
    const { status } = spawnSync(command, [...args, ...only], { cwd: root, env: environment, stdio: 'inherit' });
    return tallyOfTests(report, status === 0).failed === 0;
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

await check('types', 'tsc', '-b');
await check('lint', 'oxlint', '--deny-warnings');
await check('format', 'oxfmt', '--check');
await check('unused', 'knip');
await check('imports', 'node', 'build/scripts/check-imports.ts');
const built = await check('build', 'npm', 'run', '--silent', 'build', '--', '--logLevel', 'warn');

await tests('tests', ['unit', 'property', 'architecture']);

if ('reason' in browser) console.log(`\n== tests in the browser: SKIPPED and counted as such, ${browser.reason}.`);
await tests('tests of the interface', ['ui']);

const namespace = findNamespace();
if (!namespace.possible) skipProcessTests(namespace.reason);
else if (!built)
  console.log('\n== tests on real processes: not run, since they use the command that could not be built');
else {
  const inside = ['node', 'build/scripts/in-namespace.ts'];
  // Two pid namespaces at once: neither sees the processes of the other, and both mostly wait.
  const file = join(reports, 'os.log');
  await Promise.all([
    tests('tests in scenes', ['os-scenes', 'safety'], inside),
    tests('tests on real processes', ['os'], inside, { file }),
  ]);
  console.log(readFileSync(file, 'utf8'));
  await tests('the desktop app', ['desktop'], inside);
}

// Last: `npm pack` builds once more.
if (built) await tests('packages', ['package']);

const aloneOnly = toTryAlone(failures).filter(({ failure, through }) => heldAlone(failure, through));

console.log('');
for (const { name, tally, seconds } of results) {
  console.log(`${name.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s   ${lineOf(tally)}`);
}
for (const each of failures) {
  console.log(`\n${linesOfFailure(each.failure).join('\n')}`);
  if (aloneOnly.includes(each)) console.log('!! but it HELD THREE TIMES ALONE, so it is counted as passed');
}
const loud = linesOfSecondTries(secondTries);
if (loud.length > 0) console.log(`\n${loud.join('\n')}`);
const sum = sumOf([
  ...results.map(({ tally }) => tally),
  { passed: aloneOnly.length, failed: -aloneOnly.length, skipped: 0 },
]);
console.log(`\n${lineOf(sum)}`);
if (sum.failed > 0) process.exitCode = 1;
