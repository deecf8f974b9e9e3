import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readableNode } from '../machine-facts.ts';
import type { Actor } from './actor.ts';
import type { Identity } from './processes.ts';
import { type Reap, type Scan, type ScannedJob, historyIncident, reapDocument, scanDocument } from './schemas.ts';
import type { Scene } from './scene.ts';
import { z } from 'zod';

/**
 * The built command line. $CURFEW_TEST_COMMAND_LINE names another, e.g. that of an installed
 * package.
 */
export const curfewFile =
  process.env['CURFEW_TEST_COMMAND_LINE'] ?? join(import.meta.dirname, '../../../build/out/cli/curfew.js');

/** Where and as what Curfew is run. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly parent?: Actor;
  readonly cwd?: string;
  /** Without it Curfew leads its own session, as from a terminal or a timer. */
  readonly setsid?: boolean;
  /** A program that runs the built file: argv before it. */
  readonly through?: readonly string[];
}

/** Result of a run of the command line. */
export interface Run {
  /** Exit status; 128 + n when signal n ended it. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running command line. */
export interface Running {
  readonly identity: Identity;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: () => Promise<Run>;
  readonly signal: (name: string) => Promise<void>;
}

const status = (ending: { code: number; signal: number }): number =>
  ending.signal > 0 ? 128 + ending.signal : ending.code;
let runs = 0;

const compiled = process.env['NODE_COMPILE_CACHE'];

/**
 * Code that all tests share once it is compiled. Of its own code a Curfew keeps nothing until it
 * has a state folder, and most homes of tests see two or three starts.
 */
export const compiledOnce: Readonly<Record<string, string>> =
  compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled };

/** Environment in which the scene's user runs Curfew. */
export const curfewEnvironment = (stage: Scene): Record<string, string> => ({
  ...compiledOnce,
  ...stage.userEnvironment(),
  CURFEW_HOME: '/tmp/curfew-home',
});

/** Starts `curfew ARGS…` in the scene and leaves it running. */
export const startCurfew = async (
  stage: Scene,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Running> => {
  if (!existsSync(curfewFile)) throw new Error(`${curfewFile} isn't there: run npm run build first`);
  const parent = options.parent ?? stage.top;
  const out = stage.write(`/tmp/scene/runs/${runs}.out`, '', 0o666);
  const err = stage.write(`/tmp/scene/runs/${runs++}.err`, '', 0o666);
  const argv = [...(options.through ?? []), readableNode, curfewFile, ...args];
  const file = argv[0] ?? readableNode;
  const identity = await parent.begin({
    file: file.includes('/') ? file : `/usr/bin/${file}`,
    argv,
    env: options.env ?? curfewEnvironment(stage),
    cwd: options.cwd ?? stage.home,
    setsid: options.setsid ?? true,
    fds: { 1: out, 2: err },
  });
  const { pid } = identity;
  return {
    identity,
    stdout: () => stage.read(out),
    stderr: () => stage.read(err),
    signal: async (name) => {
      // `unshare --fork` blocks TERM while it waits for what it runs.
      const itself = stage.table().filter((row) => row.argv[1] === curfewFile);
      const below = itself.some((row) => row.pid === pid) ? undefined : itself.find((row) => row.ppid === pid);
      await stage.first.signal(below?.pid ?? pid, name);
    },
    ended: async () => {
      const code = status(await parent.ended(pid));
      return { code, stdout: stage.read(out), stderr: stage.read(err) };
    },
  };
};

/** Runs `curfew ARGS…` in the scene to its end. */
export const runCurfew = async (stage: Scene, args: readonly string[], options: RunOptions = {}): Promise<Run> =>
  (await startCurfew(stage, args, options)).ended();

/**
 * Takes one JSON document out of a run that should have been all right; throws with everything the
 * run said when it wasn't.
 */
export const oneDocument = (run: Run): unknown => {
  try {
    if (run.code !== 0 && run.code !== 1) throw new Error('exit status');
    return JSON.parse(run.stdout);
  } catch (cause) {
    throw new Error(`curfew ended with ${run.code} and said\n${run.stdout}\n${run.stderr}`, { cause });
  }
};

/** `curfew scan --json`, checked against the contract. */
export const scan = async (stage: Scene, args: readonly string[] = [], options: RunOptions = {}): Promise<Scan> =>
  scanDocument.parse(oneDocument(await runCurfew(stage, ['scan', '--json', '--explain', ...args], options)));

/** `curfew reap --json`, checked against the contract. */
export const reap = async (stage: Scene, args: readonly string[] = [], options: RunOptions = {}): Promise<Reap> =>
  reapDocument.parse(oneDocument(await runCurfew(stage, ['reap', '--json', ...args], options)));

/**
 * For processes that obey TERM and must not be killed on a slow machine. Only processes that ignore
 * TERM use up the grace.
 */
export const patient = { grace: '60s' } as const;

/** How scenes let Curfew reap. */
export interface ReapOptions extends RunOptions {
  readonly grace?: string;
  /** What is only probably left over, too: without asking. */
  readonly probable?: true;
}

/**
 * Reaps orphans of any age: what most scenes end with. The grace is short for processes that ignore
 * TERM.
 */
export const reapOrphans = async (
  stage: Scene,
  { grace = '5s', probable, ...options }: ReapOptions = {},
): Promise<Reap> =>
  reap(stage, ['--max-age', '0s', '--grace', grace, ...(probable === true ? ['--probable', '--yes'] : [])], options);

/**
 * Looks once while agents live, as a supervisor does every few seconds: what is below an agent now
 * is witnessed from here on.
 */
export const lookBefore = async (stage: Scene): Promise<void> => {
  await scan(stage);
};

/** The incidents of `curfew history --json`, under any key of its document. */
export const history = async (
  stage: Scene,
  args: readonly string[] = [],
): Promise<readonly z.infer<typeof historyIncident>[]> => {
  const document = oneDocument(await runCurfew(stage, ['history', '--json', ...args]));
  return z
    .array(historyIncident)
    .parse(
      Array.isArray(document) ? document : z.looseObject({ incidents: z.array(z.unknown()) }).parse(document).incidents,
    );
};

/** Returns the job with this process as a member; throws with the whole scan if there is none. */
export const jobWith = (look: Pick<Scan, 'jobs'>, pid: number): ScannedJob => {
  const found = look.jobs.filter((job) => job.members.some((member) => member.pid === pid));
  if (found.length !== 1 || found[0] === undefined) {
    throw new Error(`process ${pid} is in ${found.length} jobs of\n${JSON.stringify(look.jobs, null, 1)}`);
  }
  return found[0];
};
