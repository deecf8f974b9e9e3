import { expect, test } from 'vitest';
import { runCurfew } from '../scene/curfew.ts';
import { scene } from '../scene/scene.ts';

test(
  'hooks install --memory adds the control group, says what it does, and uninstall restores the file',
  scene(async (stage) => {
    const file = `${stage.home}/.claude/settings.json`;
    const before = '{\n  // mine\n  "model": "m"\n}\n';
    stage.write(file, before);

    const installed = await runCurfew(stage, ['hooks', 'install', 'claude', '--memory', '8G']);
    expect(installed).toMatchObject({ code: 0, stderr: '' });
    expect(installed.stdout).toContain('control group of their own');
    expect(installed.stdout).toContain('at most 8G of memory');
    expect(stage.read(file)).toContain('"CLAUDE_CODE_TOOL_MEMORY_LIMIT": "8G"');
    const status = await runCurfew(stage, ['hooks', 'status', 'claude']);
    expect(status.stdout).toContain('control group of their own');

    expect(await runCurfew(stage, ['hooks', 'uninstall', 'claude'])).toMatchObject({ code: 0, stderr: '' });
    expect(stage.read(file)).toBe(before);
    const after = await runCurfew(stage, ['hooks', 'status', 'claude']);
    expect(after.stdout).not.toContain('control group');
  }),
);

test(
  'a limit that the user has set is left, and said; an amount that is none, or beside --mcp, is refused',
  scene(async (stage) => {
    const file = `${stage.home}/.claude/settings.json`;
    stage.write(file, '{"env":{"CLAUDE_CODE_TOOL_MEMORY_LIMIT":"4G"}}');
    const installed = await runCurfew(stage, ['hooks', 'install', 'claude', '--witness']);
    expect(installed.stderr).toContain('CLAUDE_CODE_TOOL_MEMORY_LIMIT is there already and not from Curfew');
    expect(stage.read(file)).toContain('"CLAUDE_CODE_TOOL_MEMORY_LIMIT":"4G"');
    expect((await runCurfew(stage, ['hooks', 'status', 'claude'])).stdout).toContain('You have set');
    for (const args of [
      ['--mcp', '--memory', '8G'],
      ['--witness', '--memory', '8 big'],
      ['--witness', '--memory', '500M'],
    ]) {
      const { code, stdout } = await runCurfew(stage, ['hooks', 'install', 'claude', ...args]);
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
    }
  }),
);
