import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { copyPrefix, linkPrograms, windowsKit as kit, wineEnvironment } from '../../../build/scripts/wine.ts';
import type { Planted, Played, Ran, Script, Step } from './programs/plan.ts';

/** Names under which Node is there: agents, and programs of the user and of calls. */
const programs = ['node', 'opencode', 'codex', 'server', 'mine', 'pwsh', 'code', 'explorer'];

/** Longest time of a scene, milliseconds. */
const patienceMs = 420_000;

const played: z.ZodType<Played> = z.object({
  runs: z.array(
    z.object({ args: z.array(z.string()), status: z.number().nullable(), out: z.string(), err: z.string() }),
  ),
  alive: z.array(z.string()),
  pids: z.record(z.string(), z.number()),
  asked: z.array(z.string()),
  problem: z.string().nullable(),
});

/**
 * What to give to unshare to run a line of shell in a network of its own, in which the self-check
 * can connect. For each connection of the machine Wine 8 looks through the open files of each of
 * its processes to find whose it is: beside a busy server a list of ports took minutes.
 */
export const inOwnNetwork = (line: string): readonly string[] => [
  '--net',
  '--',
  'sh',
  '-c',
  `ip link set lo up; exec ${line}`,
];

/** Wine shows the whole file system as drive Z. */
export const onWindows = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

/** A Windows of its own. */
interface Windows {
  /** Its folder for files, as Linux names it. */
  readonly folder: string;
  /** Runs a program of this project by Node, to its end; null where it had to be given up. */
  readonly run: (program: string, argument: string) => { readonly status: number | null; readonly said: string };
}

/**
 * Lets a Windows of its own be used, and ends it. Only inside a pid namespace: programs of Wine are
 * Linux processes, and what hangs is ended with the namespace.
 */
const withWindows = <Found>(use: (windows: Windows) => Found): Found => {
  if (process.env['CURFEW_TEST_NAMESPACE'] === undefined) throw new Error('use npm run test:windows');
  const folder = mkdtempSync(join(tmpdir(), 'curfew-wine-scene-'));
  const prefix = join(folder, 'prefix');
  const env = wineEnvironment(prefix, folder);
  try {
    copyPrefix(kit.prefix, prefix);
    linkPrograms(kit.node, join(folder, 'bin'), programs);
    return use({
      folder,
      run: (program, argument) => {
        const file = onWindows(join(import.meta.dirname, program));
        // Node under Wine takes no pipes as its standard streams.
        const line = `wine bin/node.exe '${file}' '${onWindows(argument)}' </dev/null >out.txt 2>err.txt`;
        const { status } = spawnSync('unshare', inOwnNetwork(line), {
          cwd: folder,
          env,
          timeout: patienceMs,
        });
        return {
          status,
          said: ['out.txt', 'err.txt'].map((name) => readFileSync(join(folder, name), 'utf8')).join('\n'),
        };
      },
    });
  } finally {
    spawnSync('wineserver', ['-k'], { env });
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Plays a scene on a Windows of its own. */
export const playScene = (steps: readonly Step[]): Played =>
  withWindows(({ folder, run }) => {
    const script: Script = {
      steps,
      programs: onWindows(join(folder, 'bin')),
      curfew: onWindows(kit.curfew),
      folder: onWindows(folder),
    };
    writeFileSync(join(folder, 'script.json'), JSON.stringify(script));
    const { said } = run('programs/scene.ts', join(folder, 'script.json'));
    try {
      return played.parse(JSON.parse(readFileSync(join(folder, 'answer.json'), 'utf8')));
    } catch {
      throw new Error(`the scene gave no answer: ${said}`);
    }
  });

/**
 * Runs one of test/windows/programs, which try the built command line on the Windows that they run
 * on.
 */
export const playProgram = (name: string): ReturnType<Windows['run']> =>
  withWindows(({ run }) => run(`../programs/${name}.ts`, kit.curfew));

/**
 * A program of the user with a window: Windows without any are not to be believed. In place of the
 * taskbar, which Wine has not.
 */
export const desktop: Step = {
  do: 'plant',
  planted: { id: 'user', file: 'mine', children: [{ id: 'taskbar', file: 'notepad', console: 'none' }] },
};

/** What opencode puts into the environment of everything that it starts. */
const marks = { AGENT: '1', OPENCODE: '1', OPENCODE_PID: '$PID' };

/** An agent, with the calls that it made: each without a console, as agents start them. */
export const agentWith = (id: string, ...calls: readonly Planted[]): Planted => ({
  id,
  file: 'opencode',
  children: calls.map((call) => ({ console: 'none', ...call, env: { ...marks, ...call.env } })),
});

/** A command of a call. */
export const command = (id: string, more: Partial<Planted> = {}): Planted => ({ id, file: 'server', ...more });

/** What tests look at in what Curfew says as JSON; lists that are not there are empty. */
const report = z.object({
  jobs: z.array(z.object({ owner: z.string(), vetoes: z.array(z.object({ code: z.string() })) })).default([]),
  incidents: z.array(z.object({ outcome: z.string(), freed: z.object({ processes: z.number() }) })).default([]),
});

/** Returns what a run of Curfew said. */
export const reportOf = ({ out }: Ran): z.infer<typeof report> => report.parse(JSON.parse(out));
