import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  removeWitness,
  shellNotesFile,
  witnessFile,
  witnessLine,
  writeWitness,
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
  writeWitness(scene.folders, 'claude-code');
  writeFileSync(file, 'export A=b\n');
  await callHook(scene, { ...start, env: { CLAUDE_ENV_FILE: file } });
  expect(readFileSync(file, 'utf8')).toBe(`export A=b\n${witnessLine(scene.folders)}\n`);
  await callHook(scene, { ...start, agent: 'codex', env: { CLAUDE_ENV_FILE: file } });
  await callHook(scene, { ...start, event: 'tool', env: { CLAUDE_ENV_FILE: file } });
  expect(readFileSync(file, 'utf8')).toBe(`export A=b\n${witnessLine(scene.folders)}\n`);
});

test('notes that have grown large are dropped when the next session begins', async () => {
  writeWitness(scene.folders, 'claude-code');
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
    writeWitness(scene.folders, 'claude-code');
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

  test('is ended before its agent where memory is short, unless the user has it ended sooner', () => {
    const own = readFileSync('/proc/self/oom_score_adj', 'utf8');
    const asks = 'cat /proc/$$/oom_score_adj /proc/self/oom_score_adj';
    expect(run(asks)).toBe(own.repeat(2));
    writeWitness(scene.folders, 'claude-code');
    expect(run(asks)).toBe('300\n300\n');
    const sooner = `echo 500 > /proc/$$/oom_score_adj; exec "$0" -c "$1"`;
    const line = `${witnessLine(scene.folders)} && ${asks}`;
    expect(execFileSync('sh', ['-c', sooner, shell, line]).toString()).toBe('500\n500\n');
    expect(readFileSync('/proc/self/oom_score_adj', 'utf8')).toBe(own);
  });

  test('runs its command as ever where the script, the notes or the folder are gone', () => {
    expect(run('echo ok')).toBe('ok\n');
    writeWitness(scene.folders, 'claude-code');
    writeFileSync(shellNotesFile(scene.folders), '', { mode: 0o400 });
    expect(run('echo ok')).toBe('ok\n');
    removeWitness(scene.folders, 'claude-code');
    expect(run('echo ok')).toBe('ok\n');
    expect(notes()).toEqual([]);
  });
});

/**
 * Stands in for an agent: its children are one that leads a kernel session, one that doesn't, and
 * the hook, behind a shell that leads one, as Codex calls it. Says the pids of both children.
 */
const agentWith = (hook: string, calls: number): string =>
  [
    'setsid sleep 600 & a=$!; sleep 600 & b=$!',
    'until read -r _ _ _ _ _ session _ </proc/$a/stat && [ "$session" = $a ]; do :; done',
    `i=0; while [ $i -lt ${calls} ]; do setsid -w sh -c '${hook} </dev/null; :'; i=$((i + 1)); done`,
    'cut -d" " -f22 /proc/$a/stat; echo $$ $a; kill $a $b',
  ].join('\n');

describe('hooks of an agent whose calls are noted', () => {
  const called = (agent: string, event: string, calls = 2): readonly string[] => {
    const hook = `/bin/sh "$HOOK" ${agent} ${event}`;
    const env = { PATH: '/usr/bin:/bin', HOOK: scene.folders.script };
    return execFileSync('bash', ['-c', agentWith(hook, calls)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
      .toString()
      .split(/\s+/u);
  };

  test.each(['tool', 'stop', 'session-end'])('note at %s, once, the kernel session that a child leads', (event) => {
    writeWitness(scene.folders, 'codex');
    const [ticks, parent, pid] = called('codex', event).map(Number);
    expect(notes().filter((note) => note.parent === parent)).toEqual([
      { pid, startTicks: ticks, parent, group: pid, session: pid },
    ]);
  });

  test('note nothing before a command, nor for an agent for which that was not installed', () => {
    writeWitness(scene.folders, 'codex');
    called('codex', 'pre-tool-use');
    called('gemini', 'tool');
    expect(notes()).toEqual([]);
    removeWitness(scene.folders, 'codex');
    called('codex', 'tool');
    expect(existsSync(scene.folders.witnessed)).toBe(false);
  });

  test('what one agent has noted stays while another has its part', () => {
    writeWitness(scene.folders, 'codex');
    writeWitness(scene.folders, 'claude-code');
    called('codex', 'tool');
    removeWitness(scene.folders, 'claude-code');
    expect(notes()).not.toEqual([]);
    expect(existsSync(shellNotesFile(scene.folders))).toBe(true);
  });
});

test("opencode's shells note themselves by BASH_ENV, and don't hand it on", () => {
  writeWitness(scene.folders, 'opencode');
  const env = { PATH: '/usr/bin:/bin', BASH_ENV: witnessFile(scene.folders, 'opencode') };
  const script = 'echo $$; bash -c \'echo "$BASH_ENV$$"\'';
  const said = execFileSync('bash', ['-c', script], { env, stdio: ['ignore', 'pipe', 'inherit'] }).toString();
  const [shell, inner] = said.split('\n');
  expect(notes().map(({ pid }) => String(pid))).toEqual([shell]);
  expect(inner).toMatch(/^\d+$/u);
});
