// npm test: every check of the project, all of them even if one fails. The last line of the output
// is the sum: each check counts as one, each test as one. `npm test -- FILTER…` runs of each
// stage the test files whose path contains one of the filters.
import { spawn } from 'node:child_process';
import { closeSync, globSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { missingAgents } from '../agents/table.ts';
import { noElectronHere, realElectron, whyNoElectron } from '../electron/electron.ts';
import { type Failure, failuresIn, linesOfFailure } from './failures.ts';
import { findChromium } from './find-chromium.ts';
import { installParts } from './install-parts.ts';
import { findNamespace } from './pid-namespace.ts';
import { readReport } from './report.ts';
import { countsAsPassed } from './retries.ts';
import { hasShellcheck } from './shell-files.ts';
import { excuseOf, linesOfSkipped, type Skipped } from './skips.ts';
import { countAsFailed, flakyIn, lineOf, linesOfFlaky, skippedIn, sumOf, tallyOfCheck, tallyOfTests } from './tally.ts';
import type { Flaky, Tally } from './tally.ts';
import { tool } from './tool.ts';

const root = join(import.meta.dirname, '../..');
const reports = join(root, 'build/out/reports');
/** In CI a missing part is a failure and never a skip. */
const partsAreDue = !['', '0', 'false'].includes(process.env['CI'] ?? '');
const missing = installParts();
const browser = findChromium();
const environment = {
  ...process.env,
  // Found once: the namespace has another HOME, and with it another folder of Playwright's
  // downloads.
  ...('path' in browser ? { CHROMIUM: browser.path } : {}),
  PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
  // Hundreds of test files load the same packages, each in a process of its own.
  NODE_COMPILE_CACHE: join(root, 'build/out/compiled'),
};

const filters = process.argv.slice(2);
if (filters.length > 0) console.log(`\n== of the tests only those of ${filters.join(', ')}`);

const flaky: Flaky[] = [];
const skipped: Skipped[] = [];
const failures: Failure[] = [];
const results: { readonly name: string; readonly tally: Tally; readonly seconds: number }[] = [];

/**
 * Where a command's output goes: to the terminal, or into a file that is printed when the others
 * have ended.
 */
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
  const [program, ...before] = tool(command);
  const child = spawn(program, [...before, ...args], { cwd: root, env: environment, stdio: ['inherit', said, said] });
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
  // Most stages have no file that fits a filter.
  ...(filters.length > 0 ? ['--passWithNoTests'] : []),
  ...filters,
];

/** Test files that were played, of all stages. */
let played = 0;

/** Returns the tally of a stage from vitest's report. */
const readStage = (file: string, endedWell: boolean, whyNothing: string | null): Tally => {
  const report = readReport(file);
  const files = report?.testResults.length ?? 0;
  played += files;
  if (filters.length > 0 && files === 0 && endedWell) return { passed: 0, failed: 0, skipped: 0 };
  const refused = (one: Flaky): boolean =>
    !countsAsPassed(one.file, readFileSync(join(root, one.file), 'utf8'), one.messages);
  const late = flakyIn(report, root);
  const unexcused = skippedIn(report, root).filter((one) => partsAreDue && excuseOf(one) === null);
  flaky.push(...late.filter((one) => !refused(one)));
  skipped.push(...skippedIn(report, root));
  failures.push(
    ...failuresIn(report, root),
    ...late.filter(refused),
    ...unexcused.map((one) => ({ ...one, messages: ['skipped, and CI is set: what it needs must be there'] })),
  );
  const tally = tallyOfTests(report, endedWell, whyNothing);
  return countAsFailed(countAsFailed(tally, 'passed', late.filter(refused).length), 'skipped', unexcused.length);
};

interface Stage {
  readonly name: string;
  readonly projects: readonly [string, ...string[]];
  /** The command that runs it, if not this process. */
  readonly through?: readonly string[];
  readonly output?: Output;
  /** Why all of it may be skipped. */
  readonly whyNothing?: string | null;
}

/** Runs tests and reads their report. */
const tests = async ({
  name,
  projects,
  through = [],
  output = 'inherit',
  whyNothing = null,
}: Stage): Promise<boolean> => {
  const report = join(reports, `${projects[0]}.json`);
  const [command = 'vitest', ...args] = [...through, 'vitest', ...vitest(report, projects)];
  return run(name, command, args, (endedWell) => readStage(report, endedWell, whyNothing), output);
};

/**
 * What ends processes is skipped, counted by its files: vitest can only list tests that load, and
 * some load what is of Linux alone. The workflow runs the desktop app by itself.
 */
const skipProcessTests = (reason: string): void => {
  const files = globSync('test/{os,safety,desktop,electron}/**/*.test.ts', { cwd: root });
  results.push({
    name: 'tests on real processes',
    tally: { passed: 0, failed: partsAreDue && process.platform === 'linux' ? 1 : 0, skipped: files.length },
    seconds: 0,
  });
  console.log(`\n== tests on real processes, safety, the desktop app, Electron: all in ${files.length} files SKIPPED, each counted as one.
   No pid namespace can be made here: ${reason}
   They end processes, so they run only in a namespace of their own: as root, or where the kernel lets a user make
   one (Debian: sysctl kernel.unprivileged_userns_clone=1; in a container: --privileged).`);
};

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const parts = { passed: missing.length === 0 ? 1 : 0, failed: 0, skipped: missing.length === 0 ? 0 : 1 };
results.push({
  name: 'parts',
  tally: partsAreDue ? countAsFailed(parts, 'skipped', parts.skipped) : parts,
  seconds: 0,
});

