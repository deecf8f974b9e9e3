// node test/windows/programs/runs.ts CURFEW.JS: tries `curfew run` on this Windows, or on one that
// Wine makes, with real processes, and says what became of them. The workflow keeps what a real
// Windows says. Ends only what it started.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, isWine, openWindow, sum, tidy } from './tried.ts';

const curfew = resolve(process.argv[2] ?? 'build/out/cli/curfew.js');
const folder = mkdtempSync(join(tmpdir(), 'curfew runs '));
const home = join(folder, 'home');
const pidFile = join(folder, 'pids.json');
const node = process.execPath;
const environment = { ...process.env, CURFEW_HOME: home };

/** A command of one file, named by what it does. */
const write = (name: string, text: string): string => {
  const file = join(folder, `${name}.cjs`);
  writeFileSync(file, text);
  return file;
};

const idle = 'setInterval(() => {}, 1000);';
const tree = write(
  'tree',
  `const { spawn } = require('node:child_process');
const child = (options) => spawn(process.execPath, ['-e', ${JSON.stringify(idle)}], { stdio: 'ignore', ...options }).pid;
const pids = [process.pid, child({}), child({ detached: true })];
if (process.argv[2] === 'keep') pids.push(child({ detached: true, env: { ...process.env, CURFEW_KEEP: '1' } }));
require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, JSON.stringify(pids));
if (process.argv[3]) setTimeout(() => process.exit(Number(process.argv[3])), 1500); else ${idle}`,
);
const polite = write('polite', `process.on('SIGINT', () => process.exit(5)); ${idle}`);
const deaf = write('deaf', `process.on('SIGINT', () => console.log('heard')); ${idle}`);

interface Said {
  readonly status: number | null;
  readonly out: string;
  readonly error: string;
}

const call = async (...args: readonly string[]): Promise<Said> => {
  const child = spawn(node, [curfew, ...args], { cwd: folder, env: environment, windowsHide: true });
  let out = '';
  let error = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (error += text));
  const status = await new Promise<number | null>((done) => void child.on('exit', done));
  // Some of Wine's own programs keep what they inherit.
  await sleep(200);
  child.stdout.destroy();
  child.stderr.destroy();
  return { status, out, error };
};

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const pids = (): readonly number[] => JSON.parse(readFileSync(pidFile, 'utf8')) as number[];

const patienceMs = 60_000;
const until = async (holds: () => boolean): Promise<void> => {
  for (let waited = 0; !holds() && waited < patienceMs; waited += 100) await sleep(100);
};

/** Starts a run that stays, kills its `curfew run`, and returns which of its processes live on. */
const killed = async (kind: 'plain' | 'keep'): Promise<readonly boolean[]> => {
  rmSync(pidFile, { force: true });
  const child = spawn(node, [curfew, 'run', '--', node, tree, kind], {
    cwd: folder,
    env: environment,
    stdio: 'ignore',
    windowsHide: true,
  });
  await until(() => existsSync(pidFile));
  // It looks for what is to be left alone at growing intervals.
  await sleep(6_000);
  child.kill();
  await sleep(2_000);
  return pids().map(lives);
};

mkdirSync(home, { recursive: true });
const window = openWindow();
try {
  expect('a status is passed on', 7, (await call('run', '--', 'cmd', '/c', 'exit 7')).status);
  expect('a missing command', 127, (await call('run', '--', 'no-such-program')).status);

  await call('run', '--', node, tree, 'plain', '9');
  expect('children end with the command, detached ones too', [false, false, false], pids().map(lives));

  const asked = JSON.parse(
    (await call('run', '--json', '--max-elapsed', '2s', '--grace', '20s', '--', node, polite)).out,
  ) as { readonly end: { readonly status: number; readonly outcome: string } };
  expect('at its limit it is asked', [124, 'reaped'], [asked.end.status, asked.end.outcome]);

  const ended = await call('run', '--json', '--max-elapsed', '3s', '--grace', '3s', '--', node, deaf);
  expect('what is deaf is ended after its grace', true, ended.out.includes('"outcome":"killed"'));
  expect('and heard it once', 1, ended.error.split('heard').length - 1);

  expect('a killed `curfew run` takes all with it', [false, false, false], await killed('plain'));
  expect('not where something is to be kept', [true, true, true, true], await killed('keep'));
  await call('runs');
  expect('the next Curfew ends the rest', [false, false, false, true], pids().map(lives));
  for (const pid of pids().filter(lives)) process.kill(pid);

  await call('run', '--max-elapsed', '12s', '--grace', '2s', '--', node, curfew, 'run', '--', node, tree, 'plain');
  expect('a run inside of a run ends with it', [false, false, false], pids().map(lives));

  const lock = join(folder, 'a.lock');
  const background = await call('run', '--background', '--lock', lock, '--', node, polite);
  const { id } = JSON.parse(background.out) as { readonly id: string };
  expect('a held lock is refused', 1, (await call('run', '--lock', lock, '--', 'cmd', '/c', 'exit 3')).status);
  expect('a run in the background is asked to end', true, (await call('terminate', id)).out.includes('code 143'));
  expect('then the lock is free', 3, (await call('run', '--lock', lock, '--', 'cmd', '/c', 'exit 3')).status);

  const shim = join(folder, 'shim.cmd');
  writeFileSync(shim, `@"${node}" -e "console.log(JSON.stringify(process.argv.slice(1)))" %*\r\n`);
  // Wine's cmd.exe has no parts of variables, by which `%` is kept from being one.
  const words = ['a b', 'c&d', 'x"y', 'z!', '^', ...(isWine ? [] : ['%PATH%', '100%'])];
  expect('a batch file gets its words as they are', words, JSON.parse((await call('run', '--', shim, ...words)).out));
} finally {
  window?.kill();
  tidy(folder);
}
sum();
