import { expect, test } from 'vitest';
import { runCurfew } from '../scene/curfew.ts';
import { scene } from '../scene/scene.ts';

test(
  'an agent is named by its id or by a common name in every command; an unknown one is refused with the list',
  scene(async (stage) => {
    for (const name of ['claude', 'claude-code', 'Claude', 'copilot', 'codex', 'gemini', 'cursor', 'opencode']) {
      expect(await runCurfew(stage, ['hooks', 'status', name])).toMatchObject({ code: 0, stderr: '' });
      expect(await runCurfew(stage, ['history', '--agent', name])).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await runCurfew(stage, ['history', '--agent', 'amp'])).toMatchObject({ code: 0, stderr: '' });
    const installed = await runCurfew(stage, ['hooks', 'install', 'claude', 'claude-code', '--json']);
    expect(installed).toMatchObject({ code: 0, stderr: '' });
    expect(installed.stdout.match(/"agent":"claude-code"/gu)).toHaveLength(1);
    expect(await runCurfew(stage, ['hooks', 'uninstall', 'Claude Code'])).toMatchObject({ code: 0, stderr: '' });
    for (const args of [
      ['hooks', 'status', 'frobnicator'],
      ['hooks', 'install', 'frobnicator'],
      ['hooks', 'uninstall', 'frobnicator'],
      ['history', '--agent', 'frobnicator'],
    ]) {
      const { code, stdout, stderr } = await runCurfew(stage, args);
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
      expect(stderr).toMatch(/no agent "frobnicator".*claude.*copilot.*codex.*gemini/u);
    }
    const amp = await runCurfew(stage, ['hooks', 'install', 'amp']);
    expect(amp).toMatchObject({ code: 2, stdout: '' });
    expect(amp.stderr).toMatch(/amp has no hooks.*claude/u);
  }),
);
