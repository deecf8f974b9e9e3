import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { curfewFile } from '../scene/curfew.ts';
import { claude } from '../real-agents/bench.ts';
import { curfew, hooked, missing, run, settings, type Hooked } from './hooked-claude.ts';

const fixtures = join(import.meta.dirname, '../fixtures');

const registered = z.object({
  sessions: z.array(z.looseObject({ id: z.string(), process: z.object({ pid: z.int() }).nullable() })),
});
const recorded = z.object({
  incidents: z.array(z.looseObject({ command: z.string(), decidedBy: z.string(), outcome: z.string() })),
});

/**
 * A call leaves it running, in a kernel session of its own, and stays until looks have seen it
 * below its shell: marks alone would only make it probable.
 */
const leaves = 'setsid nohup sleep 3604 >/dev/null 2>&1 & echo $!; for _ in $(seq 20); do sleep 1; done';

/** What a call leaves running, and a task that keeps the agent from ending on its own. */
const steps = [
  { tool: 'Bash', input: { command: leaves, description: 'leaves it' } },
  { tool: 'Bash', input: { command: 'sleep 3600 | cat', run_in_background: true, description: 'stays' } },
  { text: 'Started both.' },
];

/** Both run, and the supervisor knows the session. */
const bothRun =
  'ps -eo args | grep -q "^sleep 3604" && ps -eo args | grep -q "^sleep 3600" && test -s "$CURFEW_HOME/hooks/sessions.json"';

interface Aftermath {
  readonly before: string;
  readonly after: string;
  readonly session: string;
  readonly sessions: z.infer<typeof registered>['sessions'];
  readonly incidents: z.infer<typeof recorded>['incidents'];
  readonly output: string;
  readonly doctor: string;
}

/**
 * Runs the real agent beside `curfew watch`, ends it in the given way, and waits until the matching
 * processes are gone.
 */
const watched = async (one: Hooked, how: 'term' | 'kill', pattern: string): Promise<Aftermath> => {
  const results = join(one.root, 'results');
  mkdirSync(results);
  const values: Readonly<Record<string, string>> = {
    CURFEW_HOME: one.home,
    NODE: process.execPath,
    CURFEW: curfewFile,
    RESULTS: results,
    CLAUDE: claude,
  };
  const text = readFileSync(join(fixtures, 'watched-claude.sh'), 'utf8');
  const program = join(one.root, 'claude');
  writeFileSync(
    program,
    text.replaceAll(/@([A-Z_]+)@/gu, (_, name: string) => values[name] ?? ''),
    { mode: 0o755 },
  );
  const after = ['bash', join(fixtures, 'after-watch.sh'), process.execPath, curfewFile, results, pattern];
  const scenarios = join(one.root, 'scenarios');
  mkdirSync(scenarios);
  writeFileSync(join(scenarios, 'both.json'), JSON.stringify(steps));
  const ending = { how, ready: bothRun, before: join(results, 'before.txt') } as const;
  await run(one, 'both', ending, after, program, { SCENARIOS: scenarios });
  const read = (name: string): string => readFileSync(join(results, name), 'utf8');
  // Claude Code left the file as installed; after removal every byte is as before.
  expect(read('settings.json')).toBe(readFileSync(one.settings, 'utf8'));
  curfew(one, 'hooks', 'uninstall', 'claude-code');
  expect(readFileSync(one.settings, 'utf8')).toBe(settings);
  return {
    before: read('before.txt'),
    after: read('after.txt'),
    session: read('session.txt').trim(),
    sessions: registered.parse(JSON.parse(read('sessions.json'))).sessions,
    incidents: recorded.parse(JSON.parse(read('history.json'))).incidents,
    output: read('output.txt'),
    doctor: read('doctor.txt'),
  };
};

const during = async (orphanGraceSeconds: number, how: 'term' | 'kill', pattern: string): Promise<Aftermath> => {
  const one = hooked('enforce');
  try {
    curfew(one, 'settings', 'set', 'orphanGraceSeconds', String(orphanGraceSeconds));
    curfew(one, 'settings', 'set', 'noticeSeconds', '0');
    return await watched(one, how, pattern);
  } finally {
    rmSync(one.root, { recursive: true, force: true });
  }
};

const expectRegistered = ({ session, sessions }: Aftermath): void => {
  expect(sessions.map(({ id }) => id)).toEqual([session]);
  expect(sessions[0]?.process).not.toBeNull();
};

describe
  .skipIf(missing)
  .concurrent('the real Claude Code with hooks beside a running supervisor', { timeout: 480_000 }, () => {
    test('terminated: its hook ends its leftovers at once, long before the orphan grace', async () => {
      const seen = await during(3600, 'term', 'sleep 360[04]');
      expectRegistered(seen);
      expect(seen.before).toContain('sleep 3604');
      expect(seen.after).not.toContain('sleep 360');
      expect(seen.incidents).toMatchObject([{ command: leaves, decidedBy: 'hook', outcome: 'reaped' }]);
      expect(seen.doctor).toContain('It took a marked event out of its inbox.');
    });

    test('killed, so that no hook fires: the supervisor ends its leftovers and says so in the output file of its task', async () => {
      const seen = await during(1, 'kill', 'sleep 360[04]');
      expectRegistered(seen);
      expect(seen.before).toContain('sleep 3600');
      expect(seen.after).not.toContain('sleep 360');
      expect(seen.incidents.map(({ command }) => command).toSorted()).toEqual([leaves, 'sleep 3600 | cat']);
      expect(seen.incidents.map(({ decidedBy, outcome }) => `${decidedBy} ${outcome}`)).toEqual([
        'rule reaped',
        'rule reaped',
      ]);
      expect(seen.output).toMatch(
        /^\[curfew .*\] Curfew ended `sleep 3600 \| cat` after .*by its rules: .*its session (?:has )?ended/m,
      );
      expect(JSON.stringify(seen.incidents)).toContain('Noted in the agent’s output file');
    });
  });
