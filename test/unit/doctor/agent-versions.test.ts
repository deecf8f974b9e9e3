import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asPid } from '../../../app/process/identity.ts';
import { inEnglish } from '../../../app/text/say.ts';
import { newerAgents } from '../../../main/doctor/check-up.ts';
import type { Look, RunningAgent } from '../../../main/observing/look.ts';
import { World } from '../jobs/world.ts';

test('servers of a living session count as recognised, also where a look has no jobs of them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-newer-'));
  try {
    const program = join(folder, 'versions/99.0.0');
    mkdirSync(join(folder, 'versions'));
    writeFileSync(program, '');
    const world = new World(
      { pid: 100, argv: 'claude' },
      { pid: 110, ppid: 100, argv: 'node mcp-server.js', heldBy: 100 },
      { pid: 111, ppid: 110, argv: 'node child.js' },
      { pid: 120, ppid: 100, argv: 'node helper.js' },
    );
    const { table, serving, members } = world.look();
    expect([...members]).toEqual([]);
    const rows = [100, 110, 111, 120].flatMap((pid) => table.rows.get(asPid(pid)) ?? []);
    const running: Pick<RunningAgent, 'agent' | 'parts' | 'tree' | 'session'> = {
      agent: 'claude-code',
      parts: rows.slice(0, 1),
      tree: rows,
      session: null,
    };
    const look: Look = { table, sessions: [], jobs: new Map(), serving, agents: [running as RunningAgent], tookMs: 0 };
    const said = newerAgents(
      look,
      () => 'Claude Code',
      () => [program],
    ).map(({ text }) => inEnglish(text));
    expect(said).toEqual([expect.stringContaining('Of the 3 processes below it 2 are recognised')]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
