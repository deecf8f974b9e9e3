import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Curfew, type Running, type Said } from './curfew.ts';
import { playInnocent } from './innocents.ts';
import { playJob } from './jobs.ts';
import { judge, roleOf } from './judge.ts';
import { Machine, type Process } from './machine.ts';
import type { WindowsCalls } from './native.ts';
import { looks, type Lane, type PlayedWorld, type SeededPlan, type WinePlan } from './plan.ts';
import { World } from './world.ts';

/** Between two changes of the world beside a watch, milliseconds. */
const changeMs = 200;
/** A watch has done what it can after so long. */
const watchedMs = 40_000;
/** And then it gets so long to do what it must not. */
const settledMs = 2_500;

const reap = ['reap', '--max-age', '0s', '--grace', '1s', '--json'];

const environmentOf = (home: string): Readonly<Record<string, string>> => ({
  PATH: process.env['PATH'] ?? '',
  SYSTEMROOT: String.raw`C:\windows`,
  WINDIR: String.raw`C:\windows`,
  SYSTEMDRIVE: 'C:',
  USERPROFILE: home,
  APPDATA: join(home, 'AppData', 'Roaming'),
  LOCALAPPDATA: join(home, 'AppData', 'Local'),
  TEMP: join(home, 'AppData', 'Local', 'Temp'),
  TMP: join(home, 'AppData', 'Local', 'Temp'),
});

/** A process that is due ends by itself, and a program of the user gets its number. */
const disturb = (world: World): void => {
  const due = world.placed.find((one) => roleOf(world, one) === 'due' && world.isAlive(one.process));
  if (due === undefined) return;
  world.end(due.process);
  world.giveNumberOf(due.process, null);
};

interface Playing {
  readonly world: World;
  readonly curfew: Curfew;
  readonly plan: WinePlan;
  readonly said: Said[];
}

const whileEnding = async ({ world, plan }: Playing, done: Promise<unknown>): Promise<void> => {
  if (plan.disturbedAfterMs !== null) {
    await Promise.race([done, sleep(plan.disturbedAfterMs)]);
    disturb(world);
  }
  await done;
};

const isDone = (world: World): boolean =>
  world.placed.every((one) => roleOf(world, one) !== 'due' || !world.isAlive(one.process));

const play = async (playing: Playing): Promise<void> => {
  const { world, curfew, plan, said } = playing;
  const seats = plan.agents.map((agent) => world.raise(agent));
  for (const [index, { jobs, innocents, endsAt }] of plan.agents.entries()) {
    const seat = seats[index];
    if (seat === undefined) continue;
    for (const { kind, at } of jobs) world.at(at, () => playJob(world, seat.agent, kind));
    for (const { kind, at } of innocents) world.at(at, () => playInnocent(world, seat, kind));
    if (endsAt !== null) world.at(endsAt, () => world.end(seat.agent.process));
  }
  const [first] = seats;
  if (first === undefined) throw new Error('a world has an agent');
  for (const { at, which } of plan.numbers) world.at(at, () => world.giveNumber(which, first.agent));
  let watch: Running | null = null;
  for (let look = 0; look < looks; look += 1) {
    if (look === plan.lookedAt) {
      if (plan.by === 'watch') watch = await curfew.watch();
      else said.push(await curfew.run('reap', '--json'));
      world.follow();
      world.isWatched = plan.by === 'watch';
    }
    world.reach(look);
    if (watch !== null) await sleep(changeMs);
  }
  world.isWatched = true;
  if (plan.by === 'watch') {
    const { child, said: saidSoFar } = (watch ??= await curfew.watch());
    const untilDone = async (): Promise<void> => {
      for (const start = Date.now(); !isDone(world) && Date.now() - start < watchedMs;) await sleep(200);
    };
    await whileEnding(playing, untilDone());
    await untilDone();
    await sleep(settledMs);
    said.push(saidSoFar());
    child.kill();
    await sleep(200);
  } else {
    const pass = curfew.run(...reap);
    await whileEnding(playing, pass);
    said.push(await pass);
    // Of a job that changed while it was ended the rest is due at the next pass.
    if (plan.disturbedAfterMs !== null && !isDone(world)) said.push(await curfew.run(...reap));
  }
};

