import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  removeWitnessScript,
  shellNotesFile,
  witnessLine,
  writeWitnessScript,
} from '../../../main/agents/hooks/form/witness-shell.ts';
import { openShellNotes } from '../../../main/agents/hooks/inbox/shell-notes.ts';
import { callHook, hookScene, type HookScene } from './hook-script.ts';

let scene: HookScene;
beforeEach(() => {
  scene = hookScene();
});
afterEach(() => scene.close());

const start = { event: 'session-start', input: '{"session_id":"a"}' } as const;
const notes = () => openShellNotes(scene.folders, process.getuid?.() ?? 0)();

test('the hook puts the line in front of commands where it was installed, and nowhere else', async () => {
  const file = join(scene.root, 'env');
  await callHook(scene, { ...start, env: { CLAUDE_ENV_FILE: file } });
  expect(existsSync(file)).toBe(false);
  writeWitnessScript(scene.folders);
  writeFileSync(file, 'export A=b\n');
  await callHook(scene, { ...start, env: { CLAUDE_ENV_FILE: file } });
  expect(readFileSync(file, 'utf8')).toBe(`export A=b\n${witnessLine(scene.folders)}\n`);
  await callHook(scene, { ...start, agent: 'codex', env: { CLAUDE_ENV_FILE: file } });
  await callHook(scene, { ...start, event: 'tool', env: { CLAUDE_ENV_FILE: file } });
  expect(readFileSync(file, 'utf8')).toBe(`export A=b\n${witnessLine(scene.folders)}\n`);
});

test('notes that have grown large are dropped when the next session begins', async () => {
  writeWitnessScript(scene.folders);
  const env = { CLAUDE_ENV_FILE: join(scene.root, 'env') };
  const file = shellNotesFile(scene.folders);
  writeFileSync(file, '1 1 1 1 1\n'.repeat(5000));
  await callHook(scene, { ...start, env });
  expect(statSync(file).size).toBe(50_000);
  writeFileSync(file, '1 1 1 1 1\n'.repeat(20_000));
  await callHook(scene, { ...start, env });
  expect(statSync(file).size).toBe(0);
});

const shells = ['bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0);

describe.each(shells)('%s', (shell) => {
  const run = (script: string): string =>
    execFileSync(shell, ['-c', `${witnessLine(scene.folders)} && ${script}`]).toString();

  test('notes itself by what /proc says of it, and is as it was', () => {
    writeWitnessScript(scene.folders);
    const said = run('echo $$ $#; type curfew_note 2>&1 | head -1; cat /proc/$$/stat').split('\n');
    const [pid = ''] = (said[0] ?? '').split(' ');
    expect(said[0]).toBe(`${pid} 0`);
    expect(said[1]).toMatch(/not found/u);
    const [, state] = (said[2] ?? '').split(') ');
    const fields = state?.split(' ') ?? [];
    expect(notes()).toEqual([
      {
        pid: Number(pid),
        startTicks: Number(fields[19]),
        parent: Number(fields[1]),
        group: Number(fields[2]),
        session: Number(fields[3]),
      },
    ]);
  });

  test('runs its command as ever where the script, the notes or the folder are gone', () => {
    expect(run('echo ok')).toBe('ok\n');
    writeWitnessScript(scene.folders);
    writeFileSync(shellNotesFile(scene.folders), '', { mode: 0o400 });
    expect(run('echo ok')).toBe('ok\n');
    removeWitnessScript(scene.folders);
    expect(run('echo ok')).toBe('ok\n');
    expect(notes()).toEqual([]);
  });
});
