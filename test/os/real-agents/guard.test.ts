import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { curfewFile } from '../scene/curfew.ts';
import { StageError } from '../scene/stage-error.ts';
import { claude, missing, withClaude } from './bench.ts';

if (missing !== null) console.warn(`SKIPPED, the real Claude Code: ${missing}`);

const call = (command: string, background: boolean): object => ({
  tool: 'Bash',
  input: { command, description: 'guarded', ...(background ? { run_in_background: true } : {}) },
});

/** Commands of the agent's model: refused, warned about, given a limit, left alone. */
const steps = [
  call('tail -f /dev/null', true),
  call('true > out.txt echo written', false),
  call('node -e "setTimeout(() => {}, 90000)"', true),
  call('echo left alone', false),
  { text: 'done' },
];

const wishes = {
  'guard.enabled': 'on',
  'guard.neverEnds': 'deny',
  'guard.swallowedCommand': 'warn',
  'guard.noTimeout': 'rewrite',
  'guard.timeoutSeconds': '77',
};

interface Seen {
  /** Everything that the model was told, in order. */
  readonly told: string;
  /** Command lines of all processes while the agent runs. */
  readonly processes: string;
}

/**
 * Installs hooks with the command line, lets the agent start the commands, and reads the results;
 * null if it was not ready in time.
 */
const attempt = async (settle: number): Promise<Seen | null> => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-real-guard-'));
  try {
    const home = join(folder, 'home');
    mkdirSync(join(home, '.claude'), { recursive: true });
    const env = { PATH: process.env['PATH'], HOME: home, CURFEW_HOME: join(folder, 'curfew') };
    const curfew = (...args: readonly string[]): void => {
      const { status, stderr } = spawnSync(process.execPath, [curfewFile, ...args], { env, encoding: 'utf8' });
      if (status !== 0) throw new Error(`curfew ${args.join(' ')}: ${stderr}`);
    };
    for (const [key, value] of Object.entries(wishes)) curfew('settings', 'set', key, value);
    curfew('hooks', 'install', 'claude-code');
    const scenarios = join(folder, 'scenarios');
    mkdirSync(scenarios);
    writeFileSync(join(scenarios, 'guarded.json'), JSON.stringify(steps));
    const look = 'ps -eo args > "$0/processes.txt"; cat "$WORK_UNDER_TEST/model/guarded.said" > "$0/told.json"';
    const run = spawn('bash', [withClaude, 'guarded', 'live', '--', 'sh', '-c', look, folder], {
      stdio: ['ignore', 'inherit', 'pipe'],
      env: {
        ...process.env,
        CLAUDE_BIN: claude,
        CLAUDE_SETTINGS: join(home, '.claude/settings.json'),
        SCENARIOS: scenarios,
        SETTLE: String(settle),
        MAX: '240',
      },
    });
    let said = '';
    run.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = (await once(run, 'close')) as [number | null];
    if (said.includes('the agent said nothing')) return null;
    if (code !== 0) throw new Error(`with-claude.sh ended with ${code}: ${said}`);
    const told = readFileSync(join(folder, 'told.json'), 'utf8');
    if (!told.includes('left alone')) return null;
    return { told, processes: readFileSync(join(folder, 'processes.txt'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

test.skipIf(missing !== null)(
  `the guard in the real Claude Code: refuses, warns, gives a limit, and leaves the rest alone${missing === null ? '' : ` (SKIPPED: ${missing})`}`,
  async () => {
    const seen = (await attempt(9)) ?? (await attempt(40)) ?? (await attempt(90));
    if (seen === null) throw new StageError('waited in vain: the agent did not run its commands in time');
    const { told, processes } = seen;
    // Refused: the model gets the reason, and nothing was started.
    expect(told).toContain("PreToolUse:Bash hook error: Curfew's guard (neverEnds): `tail` never ends on its own");
    expect(processes).not.toContain('tail -f /dev/null');
    // Warned: it ran nevertheless.
    expect(told).toContain(
      "Curfew's guard (swallowedCommand): `echo` after the redirection is not run but passed to `true`",
    );
    // Limited: the changed command runs, still in the background, and the model knows.
    expect(processes).toMatch(/^timeout 77 node -e setTimeout/mu);
    expect(told).toContain("Curfew's guard (noTimeout) gave this command a time limit of 77 s");
    expect(told).toContain('Command running in background with ID');
    // Left alone: the model is told nothing.
    expect(told.match(/Curfew's guard/gu)).toHaveLength(3);
  },
);