/** `reap --job` of all that is protected. */
const reapProtected = async ({ curfew, said }: Playing): Promise<void> => {
  const { out } = await curfew.run('scan', '--json', '--all');
  const { jobs } = JSON.parse(out) as {
    readonly jobs: readonly { readonly id: string; readonly vetoes: readonly unknown[] }[];
  };
  const vetoed = jobs.filter(({ vetoes }) => vetoes.length > 0).flatMap(({ id }) => ['--job', id]);
  if (vetoed.length > 0) said.push(await curfew.run('reap', ...vetoed, '--grace', '1s', '--json'));
};

/** A run with a limit, of a command that starts others. Returns what must have ended with it. */
const endRun = async ({ world, curfew }: Playing): Promise<readonly Process[]> => {
  const { machine } = world;
  const running = curfew.start('run', '--max-elapsed', '4s', '--grace', '1s', '--', machine.pathOf('cargo'), 'build');
  const find = (): Process | undefined => machine.all().find(({ name }) => name.toLowerCase() === 'cargo.exe');
  let command = find();
  while (command === undefined && running.child.exitCode === null) {
    await sleep(100);
    command = find();
  }
  if (command === undefined) throw new Error(`the run did not start: ${running.said().err}`);
  const { environment } = world;
  const child = machine.start(command, { file: 'node', environment, console: 'shared' });
  const detached = machine.start(child, { file: 'node', environment, console: 'none', deaf: true });
  const below = machine.start(detached, { file: 'node', environment, console: 'none' });
  machine.end(detached);
  await running.ended;
  return [command, child, below];
};

/** Plays one world; all that it started has ended afterwards. */
export const playWorld = async (
  { seed, plan }: SeededPlan,
  calls: WindowsCalls,
  { programs, curfew: program, folder }: Lane,
): Promise<PlayedWorld> => {
  const begun = Date.now();
  const machine = new Machine(calls, programs);
  const before = machine.all();
  const home = join(folder, `world-${seed}`);
  const variables = environmentOf(home);
  mkdirSync(variables['TEMP'] ?? home, { recursive: true });
  const nothing = { seed, wrong: [], due: 0, mustLive: 0, terminations: 0, recycled: 0 };
  try {
    const world = new World(
      machine,
      home,
      Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    );
    const playing = { world, curfew: new Curfew(program, home, variables), plan, said: [] };
    await play(playing);
    if (plan.atLast === 'reap-protected') await reapProtected(playing);
    const judged = await judge(world, playing.curfew, playing.said, before);
    const ofRun = plan.atLast === 'run' ? await endRun(playing) : [];
    const left = ofRun.filter((one) => machine.lives(one)).map(() => 'left: a process of a run');
    const later = plan.atLast === 'run' ? await judge(world, null, [], before) : judged;
    const wrong = [...new Set([...judged.wrong, ...later.wrong, ...left])];
    const tookMs = Date.now() - begun;
    const terminations = judged.terminations + ofRun.length - left.length;
    const due = judged.due + ofRun.length;
    return { ...judged, due, terminations, seed, wrong, notSet: null, recycled: world.recycled, tookMs };
  } catch (error) {
    const notSet = error instanceof Error ? String(error.stack) : String(error);
    return { ...nothing, notSet, tookMs: Date.now() - begun };
  } finally {
    const known = new Set(before.map(({ pid, created }) => `${pid} ${created}`));
    for (const one of machine.all())
      if (!known.has(`${one.pid} ${one.created}`) && !systemPrograms.has(one.name.toLowerCase())) machine.end(one);
  }
};

/** Programs of Wine that start by themselves. */
const systemPrograms = new Set(['conhost.exe', 'winedevice.exe', 'rpcss.exe', 'plugplay.exe', 'svchost.exe']);
