import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { FakeClaude } from '../os/scene/claude.ts';
import { runCurfew, type Running, startCurfew } from '../os/scene/curfew.ts';
import { preambleOf } from '../os/scene/habits.ts';
import { bystander, type Innocent, innocentProgram } from '../os/scene/innocents.ts';
import type { Identity } from '../os/scene/processes.ts';
import type { Scene } from '../os/scene/scene.ts';
import { type CastJob, nextNumber } from './cast.ts';
import { commandOf, workersOf, writePrograms } from './commands.ts';
import { aliveIn, readDiary, workersOfJob } from './diary.ts';
import { dueOfRun, type RunPlan, type ShelterPlan, type WorldPlan } from './world.ts';

/** A run on the stage. */
export interface CastRun {
  readonly plan: RunPlan;
  readonly jobs: readonly CastJob[];
  /** What nothing may happen to: what contract 5 protects, and the agent that began the run. */
  readonly innocents: readonly Innocent[];
  /** What contract 5 protects and `--strict` ends. */
  readonly due: readonly Identity[];
  readonly running: Running;
  /** Tells its command to end, or to say that it is done. */
  readonly letGo: () => void;
}

/** The limit of a run that reaches it, in seconds: by then all that it starts must stand. */
const limitSeconds = 10;

const runsFolder = '/tmp/curfew-home/runs';
const node = '/tmp/scene/bin/node';
let names = 0;

/**
 * A program of contract 5 that the run starts in a kernel session of its own, and below it a
 * program of the user.
 */
const shelter = (stage: Scene, folder: string, { program, isLeft }: ShelterPlan) => {
  const path = `${folder}/${program}-${names++}.js`;
  const below = innocentProgram(stage, `${path}.below.js`);
  const own = innocentProgram(stage, path);
  const exec = isLeft ? `exec 'setsid', '${node}'` : `exec '${node}'`;
  stage.script(path, `${preambleOf({ diary: own.diary })} if (!fork()) { ${exec}, '${path}.below.js' }`, 'resident.pl');
  return {
    command: `setsid -f ${stage.program(program)} ${path} </dev/null >/dev/null 2>&1`,
    ready: async (): Promise<readonly Innocent[]> => [await own.ready(), await below.ready()],
  };
};

/** The command stays when all that it started has left it. */
const stay = 'while :; do sleep 3600; done';
const lastLines: Readonly<Record<RunPlan['ends'], (leave: string) => string>> = {
  told: () => stay,
  killed: () => stay,
  limit: () => stay,
  itself: (leave) => `until [ -e ${leave} ]; do sleep 0.05; done; exit 5`,
  result: (leave) => `until [ -e ${leave} ]; do sleep 0.05; done; echo result; ${stay}`,
};

const optionsOf = ({ ends, isStrict }: RunPlan): readonly string[] => [
  '--grace',
  '1',
  ...(isStrict ? ['--strict'] : []),
  ...(ends === 'limit' ? ['--max-elapsed', String(limitSeconds)] : []),
  ...(ends === 'result' ? ['--idle-after', '^result$', '--idle-grace', '0'] : []),
];

