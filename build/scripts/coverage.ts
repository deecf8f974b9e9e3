// npm run coverage: which lines of app and main the tests run. Counts what tests call in their own
// process (vitest), and the programs they start, the built command and sources (Node's own counts).
// Takes as long as npm test.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { addLines, linesOfReport, linesOfScript, type Lines } from '../coverage/lines.ts';
import { Profiles } from '../coverage/profiles.ts';
import { coverageTable, linesNotRun } from '../coverage/table.ts';
import { findChromium } from './find-chromium.ts';
import { findNamespace } from './pid-namespace.ts';

const root = join(import.meta.dirname, '../..');
const out = join(root, 'build/out/coverage');
const inside = ['node', 'build/scripts/in-namespace.ts'];
const browser = findChromium();

/** Tests that are counted together. Those in one pid namespace run separately, as in `npm test`. */
const kinds = [
  { name: 'examples and properties', runs: [{ of: 'pure', through: [], projects: ['unit', 'property'] }] },
  {
    name: 'real processes and desktop',
    runs: [
      { of: 'scenes', through: inside, projects: ['os-scenes', 'safety'] },
      { of: 'processes', through: inside, projects: ['os'] },
      { of: 'runs', through: inside, projects: ['os-runs'] },
      { of: 'desktop', through: inside, projects: ['desktop'] },
    ],
  },
] as const;

const run = (command: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> =>
  new Promise((resolve) => {
    const PATH = [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
    const child = spawn(command, args, { cwd: root, env: { ...process.env, PATH, ...env }, stdio: 'inherit' });
    child.on('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      resolve(false);
    });
    child.on('close', (status) => {
      resolve(status === 0);
    });
  });

/** Runs tests, and returns the lines that they ran. Throws if vitest leaves no report. */
const counted = async (of: string, through: readonly string[], projects: readonly string[]): Promise<Lines> => {
  const [folder, started] = [join(out, of), join(out, `started-${of}`)];
  mkdirSync(started, { recursive: true });
  // Scenes have users of their own.
  chmodSync(started, 0o777);
  const profiles = new Profiles(started);
  const taking = setInterval(() => profiles.take(), 2000);
  const [command = 'vitest', ...args] = [...through, 'vitest', 'run', ...projects.flatMap((one) => ['--project', one])];
  const coverage = [
    'enabled=true',
    'reporter=json',
    'reporter=html',
    'reportOnFailure=true',
    `reportsDirectory=${folder}`,
  ];
  const well = await run(command, [...args, ...coverage.map((option) => `--coverage.${option}`)], {
    CURFEW_TEST_COVERAGE: started,
    ...('path' in browser ? { CHROMIUM: browser.path } : {}),
  });
  clearInterval(taking);
  profiles.take();
  rmSync(started, { recursive: true });
  if (!well) process.exitCode = 1;
  const lines = linesOfReport(join(folder, 'coverage-final.json'));
  for (const script of profiles.scripts()) addLines(lines, await linesOfScript(script));
  console.log(
    `\n${of}: ${profiles.processes} processes that tests started were counted${well ? '' : '; TESTS FAILED'}`,
  );
  return lines;
};

const only = process.argv.slice(2);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
if (!(await run('npm', ['run', '--silent', 'build', '--', '--logLevel', 'warn'], {}))) process.exit(1);

const namespace = findNamespace();
if (!namespace.possible) console.log(`Tests on real processes are left out: ${namespace.reason}`);

const together: Lines = new Map();
const columns = new Map<string, Lines>();
const add = (column: Lines, lines: Lines): void => {
  if (column.size > 0) addLines(column, lines);
  else for (const [file, counts] of lines) column.set(file, new Map(counts));
};

for (const { name, runs } of kinds) {
  const column: Lines = new Map();
  for (const { of, through, projects } of runs) {
    if ((through.length > 0 && !namespace.possible) || (only.length > 0 && !only.includes(of))) continue;
    const lines = await counted(of, through, projects);
    for (const one of [column, together]) add(one, lines);
    columns.set(name, column);
    // After each kind, since the whole takes long: the finished part can be read.
    writeFileSync(join(out, 'table.md'), `${coverageTable(root, new Map([...columns, ['all', together]]))}\n`);
    writeFileSync(join(out, 'not-run.txt'), `${linesNotRun(root, together).join('\n')}\n`);
  }
}
console.log(
  `\n${readFileSync(join(out, 'table.md'), 'utf8')}\nLines that no test runs: build/out/coverage/not-run.txt`,
);
