import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import { guard } from '../../../../main/agents/guard/guard.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-guard-'));
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ guard: { enabled: true, swallowedCommand: 'deny' } }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const says = (agent: AgentId, platform: NodeJS.Platform, call: object): string | null =>
  guard(agent, JSON.stringify(call), {
    settings: join(folder, 'settings.json'),
    platform,
    uid: 1000,
    parent: 0,
    path: '',
  });

const command = 'make all > log echo built it';

test('on Windows only what certainly is for a POSIX shell is judged', () => {
  const cursor = { command };
  const gemini = { tool_name: 'run_shell_command', tool_input: { command } };
  const claude = { tool_name: 'Bash', tool_input: { command } };
  const copilot = { toolName: 'bash', toolArgs: { command } };
  for (const platform of ['win32', 'linux'] as const) {
    expect(says('claude-code', platform, claude)).toContain('deny');
    expect(says('copilot', platform, copilot)).toContain('deny');
  }
  expect(says('cursor', 'linux', cursor)).toContain('deny');
  expect(says('cursor', 'win32', cursor)).toBeNull();
  expect(says('gemini', 'linux', gemini)).toContain('deny');
  expect(says('gemini', 'win32', gemini)).toBeNull();
  expect(says('codex', 'win32', claude)).toBeNull();
  expect(says('claude-code', 'win32', { tool_name: 'PowerShell', tool_input: { command } })).toBeNull();
});
