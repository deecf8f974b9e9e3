import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { curfewFile } from '../scene/curfew.ts';
import { StageError } from '../scene/stage-error.ts';
import { type Reap, type Scan, historyIncident, reapDocument, scanDocument } from '../scene/schemas.ts';
import { claude, missing, withClaude } from './bench.ts';

if (missing !== null) console.warn(`SKIPPED, the real Claude Code: ${missing}`);

interface Aftermath {
  readonly scan: Scan;
  readonly reap: Reap;
  readonly history: readonly z.infer<typeof historyIncident>[];
  readonly session: string;
  readonly project: string;
  /** Command lines of all processes, before and after. */
  readonly before: string;
  readonly after: string;
  readonly output: string;
}

/**
 * What a user finds and does after this scenario and end; null if the agent was not ready within
 * `settle` seconds.
 */
const attempt = async (scenario: string, how: string, started: string, settle: number): Promise<Aftermath | null> => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-real-test-'));
  try {
    const script = join(import.meta.dirname, '../fixtures/after-agent.sh');
    const run = spawn('bash', [withClaude, scenario, how, '--', 'bash', script, process.execPath, curfewFile, folder], {
      stdio: ['ignore', 'inherit', 'pipe'],
      env: { ...process.env, CLAUDE_BIN: claude, SETTLE: String(settle), MAX: '240' },
    });
    let said = '';
    run.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = (await once(run, 'close')) as [number | null];
    if (said.includes('the agent said nothing')) return null;
    if (code !== 0) throw new Error(`with-claude.sh ended with ${code}: ${said}`);
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
    if (!read('before.txt').includes(started)) return null;
    const document = (name: string): unknown => {
      if (read(`${name}.status`).trim() !== '0')
        throw new Error(`curfew ${name}: ${read(`${name}.err`)}${read(`${name}.json`)}`);
      return JSON.parse(read(`${name}.json`));
    };
    const record = document('history');
    const rows = Array.isArray(record)
      ? record
      : z.looseObject({ incidents: z.array(z.unknown()) }).parse(record).incidents;
    return {
      scan: scanDocument.parse(document('scan')),
      reap: reapDocument.parse(document('reap')),
      history: z.array(historyIncident).parse(rows),
      session: basename(read('transcripts.txt').trim(), '.jsonl'),
      project: read('project.txt').trim(),
      before: read('before.txt'),
      after: read('after.txt'),
      output: existsSync(join(folder, 'output.txt')) ? read('output.txt') : '',
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * Lets the real agent start the commands of a scenario, ends it in the given way, then scans, reaps
 * and reads the history. The bench waits for a time, not for the agent, so a busy machine gets a
 * second and a third, longer try.
 */
const afterwards = async (scenario: string, how: string, started: string): Promise<Aftermath> => {
  for (const settle of [9, 40, 90]) {
    const seen = await attempt(scenario, how, started, settle);
    if (seen !== null) return seen;
  }
  throw new StageError(`waited in vain: the agent did not start "${started}" in time`);
};

/**
 * Fails unless everything with these command lines was found as this session's, and was ended and
 * recorded.
 */
const expectEnded = (seen: Aftermath, commands: readonly string[]): void => {
  const { session, project } = seen;
  const members = seen.scan.jobs.flatMap((job) => job.members.map((member) => ({ ...member, job })));
  for (const command of commands) {
    expect(seen.before).toContain(command);
    const member = members.find(({ args }) => args.includes(command));
    expect(member?.job).toMatchObject({ agent: 'claude-code', session, project, owner: 'gone' });
    const incident = seen.reap.incidents.find(({ job }) => job === member?.job.id);
    expect(['reaped', 'killed']).toContain(incident?.outcome);
    expect(seen.history.find(({ id }) => id === incident?.id)).toMatchObject({ outcome: incident?.outcome });
    expect(seen.after).not.toContain(command);
  }
};

describe.concurrent(`the real Claude Code${missing === null ? '' : ` (SKIPPED: ${missing})`}`, () => {
  test.skipIf(missing !== null)(
    'killed: its background loop, which ignores TERM, HUP and INT, is found, ended and recorded',
    async () => {
      const seen = await afterwards('sigterm', 'kill', 'sleep 3608');
      expectEnded(seen, ['sleep 3608']);
      expect(seen.reap.incidents.map(({ outcome, command }) => ({ outcome, command }))).toEqual([
        { outcome: 'killed', command: `trap '' TERM HUP INT; while :; do sleep 3608; done` },
      ]);
      expect(seen.output).toMatch(/curfew/i);
    },
  );

  test.skipIf(missing !== null)('exited: setsid, nohup and a double fork are found, ended and recorded', async () => {
    const seen = await afterwards('detach', 'end', 'sleep 3606');
    expectEnded(seen, ['sleep 3604', 'sleep 3605', 'sleep 3606']);
  });

  test.skipIf(missing !== null)(
    'exited: a server on a port and followers of files are found, ended and recorded',
    async () => {
      const seen = await afterwards('leftover', 'end', 'tail -f /dev/null');
      expectEnded(seen, ['http.server 8765', 'tail -f /dev/null']);
      const service = seen.scan.jobs.find((job) => job.holds.ports.includes(8765));
      expect(service?.kind).toBe('service');
      expect(seen.reap.incidents.flatMap(({ freed }) => freed.ports)).toContain(8765);
    },
  );

  test.skipIf(missing !== null)('running: its background task belongs to it and is left alone', async () => {
    const seen = await afterwards('bg', 'live', 'sleep 3600');
    const job = seen.scan.jobs.find(({ command }) => command === 'sleep 3600 | cat');
    expect(job).toMatchObject({ agent: 'claude-code', session: seen.session, project: seen.project, owner: 'live' });
    expect(job?.verdict).toMatchObject({ state: 'within', action: 'none' });
    expect(job?.task).toMatch(/^b[a-z0-9]{8}$/);
    expect(seen.scan.sessions).toContainEqual(
      expect.objectContaining({ id: seen.session, state: 'live', agent: 'claude-code' }),
    );
    expect(seen.reap.incidents).toEqual([]);
    expect(seen.after).toContain('sleep 3600');
    expect(seen.history).toEqual([]);
  });
});
