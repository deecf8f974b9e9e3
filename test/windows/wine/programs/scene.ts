// Plays one scene on a Windows: node scene.ts SCRIPT.json. Run by a Windows Node.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Machine } from '../worlds/machine.ts';
import { bindWindows } from '../worlds/native.ts';
import { startWithNumberOf } from '../worlds/numbers.ts';
import type { Planted, Played, Ran, Script, Step } from './plan.ts';

const script = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Script;
const pipe = String.raw`\\.\pipe\curfew-scene-${process.pid}`;
const runs: Ran[] = [];
const pids: Record<string, number> = {};
const asked: string[] = [];
/** Living planted processes by their ids: node by their connection, others by their pid. */
const living = new Map<string, Socket | number>();

/** Longest wait for anything, milliseconds. */
const patienceMs = 120_000;

const sleep = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms));

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const isAlive = (id: string): boolean => {
  const one = living.get(id);
  return typeof one === 'number' ? lives(one) : one !== undefined;
};

const until = async (what: string, holds: () => boolean): Promise<void> => {
  for (let waited = 0; !holds(); waited += 50) {
    if (waited > patienceMs) throw new Error(`waited in vain: ${what}`);
    await sleep(50);
  }
};

const hear = (socket: Socket, line: string): void => {
  const told = JSON.parse(line) as { id?: string; started?: string; asked?: string; failed?: string; pid?: number };
  const { pid = 0 } = told;
  if (told.id !== undefined) {
    const { id } = told;
    pids[id] = pid;
    living.set(id, socket);
    socket.on('close', () => living.get(id) === socket && living.delete(id));
  }
  if (told.started !== undefined) {
    pids[told.started] = pid;
    living.set(told.started, pid);
  }
  if (told.asked !== undefined) asked.push(told.asked);
  if (told.failed !== undefined) throw new Error(line);
};

const server = createServer((socket) => {
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    text += String(bytes);
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
      hear(socket, text.slice(0, end));
      text = text.slice(end + 1);
    }
  });
});

const idsOf = (planted: Planted): readonly string[] => [planted.id, ...(planted.children ?? []).flatMap(idsOf)];

const environment = { ...process.env, CURFEW_TEST_PIPE: pipe, CURFEW_TEST_PROGRAMS: script.programs };

const plant = async (planted: Planted): Promise<void> => {
  const plan = Buffer.from(JSON.stringify(planted)).toString('base64');
  const program = join(script.programs, `${planted.file}.exe`);
  const child = spawn(program, [join(import.meta.dirname, 'planted.ts')], {
    env: { ...environment, ...planted.env, CURFEW_TEST_PLANT: plan },
    stdio: 'ignore',
    detached: planted.console === 'none',
    windowsHide: planted.console === 'own',
  });
  child.unref();
  await until(`${idsOf(planted).join()} live`, () => idsOf(planted).every((id) => living.has(id)));
};

const end = async (id: string): Promise<void> => {
  const one = living.get(id);
  if (typeof one === 'number') process.kill(one);
  else one?.write('end');
  await until(`${id} ends`, () => !isAlive(id));
};

const reuse = async (id: string, as: string): Promise<void> => {
  const machine = new Machine(bindWindows(script.curfew), script.programs);
  const start = {
    file: String.raw`C:\windows\system32\cmd.exe`,
    args: '/d /c pause',
    environment: Object.entries(process.env).map(([name, value]) => `${name}=${value ?? ''}`),
    console: 'own',
  } as const;
  // What started it may not have let go of it yet.
  for (const endMs = Date.now() + patienceMs; Date.now() < endMs; await sleep(500)) {
    const one = startWithNumberOf(machine, pids[id] ?? 0, null, start);
    if (one === null) continue;
    pids[as] = one.pid;
    living.set(as, one.pid);
    return;
  }
  throw new Error(`the pid of ${id} was not given out again`);
};

const watch = async (step: Extract<Step, { readonly do: 'watch' }>): Promise<void> => {
  const child = spawn(process.execPath, [script.curfew, 'watch', ...step.args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (bytes) => (out += String(bytes)));
  child.stderr.on('data', (bytes) => (err += String(bytes)));
  await until('the watch says something', () => out !== '' || child.exitCode !== null);
  for (const one of step.meanwhile) await play(one);
  await until(`${step.gone.join()} ended by the watch`, () => step.gone.every((id) => !isAlive(id)));
  await sleep(step.thenMs);
  child.kill();
  runs.push({ args: ['watch', ...step.args], status: child.exitCode, out, err });
};

const play = async (step: Step): Promise<void> => {
  switch (step.do) {
    case 'plant':
      return plant(step.planted);
    case 'end':
      return end(step.id);
    case 'wait':
      return sleep(step.ms);
    case 'reuse':
      return reuse(step.id, step.as);
    case 'watch':
      return watch(step);
    case 'curfew': {
      // Into files: what Wine starts by the way would keep pipes open.
      const [out, err] = ['out', 'err'].map((name) => join(script.folder, `curfew-${runs.length}.${name}`));
      const files = [openSync(out ?? '', 'w'), openSync(err ?? '', 'w')];
      const { status } = spawnSync(process.execPath, [script.curfew, ...step.args], {
        stdio: ['ignore', ...files],
        windowsHide: true,
        timeout: 120_000,
      });
      for (const file of files) closeSync(file);
      const [said, complained] = [out, err].map((file) => readFileSync(file ?? '', 'utf8'));
      runs.push({ args: step.args, status, out: said ?? '', err: complained ?? '' });
      // The connections of what was ended close now.
      return sleep(100);
    }
  }
};

const finish = (problem: string | null): never => {
  const alive = [...living.keys()].filter(isAlive).toSorted();
  writeFileSync(
    join(script.folder, 'answer.json'),
    JSON.stringify({ runs, alive, pids, asked, problem } satisfies Played),
  );
  process.exit(0);
};

process.on('uncaughtException', (error) => finish(String(error.stack)));
server.listen(pipe, () => {
  const all = async (): Promise<void> => {
    for (const step of script.steps) await play(step);
  };
  all().then(
    () => finish(null),
    (error: unknown) => finish(String(error)),
  );
});