// Only Linux has the namespaces that they are played in.
const absent = process.platform === 'linux' ? missingAgents() : [];
if (absent.length > 0) {
  console.log(`\n== agents: tests with real agents are skipped. \`npm run agents\` fetches them (about 2 GB, into ~/.cache);
   it lacks ${absent.map(({ name }) => name).join(', ')}`);
  if (partsAreDue) results.push({ name: 'agents', tally: tallyOfCheck(false), seconds: 0 });
}

const noElectron = noElectronHere === null ? whyNoElectron() : null;
if (noElectron !== null) {
  console.log(`\n== ${realElectron.name}: tests on it are skipped: ${noElectron}`);
  if (partsAreDue) results.push({ name: realElectron.name, tally: tallyOfCheck(false), seconds: 0 });
}

const readsOnly = async (): Promise<void> => {
  await check('types', 'tsc', '-b');
  await check('lint', 'oxlint', '--deny-warnings');
  // Each of these uses one processor. The imports are a test: test/architecture/imports.test.ts.
  const onePiece: readonly (readonly [string, string, ...string[]])[] = [
    ['format', 'oxfmt', '--check'],
    ['unused', 'knip'],
    ...(hasShellcheck() ? [['shell', 'node', 'build/scripts/check-shell.ts'] as const] : []),
  ];
  const fileOf = (name: string): string => join(reports, `${name}.log`);
  await Promise.all(
    onePiece.map(([name, command, ...args]) => run(name, command, args, tallyOfCheck, { file: fileOf(name) })),
  );
  for (const [name] of onePiece) console.log(readFileSync(fileOf(name), 'utf8'));
  if (hasShellcheck()) return;
  console.log('\n== shell: SKIPPED and counted as such, shellcheck is missing.');
  // One platform of the workflow is enough for files that run on none of the others' tests.
  const tally =
    partsAreDue && process.platform === 'linux' ? tallyOfCheck(false) : { passed: 0, failed: 0, skipped: 1 };
  results.push({ name: 'shell', tally, seconds: 0 });
};
// `npm run test:places` asks for tests alone where what only reads was run at another place.
if (process.env['CURFEW_TEST_ALONE'] === undefined) await readsOnly();
const built = await check('build', 'npm', 'run', '--silent', 'build', '--', '--logLevel', 'warn');

await tests({ name: 'tests', projects: ['unit', 'property', 'architecture'] });

const noBrowser = 'reason' in browser ? browser.reason : null;
if (noBrowser !== null) console.log(`\n== tests in the browser: SKIPPED and counted as such, ${noBrowser}.`);
const ofInterface: Stage = { name: 'tests of the interface', projects: ['ui'], whyNothing: noBrowser };

const namespace = findNamespace();
if (!namespace.possible || !built) await tests(ofInterface);
if (!namespace.possible) skipProcessTests(namespace.reason);
else if (!built)
  console.log('\n== tests on real processes: not run, since they use the command that could not be built');
else {
  const through = ['node', 'build/scripts/in-namespace.ts'];
  // Scenes take the longest and mostly wait, so all others run meanwhile, one after the other: each
  // in a pid namespace of its own, so that none sees the processes of another.
  const beside: readonly Stage[] = [
    { name: 'tests on real processes', projects: ['os'], through },
    { name: 'tests of runs', projects: ['os-runs'], through },
    ofInterface,
    { name: 'the desktop app', projects: ['desktop'], through, whyNothing: noBrowser },
  ];
  const logOf = ({ projects }: Stage): string => join(reports, `${projects[0]}.log`);
  const onElectron: Stage = {
    name: 'the app on Electron 25',
    projects: ['electron'],
    through,
    whyNothing: whyNoElectron(),
  };
  const inTurn = async (stages: readonly Stage[]): Promise<void> => {
    for (const stage of stages) await tests({ ...stage, output: { file: logOf(stage) } });
  };
  await Promise.all([
    tests({ name: 'tests in scenes', projects: ['os-scenes', 'safety'], through }),
    inTurn(beside),
    inTurn([onElectron]),
  ]);
  for (const stage of [...beside, onElectron]) console.log(readFileSync(logOf(stage), 'utf8'));
}

// Last: `npm pack` builds once more.
if (built) await tests({ name: 'packages', projects: ['package'] });

if (filters.length > 0 && played === 0) {
  console.log(`\n== no test file has a path with ${filters.join(' or ')} in it`);
  results.push({ name: 'filters', tally: tallyOfCheck(false), seconds: 0 });
}

console.log('');
for (const { name, tally, seconds } of results) {
  console.log(`${name.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s   ${lineOf(tally)}`);
}
for (const each of failures) console.log(`\n${linesOfFailure(each).join('\n')}`);
for (const lines of [linesOfSkipped(skipped), linesOfFlaky(flaky)])
  if (lines.length > 0) console.log(`\n${lines.join('\n')}`);
const sum = sumOf(results.map(({ tally }) => tally));
console.log(`\n${lineOf(sum)}`);
if (sum.failed > 0) process.exitCode = 1;
