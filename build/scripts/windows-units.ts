// npm run test:windows-units: the projects architecture, unit and property, by a Node of Windows
// under Wine. Words behind `--` go to vitest. Not a part of npm test, which runs the same tests on
// the system that it is on.
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, globSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failuresIn, linesOfFailure } from './failures.ts';
import { forwardingDll } from './forwarding-dll.ts';
import { findNamespace } from './pid-namespace.ts';
import { readReport } from './report.ts';
import { excuseOf, linesOfSkipped, type Skipped } from './skips.ts';
import { countAsFailed, lineOf, skippedIn, sumOf, tallyOfTests, type Tally } from './tally.ts';
import { copyForWindows } from './windows-copy.ts';
import { copyPrefix, installWine, makeWindows, windowsKit, wineEnvironment } from './wine.ts';

const given = process.argv.slice(2);

/** Ends as a test that can't be run here does. */
const refuse = (why: string): never => {
  console.error(`test:windows-units: ${why}`);
  process.exit(77);
};

const hindered = installWine();
if (hindered !== null) refuse(`there is no Wine here, and it is not installed: ${hindered}`);
const namespace = findNamespace();
if (!namespace.possible) throw new Error(`no pid namespace can be made here: ${namespace.reason}`);
const { command, args } = namespace;
makeWindows();
const project = copyForWindows();
/** As programs of Windows name it. */
const projectThere = `Z:${project}`;
const work = mkdtempSync(join(tmpdir(), 'curfew-windows-units-'));
const prefix = join(work, 'prefix');
const drive = join(prefix, 'drive_c');

/** Runs a program of Windows to its end. Its streams are files: Node takes no pipe of Linux. */
const wine = (words: readonly string[], log: string, more: Record<string, string> = {}): number | null => {
  const descriptor = openSync(log, 'w');
  const env = { ...wineEnvironment(prefix, work), ...more };
  const { status } = spawnSync(command, [...args, 'wine', ...words], {
    cwd: project,
    env,
    stdio: ['ignore', descriptor, descriptor],
  });
  closeSync(descriptor);
  return status;
};

/** Files whose stand-ins for a module would stay for the next file of a worker that is kept. */
const withStandIns = (): readonly string[] =>
  globSync('test/{architecture,unit,property}/**/*.test.ts', { cwd: project }).filter((file) =>
    /\bvi\.(?:mock|doMock)\(/u.test(readFileSync(join(project, file), 'utf8')),
  );

/** Returns a folder for temporary files with a short name in its path, as many users have it. */
const shortFolder = (): string => {
  const folder = 'users\\a-user-with-a-long-name\\Temp';
  const log = join(work, 'short.log');
  wine(['cmd', '/c', `mkdir C:\\${folder} & for %I in (C:\\${folder}) do @echo %~sI`], log);
  const name = readFileSync(log, 'utf8').trim();
  if (!/^C:\\users\\[^\\]*~[^\\]*\\Temp$/iu.test(name)) throw new Error(`Wine gave no short name: ${name}`);
  return name;
};

const skipped: Skipped[] = [];
const tallies: Tally[] = [];

const run = (name: string, words: readonly string[]): void => {
  const report = join(project, `${name}.json`);
  const log = join(work, `${name}.log`);
  const startedAtMs = performance.now();
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${name}.json`];
  const status = wine([windowsKit.node, ...vitest, ...words], log, environment);
  const read = readReport(report);
  const unexcused = skippedIn(read, projectThere).filter((one) => excuseOf(one, 'wine') === null);
  const tally = countAsFailed(tallyOfTests(read, status === 0), 'skipped', unexcused.length);
  tallies.push(tally);
  skipped.push(...skippedIn(read, projectThere));
  for (const failure of failuresIn(read, projectThere)) console.log(`\n${linesOfFailure(failure).join('\n')}`);
  if (read === null) console.log(readFileSync(log, 'utf8').slice(-4000));
  const seconds = (performance.now() - startedAtMs) / 1000;
  console.log(`${name.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s   ${lineOf(tally)}`);
};

let environment: Record<string, string> = {};
try {
  copyPrefix(windowsKit.prefix, prefix);
  // Wine 8 lacks it, and what is written in Rust or Go asks it for random bytes.
  const dll = forwardingDll('bcryptprimitives.dll', 'ProcessPrng', 'advapi32.SystemFunction036');
  writeFileSync(join(drive, 'windows/system32/bcryptprimitives.dll'), dll);
  const temporary = shortFolder();
  environment = {
    TEMP: temporary,
    TMP: temporary,
    NODE_OPTIONS: `--import=file:///${projectThere}/build/scripts/late-keep-alive.ts`,
  };
  const alone = withStandIns();
  const projects = ['architecture', 'unit', 'property'].map((name) => [name, '--project', name] as const);
  // Workers are kept: to start a Node and read its files anew takes Wine 20 times as long as Linux.
  if (given.length > 0) run('chosen', [...projects.flatMap(([, ...words]) => words), ...given]);
  else {
    for (const [name, ...words] of projects)
      run(name, [...words, '--no-isolate', ...alone.flatMap((file) => ['--exclude', file])]);
    run('with-stand-ins', alone);
  }
} finally {
  execFileSync('rm', ['-rf', work]);
}

for (const line of linesOfSkipped(skipped, 'wine')) console.log(line);
const sum = sumOf(tallies);
console.log(`\n${lineOf(sum)}`);
if (sum.failed > 0) process.exitCode = 1;
