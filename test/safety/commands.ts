import type { Scene } from '../os/scene/scene.ts';
import type { JobKind } from './world.ts';

/**
 * The programs that jobs run; each is the fixtures' worker under that name. In full, because a
 * login shell has a PATH of its own.
 */
const programs = ['/tmp/scene/bin/node', '/tmp/scene/bin/python3', '/tmp/scene/bin/tail'] as const;

/** The file into which each process of a job writes the signals that it gets. */
export const diaryOf = (number: number): string => `/tmp/scene/diaries/job-${number}`;

/** The port of a job that serves. */
export const portOf = (number: number): number => 20_000 + (number % 10_000);

/** How many workers have written that they run, once the job has started as a whole. */
export const workersOf = (kind: JobKind): number => (withDeaf.has(kind) ? 2 : 1);

const withDeaf: ReadonlySet<JobKind> = new Set(['deaf', 'deaf-behind', 'deaf-escaped']);

/** What a worker of a job is told before it begins; see fixtures/worker.pl. */
const habits: Readonly<Partial<Record<JobKind, string>>> = {
  'deaf-serves': ' our $DEAF = 1;',
  heir: ' our $HEIR = 1;',
  'other-user': ' our $OTHER_USER = 65534;',
  renames: ' our $RENAMES = 1;',
  'kept-renames': ' our $RENAMES = 1;',
  'own-sockets': ' our $OWN_SOCKETS = 1;',
};

/** Puts the programs that a job runs on the stage. */
export const writePrograms = (stage: Scene, project: string, kind: JobKind, number: number): void => {
  for (const name of programs) stage.program(name);
  const setsid = process.arch === 'x64' ? 112 : 157;
  const diary = `our $DIARY = '${diaryOf(number)}'; our $SETSID = ${setsid};`;
  stage.write(diaryOf(number), '', 0o666);
  const port = kind === 'serves' || kind === 'deaf-serves' ? ` our $PORT = ${portOf(number)};` : '';
  stage.script(`${project}/job-${number}.js`, `${diary}${port}${habits[kind] ?? ''}`, 'worker.pl');
  if (withDeaf.has(kind)) stage.script(`${project}/job-${number}-deaf.js`, `${diary} our $DEAF = 1;`, 'worker.pl');
};

/**
 * What a tool call is asked to run. `number` is in the argv of everything that it leaves, and of
 * nothing else in that world.
 */
export const commandOf = (kind: JobKind, number: number): string => {
  const program = programs[number % programs.length] ?? programs[0];
  const work = `${program} job-${number}.js`;
  switch (kind) {
    case 'pipeline':
    case 'serves':
    case 'deaf-serves':
    case 'heir':
    case 'other-user':
    case 'kept':
    case 'renames':
    case 'own-sockets':
      return `${work} | cat`;
    case 'kept-renames':
      return `CURFEW_KEEP=1 ${work} | cat`;
    case 'leftover':
    case 'unseen':
    case 'noted':
      return `${work} >/dev/null 2>&1 & true`;
    case 'setsid':
      return `setsid ${work} >/dev/null 2>&1 & true`;
    case 'forked-twice':
      return `(setsid bash -c '${work} & wait' >/dev/null 2>&1 &) ; true`;
    case 'deaf':
      return `trap '' TERM INT HUP; ${work} & ${program} job-${number}-deaf.js; wait`;
    case 'deaf-behind':
      return `true; ${program} job-${number}-deaf.js & ${work}; true`;
    case 'deaf-escaped':
      return `true; setsid ${program} job-${number}-deaf.js >/dev/null 2>&1 & ${work}; true`;
    case 'breeds':
      return `for turn in $(seq 60); do ${work} & sleep 0.2; done; wait`;
    case 'changes':
      return `bash -c 'sleep 1.5; exec ${work}' & ${work} & wait`;
    case 'stopped':
      return `${work} & kill -STOP $!; ${work}; true`;
  }
};
