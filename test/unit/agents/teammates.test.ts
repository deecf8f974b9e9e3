import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claudeTeammateTurn } from '../../../main/agents/claude-code/teammates.ts';
import { rowOf } from '../judge/job-builder.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'curfew-teammates-'));
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

const turnOf = (members: unknown, argv: readonly string[]): ReturnType<typeof claudeTeammateTurn> => {
  const folder = join(home, '.claude/teams/crew');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ name: 'crew', members }));
  return claudeTeammateTurn(rowOf(50, ['claude', ...argv]), home, process.getuid?.() ?? 0);
};

const mate = (isActive?: boolean) => [{ agentId: 'lead@crew' }, { agentId: 'mate@crew', isActive }];

test.each([
  ['has ended its turn', mate(false), ['--agent-id', 'mate@crew', '--team-name', 'crew'], 'ended'],
  ['works', mate(true), ['--agent-id', 'mate@crew', '--team-name', 'crew'], 'open'],
  ['is new', mate(), ['--agent-id', 'mate@crew', '--team-name', 'crew'], 'open'],
  ['its team does not name', mate(false), ['--agent-id', 'other@crew', '--team-name', 'crew'], null],
  ['has no team', mate(false), ['--agent-id', 'mate@crew'], null],
  ['names a folder elsewhere', mate(false), ['--agent-id', 'mate@crew', '--team-name', '../teams/crew'], null],
  ['of a team in another form', 'none', ['--agent-id', 'mate@crew', '--team-name', 'crew'], null],
] as const)('a teammate that %s', (_name, members, argv, turn) => {
  expect(turnOf(members, argv)).toBe(turn);
});
