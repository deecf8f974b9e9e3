// node test/windows/programs/servers.ts CURFEW.JS: gives an agent servers on this Windows, or on
// one that Wine makes, and says what Curfew makes of them while it lives and when it has ended.
// Ends only what it started.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, linkSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, openWindow, sum, tidy } from './tried.ts';

const curfew = resolve(process.argv[2] ?? 'build/out/cli/curfew.js');
const folder = mkdtempSync(join(tmpdir(), 'curfew servers '));
const pidFile = join(folder, 'pids.json');
const node = JSON.stringify(process.execPath);

const write = (name: string, text: string): string => {
  const file = join(folder, `${name}.cjs`);
  writeFileSync(file, text);
  return file;
};

/** Reads its input, and goes on when that ends, as a deaf server does. */
const server = write('server', 'process.stdin.resume(); setInterval(() => {}, 1000);');
const launcher = write(
  'launcher',
  `require('node:child_process').spawn(${node}, [${JSON.stringify(server)}], { stdio: 'inherit' });
  setInterval(() => {}, 1000);`,
);
const behind = JSON.stringify(`"${node.slice(1, -1).replaceAll('\\\\', '\\')}" "${launcher}"`);

/** A server, one behind a shell and a launcher as `npx` starts it, and a child without input. */
const agent = write(
  'agent',
  `const { spawn } = require('node:child_process');
  const stdio = ['pipe', 'pipe', 'pipe'];
  const direct = spawn(${node}, [${JSON.stringify(server)}], { stdio });
  const shell = spawn('cmd.exe', ['/d', '/s', '/c', '"' + ${behind} + '"'], { stdio, windowsVerbatimArguments: true });
  const other = spawn(${node}, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'pipe', 'pipe'] });
  require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, JSON.stringify([direct.pid, shell.pid, other.pid]));
  setInterval(() => {}, 1000);`,
);
const codex = join(folder, 'codex.exe');
linkSync(process.execPath, codex);

interface Scan {
  readonly sessions: readonly { readonly servers: { readonly count: number } | null }[];
  readonly jobs: readonly {
    readonly id: string;
    readonly kind: string;
    readonly owner: string;
    readonly members: readonly { readonly pid: number }[];
    readonly verdict: { readonly action: string; readonly reasons: readonly { readonly figures: { why?: string } }[] };
  }[];
}

/** Into a file: what Wine starts by the way would keep a pipe open. */
const call = (...args: readonly string[]): string => {
  const file = join(folder, 'said.txt');
  const output = openSync(file, 'w');
  const env = { ...process.env, CURFEW_HOME: join(folder, 'home') };
  spawnSync(process.execPath, [curfew, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', output, output],
    windowsHide: true,
    timeout: 120_000,
  });
  closeSync(output);
  return readFileSync(file, 'utf8');
};
const scan = (): Scan => JSON.parse(call('scan', '--all', '--json')) as Scan;

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Of each server: whose, what is done about it, and how many processes it has. */
const told = ({ jobs }: Scan): readonly string[] =>
  jobs.map(({ kind, owner, verdict, members }) => `${kind} ${owner} ${verdict.action} ${members.length}`).toSorted();

const window = openWindow();
const child = spawn(codex, [agent], { stdio: 'ignore', windowsHide: true });
const started: number[] = [];
try {
  for (let waited = 0; !existsSync(pidFile) && waited < 60_000; waited += 100) await sleep(100);
  await sleep(3_000);
  const [direct = 0, shell = 0, other = 0] = JSON.parse(readFileSync(pidFile, 'utf8')) as readonly number[];
  started.push(direct, shell, other);
  // Nothing marks the servers of Codex: the first look remembers them, the second shows them.
  expect(
    'its session counts them at the first look',
    [2],
    scan().sessions.map(({ servers }) => servers?.count),
  );
  const living = scan();
  expect('a living agent’s servers, one behind a launcher', ['server live none 1', 'server live none 3'], told(living));
  const members = living.jobs.flatMap((job) => job.members.map(({ pid }) => pid));
  started.push(...members);
  expect('what has no input is none', false, members.includes(other));
  call('reap');
  call('reap', '--kind', 'server');
  expect('no command that ends leftovers ends them', true, members.every(lives));

  child.kill();
  await sleep(2_000);
  const left = scan();
  // Wine and Windows end a direct child of Node with it; grandchildren stay.
  expect('what stays when the agent was killed', ['server gone none 2'], told(left));
  const [job] = left.jobs;
  const why = job?.verdict.reasons.flatMap(({ figures }) => figures.why ?? []);
  expect('it is shown with the reason', ['ends-untold'], why);
  const rest = job?.members.map(({ pid }) => pid) ?? [];
  call('reap');
  call('reap', '--kind', 'server');
  expect('and not ended by itself', [true, true], rest.map(lives));
  const said = call('reap', '--job', job?.id ?? '');
  expect(`but where the user names it (${said.trim()})`, [false, false], rest.map(lives));
} finally {
  child.kill();
  for (const pid of started.filter(lives)) process.kill(pid);
  window?.kill();
  await sleep(500);
  tidy(folder);
}
sum();