/** Begins a run, and waits until all that it starts stands. */
const begin = async (stage: Scene, plan: RunPlan, env: Readonly<Record<string, string>>): Promise<CastRun> => {
  const folder = `/tmp/work/of-run-${names++}`;
  const jobs = plan.jobs.map((kind) => ({
    begunBy: { kind: 'run', plan } as const,
    kind,
    number: nextNumber(),
    due: dueOfRun(kind),
    claimed: false,
  }));
  const calls = jobs.map(({ kind, number }) => {
    writePrograms(stage, folder, kind, number);
    const keep = kind === 'kept' ? 'export CURFEW_KEEP=1; ' : '';
    return `bash ${stage.write(`${folder}/call-job-${number}.sh`, `${keep}${commandOf(kind, number)}\n`)} &`;
  });
  const sheltered = plan.shelters.map((one) => shelter(stage, folder, one));
  const leave = `${folder}/leave`;
  const lines = [`cd ${folder}`, ...calls, ...sheltered.map(({ command }) => command), lastLines[plan.ends](leave)];
  const script = stage.write(`${folder}/start.sh`, `${lines.join('\n')}\n`);
  const claude = plan.begunBy === 'agent' ? await FakeClaude.start(stage, { project: folder }) : null;
  const running = await startCurfew(stage, ['run', ...optionsOf(plan), '--', 'bash', script], {
    env: { ...claude?.environment(), ...env },
  });
  await stage.until(
    'all that a run starts stands',
    () =>
      !stage.lives(running.identity) ||
      jobs.every(({ kind, number }) => aliveIn(readDiary(stage, number)).size >= workersOf(kind)),
  );
  const protectedOnes = (await Promise.all(sheltered.map(({ ready }) => ready()))).flat();
  if (!stage.lives(running.identity)) throw new Error(`a run ended before all of it stood: ${running.stderr()}`);
  return {
    plan,
    jobs,
    innocents: [
      ...(plan.isStrict ? [] : protectedOnes),
      ...(claude === null ? [] : [bystander(stage, 'the agent that began a run', claude.actor.pid)]),
    ],
    due: plan.isStrict ? protectedOnes.map(({ identity }) => identity) : [],
    running,
    letGo: () => void stage.write(leave, ''),
  };
};

/** Begins all runs of a plan; those last that end at their limit, which is counted from there. */
export const beginRuns = async (
  stage: Scene,
  { runs }: WorldPlan,
  env: Readonly<Record<string, string>>,
): Promise<readonly CastRun[]> => {
  const begun: CastRun[] = [];
  for (const plan of [...runs].toSorted((one, other) => Number(one.ends === 'limit') - Number(other.ends === 'limit')))
    begun.push(await begin(stage, plan, env));
  return begun;
};

const filesOfRuns = (stage: Scene, name: string): readonly string[] => {
  const folder = stage.outside(runsFolder);
  return readdirSync(folder)
    .map((id) => join(folder, id, name))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8'));
};

const notedMembers = z.object({ members: z.array(z.object({ pid: z.number() })) });

/** The pids that runs have noted: by these they are found when their `curfew run` is gone. */
const notedIn = (stage: Scene): ReadonlySet<number> =>
  new Set(
    filesOfRuns(stage, 'seen.json').flatMap((text) =>
      notedMembers.parse(JSON.parse(text)).members.map(({ pid }) => pid),
    ),
  );

const endOne = async (stage: Scene, run: CastRun, env: Readonly<Record<string, string>>): Promise<void> => {
  const { running, plan, jobs, innocents, due } = run;
  if (plan.ends === 'told') await running.signal('TERM');
  if (plan.ends === 'itself' || plan.ends === 'result') run.letGo();
  if (plan.ends === 'killed') {
    const members: readonly Identity[] = [
      ...jobs.flatMap(({ number }) => workersOfJob(stage, number)),
      ...innocents.filter(({ diary }) => diary !== null).map(({ identity }) => identity),
      ...due,
    ];
    // What dies meanwhile need not be found any more.
    await stage.until('the members of a run are noted', () => {
      const found = notedIn(stage);
      return members.every((one) => found.has(one.pid) || !stage.lives(one));
    });
    await running.signal('KILL');
    await running.ended();
    await runCurfew(stage, ['runs'], { env });
    return;
  }
  await running.ended();
};

/** Ends the runs, one after the other, each in its way. */
export const endRuns = async (
  stage: Scene,
  runs: readonly CastRun[],
  env: Readonly<Record<string, string>>,
): Promise<void> => {
  for (const run of runs) await endOne(stage, run, env);
  // The kernel takes a moment to end what was sent KILL.
  await sleep(100);
};

const signal = z.object({
  signal: z.string(),
  target: z.string(),
  pids: z.array(z.number()),
  result: z.string(),
});
const noted = z.object({ sent: z.array(signal).default([]) });

/** Every signal on record in the folders of runs, whatever ended them. */
export const signalsOfRuns = (stage: Scene): readonly z.infer<typeof signal>[] =>
  filesOfRuns(stage, 'signals.jsonl').flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => noted.parse(JSON.parse(line)).sent),
  );
