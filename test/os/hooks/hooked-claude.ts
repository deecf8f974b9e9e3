import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { curfewFile } from '../scene/curfew.ts';
import { claude, missing as notHere, withClaude } from '../real-agents/bench.ts';
import { StageError } from '../scene/stage-error.ts';

/** Whether the real agent can't run here; said once. */
export const missing = notHere !== null;
if (missing) console.warn(`SKIPPED, hooks of the real Claude Code: ${notHere}`);

/** The user's previous settings, in a layout that no program writes. */
export const settings = `{
  "hooks": { "Stop": [] },
     "cleanupPeriodDays" : 30
}
`;

/** A user's home with hooks in it. */
export interface Hooked {
  readonly root: string;
  readonly home: string;
  readonly settings: string;
}

/** Runs `curfew` as that user; throws if it fails. */
export const curfew = (hooked: Hooked, ...args: readonly string[]): void => {
  const { status, stderr } = spawnSync(process.execPath, [curfewFile, ...args], {
    env: { PATH: process.env['PATH'], HOME: hooked.root, CURFEW_HOME: hooked.home },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`curfew ${args.join(' ')} ended with ${status}: ${stderr}`);
};

/** A user's settings with hooks as `curfew hooks install` writes them, with these options. */
export const hooked = (mode: 'enforce' | 'observe', ...options: readonly string[]): Hooked => {
  const root = mkdtempSync(join(tmpdir(), 'curfew-hooked-'));
  const one = { root, home: join(root, 'curfew'), settings: join(root, '.claude/settings.json') };
  mkdirSync(join(root, '.claude'));
  writeFileSync(one.settings, settings);
  curfew(one, 'settings', 'set', 'mode', mode);
  curfew(one, 'hooks', 'install', 'claude-code', ...options);
  return one;
};

/** How the agent is ended once the test's condition holds. */
export interface Ending {
  readonly how: 'term' | 'kill';
  /** A shell command that succeeds once the condition holds; it is retried until then. */
  readonly ready: string;
  /** File for the command lines of all processes before the end. */
  readonly before: string;
}

/**
 * Time that the agent gets for its first reply, seconds; a busy machine gets a second and a third
 * try.
 */
const settles = [12, 40, 90];
const unheard = 'the agent said nothing';

/**
 * Runs the real agent through a scenario with these settings until it exits ('end') or is ended,
 * and runs a command in its namespace. Waits only for required events.
 */
export const run = async (
  one: Hooked,
  scenario: string,
  ending: Ending | 'end',
  command: readonly string[],
  binary = claude,
  env: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const script = join(import.meta.dirname, '../fixtures/end-agent.sh');
  const words = ending === 'end' ? ['end', '--'] : ['live', '--', 'bash', script, ending.how, ending.before];
  for (const settle of settles) {
    const child = spawn('bash', [withClaude, scenario, ...words, ...command], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        CLAUDE_SETTINGS: one.settings,
        CLAUDE_BIN: binary,
        CURFEW_HOME: one.home,
        SETTLE: String(settle),
        MAX: '250',
        ...(ending === 'end' ? {} : { READY: ending.ready }),
        ...env,
      },
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code === 0) return;
    if (!said.includes(unheard)) throw new Error(`with-claude.sh ended with ${code}: ${said}`);
  }
  throw new StageError(`waited in vain: ${unheard} in ${settles.at(-1)} s`);
};
