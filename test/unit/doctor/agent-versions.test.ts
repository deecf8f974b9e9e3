import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asPid } from '../../../app/process/identity.ts';
import { inEnglish } from '../../../app/text/say.ts';
import { newerAgents } from '../../../main/doctor/check-up.ts';
import type { RunningAgent } from '../../../app/model/running-agent.ts';
import type { JudgedJob, Look } from '../../../main/observing/look.ts';
import { claudeEnvironment, type Plant } from '../jobs/plant.ts';
import { World } from '../jobs/world.ts';

/** What is said of a newer Claude Code with these below it. */
const saidOf = (...below: readonly Plant[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-newer-'));
  try {
    const program = join(folder, 'versions/99.0.0');
    mkdirSync(join(folder, 'versions'));
    writeFileSync(program, '');
    const world = new World({ pid: 100, argv: 'claude', env: {} }, ...below);
    const { table, serving, assembled } = world.look();
    const rows = [100, ...below.map(({ pid }) => pid)].flatMap((pid) => table.rows.get(asPid(pid)) ?? []);
    const running: Pick<RunningAgent, 'agent' | 'parts' | 'tree' | 'session'> = {
      agent: 'claude-code',
      parts: rows.slice(0, 1),
      tree: rows,
      session: null,
    };
    const jobs = new Map(assembled.map((one) => [one.job.id, one as unknown as JudgedJob]));
    const look: Look = { table, sessions: [], jobs, serving, agents: [running as RunningAgent], tookMs: 0 };
    return newerAgents(
      look,
      () => 'Claude Code',
      () => [program],
    )
      .map(({ text }) => inEnglish(text))
      .join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const server: Plant = { pid: 110, ppid: 100, argv: 'node mcp-server.js', heldBy: 100 };

test('servers of a living session count as recognised, also where a look has no jobs of them', () => {
  const said = saidOf(
    server,
    { pid: 111, ppid: 110, argv: 'node child.js' },
    { pid: 120, ppid: 100, argv: 'node helper.js' },
  );
  expect(said).toContain('Of the 3 processes below it 2 are recognised');
  expect(said).toContain('No command of it shows whether its signatures still match.');
});

test('the signatures by which its commands were told are named, each once', () => {
  const env = claudeEnvironment({ pid: 100 });
  const said = saidOf(
    server,
    { pid: 120, ppid: 100, sid: 120, pgid: 120, argv: 'sleep 9', env },
    { pid: 130, ppid: 100, sid: 130, pgid: 130, argv: 'sleep 8', env },
  );
  expect(said).toContain('Of the 3 processes below it 3 are recognised');
  expect(said).toContain('Signatures that still match: claude-marker.');
});
