import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Innocent } from '../os/scene/innocents.ts';
import { innocentProgram } from '../os/scene/innocents.ts';
import type { Row } from '../os/scene/processes.ts';
import type { Scene } from '../os/scene/scene.ts';
import type { CastJob } from './cast.ts';
import { processesOf, readDiary, workersOfJob } from './diary.ts';
import { inTurn, recycle } from './strangers.ts';
import { isServerKind } from './servers/kinds.ts';
import type { Change, Step } from './world.ts';

const folder = '/tmp/scene/steps';
const reachedFile = z.object({ pid: z.number().nullable() });

/** What came of the steps of a world. */
export interface Happened {
  /** Who came, and must be spared. */
  readonly strangers: Innocent[];
  /**
   * Numbers of jobs of which not all need be dead: a process was marked to be kept, or nothing
   * proves any more whose it is.
   */
  readonly excused: Set<number>;
  /** How many of the steps were reached and done. */
  done: number;
}

/**
 * The environment in which Curfew stands still at the moments of a plan that is written later.
 * @param seenFrom where Curfew runs: in the scene, or on the machine from which that is reached
 */
export const stepsEnvironment = (
  stage: Scene,
  steps: readonly Step[],
  seenFrom: 'inside' | 'outside' = 'inside',
): Record<string, string> =>
  steps.length === 0
    ? {}
    : {
        NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'programs/stop-at.ts')).href}`,
        CURFEW_TEST_STEPS: seenFrom === 'inside' ? folder : stage.outside(folder),
      };

/** From now on Curfew stands still at those moments. */
export const armSteps = (stage: Scene, steps: readonly Step[]): void => {
  if (steps.length > 0) stage.write(`${folder}/plan.json`, JSON.stringify(steps));
};

interface Victim {
  readonly row: Row;
  readonly job: CastJob;
}

/**
 * The process that Curfew is about to touch, where it is one; else one of those that are due,
 * counted round.
 */
const victimOf = (
  stage: Scene,
  jobs: readonly CastJob[],
  { strangers }: Happened,
  { what, which }: Step,
  pid: number | null,
): Victim | null => {
  const except = strangers.map(({ identity }) => identity);
  const of = isToldTo(what) ? workersOfJob : processesOf;
  const all = jobs
    .filter(({ due }) => due === 'due')
    .flatMap((job) => of(stage, job.number, except).map((row): Victim => ({ row, job })));
  const meant = which === 0 ? all.find(({ row }) => row.pid === pid) : undefined;
  return meant ?? all[which % Math.max(1, all.length)] ?? null;
};

/** Tells a process of a job to do something, and waits until it has, or ended instead. */
const tell = async (stage: Scene, { row, job }: Victim, what: string, order = what): Promise<boolean> => {
  stage.write(`/tmp/scene/orders/${row.pid}`, order);
  const before = readDiary(stage, job.number).length;
  await stage.first.signal(row.pid, 'USR1');
  const did = (): boolean =>
    readDiary(stage, job.number)
      .slice(before)
      .some((entry) => entry.pid === row.pid && entry.what === `did ${what}`);
  await stage.until(`${row.pid} has done: ${what}`, () => did() || !stage.lives(row));
  return did();
};

let marked = 0;

/** Only who keeps a diary can be told to do something. */
const isToldTo = (what: Change): boolean => !['recycled', 'imitated', 'dies', 'stops'].includes(what);

/** Of what leaves its group, or outlives every process in it, only its marks tell whose it is. */
const escapes: ReadonlySet<string> = new Set([
  'setsid',
  'leave',
  'fork',
  'forked-twice',
  'deaf-escaped',
  'heir',
  'breeds',
]);

const change = async (
  stage: Scene,
  { row, job }: Victim,
  what: Change,
  steps: readonly Step[],
  happened: Happened,
): Promise<void> => {
  // Whatever a server is told to do it notes, and bytes that it moves are work.
  if (isToldTo(what) && isServerKind(job.kind)) happened.excused.add(job.number);
  switch (what) {
    case 'recycled':
    case 'imitated': {
      const argv = ['node', `job-${job.number}.js`] as const;
      const stranger = await recycle(stage, row, what === 'imitated' ? argv : null);
      if (stranger !== null) happened.strangers.push(stranger);
      return;
    }
    case 'dies':
      await stage.first.signal(row.pid, 'KILL');
      await stage.until('it is dead', () => !stage.lives(row));
      return;
    case 'stops':
      await stage.first.signal(row.pid, 'STOP');
      await stage.until('it stands still', () => !stage.lives(row) || stage.row(row.pid)?.state === 'T');
      return;
    case 'keep': {
      // A stopped one would do it after CONT only, when Curfew may be past it.
      if (row.state === 'T') return;
      const script = `${stage.home}/kept-${marked++}.js`;
      const program = innocentProgram(stage, script);
      happened.excused.add(job.number);
      if (await tell(stage, { row, job }, what, `keep ${script}`)) happened.strangers.push(await program.ready());
      return;
    }
    case 'rename':
      // Writing over its command line perl writes over what /proc shows as its environment. Who
      // left group, session and parents, too, is lost.
      if (escapes.has(job.kind) || steps.some((one) => escapes.has(one.what))) happened.excused.add(job.number);
      if (row.state !== 'T') await tell(stage, { row, job }, what);
      return;
    default:
      if (row.state !== 'T') await tell(stage, { row, job }, what);
  }
};

/** Does what the steps say whenever Curfew stands still for one, until `over`. */
export const playSteps = async (
  stage: Scene,
  jobs: readonly CastJob[],
  steps: readonly Step[],
  happened: Happened,
  over: () => boolean,
): Promise<void> => {
  const waiting = new Set(steps.keys());
  while (!over() && waiting.size > 0) {
    for (const number of waiting) {
      const step = steps[number];
      if (step === undefined || !stage.has(`${folder}/${number}.reached`)) continue;
      waiting.delete(number);
      const { pid } = reachedFile.parse(JSON.parse(stage.read(`${folder}/${number}.reached`)));
      try {
        await inTurn(stage, async () => {
          const victim = victimOf(stage, jobs, happened, step, pid);
          if (victim === null) return;
          await change(stage, victim, step.what, steps, happened);
          happened.done += 1;
        });
      } finally {
        stage.write(`${folder}/${number}.go`, '');
      }
    }
    await sleep(5);
  }
};
