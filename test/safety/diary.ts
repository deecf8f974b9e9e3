import type { Identity, Row } from '../os/scene/processes.ts';
import { lives } from '../os/scene/processes.ts';
import type { Scene } from '../os/scene/scene.ts';
import { diaryOf } from './commands.ts';

/**
 * What a process of a job wrote: that it is alive, a signal that it heard, or what it did because
 * it was told to.
 */
export interface Entry {
  readonly pid: number;
  readonly group: number;
  readonly what: string;
}

/** What the processes of a job wrote so far. */
export const readDiary = (stage: Scene, number: number): readonly Entry[] =>
  stage
    .read(diaryOf(number))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [pid = '', group = '', ...what] = line.split(' ');
      return { pid: Number(pid), group: Number(group), what: what.join(' ') };
    });

/** Who wrote that it runs. */
export const aliveIn = (entries: readonly Entry[]): ReadonlySet<number> =>
  new Set(entries.filter(({ what }) => what === 'alive').map(({ pid }) => pid));

/** The signals among them. */
export const heardIn = (entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(({ what }) => /^[A-Z]+$/u.test(what));

/**
 * Living processes of a job: everything that names its script, except those that only look like it.
 */
export const processesOf = (
  stage: Scene,
  number: number,
  except: readonly Identity[] = [],
  table: readonly Row[] = stage.table(),
): readonly Row[] =>
  table.filter(
    (row) =>
      lives(row) &&
      row.argv.some((word) => word.includes(`job-${number}`)) &&
      !except.some(({ pid, start }) => pid === row.pid && start === row.start),
  );

/** Those of them that never end by themselves and keep the diary. */
export const workersOfJob = (stage: Scene, number: number, except: readonly Identity[] = []): readonly Row[] => {
  const alive = aliveIn(readDiary(stage, number));
  return processesOf(stage, number, except).filter(({ pid }) => alive.has(pid));
};

/**
 * The processes of a job that never end on their own: those that name its script, and their
 * readers.
 */
export const lastingOf = (stage: Scene, number: number): readonly Row[] => {
  const all = processesOf(stage, number);
  const parents = new Set(all.map(({ ppid }) => ppid));
  // A shell about to become another program is a copy of its parent for a moment. One that stays
  // has a child to wait for.
  const isCopy = (row: Row): boolean =>
    !parents.has(row.pid) && all.some(({ pid, argv }) => pid === row.ppid && argv.join(' ') === row.argv.join(' '));
  const named = all.filter((row) => !isCopy(row));
  const groups = new Set(named.map(({ pgid }) => pgid));
  return [...named, ...stage.table().filter((row) => lives(row) && row.argv[0] === 'cat' && groups.has(row.pgid))];
};
