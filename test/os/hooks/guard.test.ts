import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { guardRuleIds } from '../../../app/guard/settings.ts';
import { writeHookScript } from '../../../main/agents/hooks/form/hook-script.ts';
import { told } from '../../property/guard/commands.ts';
import { curfewFile } from '../scene/curfew.ts';
import { callHook, hookScene, type HookCall, type HookRun, type HookScene } from './hook-script.ts';

let scene: HookScene;
const program = (command: readonly [string, ...string[]]): void =>
  writeHookScript(scene.folders, { command, environment: { CURFEW_HOME: scene.root } });
const wish = (guard: object): void => writeFileSync(join(scene.root, 'settings.json'), JSON.stringify({ guard }));

beforeEach(() => {
  scene = hookScene();
  program([process.execPath, curfewFile]);
  wish({ enabled: true });
});
afterEach(() => scene.close());

/** sudo asks root for no password. */
const toldHere = told.filter((command) => !command.startsWith('sudo') || process.getuid?.() !== 0);

const silent = { code: 0, stdout: '', stderr: '' };
const bash = (command: string, more: object = {}): string =>
  JSON.stringify({ session_id: 's', tool_name: 'Bash', tool_input: { command, ...more } });
const ask = (input: HookCall['input'], more: Partial<HookCall> = {}): Promise<HookRun> =>
  callHook(scene, { event: 'pre-tool-use', input, ...more });
const background = { run_in_background: true };

const shells = (
  [['dash'], ['bash'], ['bash', '--posix'], ['busybox', 'sh'], ['ksh'], ['mksh'], ['zsh', '--emulate', 'sh']] as const
).filter(([name]) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);

describe.each(shells.map((shell) => [shell.join(' '), shell] as const))('under %s', (_, shell) => {
  test('every command that a rule reports passes the script’s filter, and others don’t start Node', async () => {
    for (const command of toldHere) {
      const { code, stdout, stderr } = await ask(bash(command, background), { shell });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toHaveProperty(
        'hookSpecificOutput.additionalContext',
        expect.stringContaining("Curfew's guard"),
      );
    }
    // A program in Node's place reports that it was started.
    program(['/bin/echo', curfewFile]);
    expect(await ask(bash('ls -la 2>&1 | head && git status'), { shell })).toEqual(silent);
    expect((await ask(bash('kill 4711'), { shell })).stdout).toContain('guard.cjs claude-code');
  });

  test('in the foreground too', async () => {
    const foreground = toldHere.filter((command) => /out\.json|EOF|until|while|pkill|PPID/u.test(command));
    expect(foreground).toHaveLength(6);
    for (const command of foreground) expect((await ask(bash(command), { shell })).stdout).toContain("Curfew's guard");
    expect((await ask(bash('until [ -z "$(pgrep -f vite)" ]; do sleep 1; done'), { shell })).stdout).toContain(
      'waitsForItself',
    );
    expect(
      (await ask(bash('jq . a.json > out.json echo "written"').replaceAll('>', String.raw`\u003e`), { shell })).stdout,
    ).toContain('swallowedCommand');
  });
});

test('says nothing if it is off or all its rules are off', async () => {
  wish({ enabled: false });
  expect(await ask(bash('tail -f x', background))).toEqual(silent);
  wish({ enabled: true, ...Object.fromEntries(guardRuleIds.map((rule) => [rule, 'off'])) });
  expect(await ask(bash('tail -f x', background))).toEqual(silent);
  rmSync(join(scene.root, 'settings.json'));
  expect(await ask(bash('tail -f x', background))).toEqual(silent);
  writeFileSync(join(scene.root, 'settings.json'), '{ "guard": { "enabled": true');
  expect(await ask(bash('tail -f x', background))).toEqual(silent);
});

test('input that is not a shell call gets no answer', async () => {
  const inputs = [
    '',
    'kill',
    '{',
    '[]',
    'null',
    '{"tool_name":"Bash"}',
    '{"tool_name":"Bash","tool_input":{"command":7}}',
    '\0\0kill',
  ];
  for (const input of [...inputs, '{"tool_name":"Read","tool_input":{"command":"pkill -f claude; ls"}}'])
    expect(await ask(input)).toEqual(silent);
  expect(await ask(null)).toEqual(silent);
  expect(await ask(Uint8Array.from({ length: 300_000 }, (_, index) => index % 256))).toEqual(silent);
  expect(await ask(bash(`kill ${'a'.repeat(3_000_000)}`))).toEqual(silent);
});

test('answers in the form of each agent, and in JSON for Gemini in any case', async () => {
  wish({ enabled: true, neverEnds: 'deny', noTimeout: 'rewrite', timeoutSeconds: 60 });
  const deny = bash('tail -f x', background);
  const change = bash('node server.js', { ...background, description: 'd' });
  const answer = async (agent: string, input: string): Promise<unknown> =>
    JSON.parse((await ask(input, { agent })).stdout);
  const reason = expect.stringContaining('`tail` never ends') as string;
  const context = expect.stringContaining('runs as: timeout 60 node server.js') as string;
  const full = { command: 'timeout 60 node server.js', ...background, description: 'd' };
  const denied = {
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason },
  };
  expect(await answer('claude-code', deny)).toEqual(denied);
  expect(await answer('codex', deny)).toEqual(denied);
  // No `allow` in Claude Code: the user is asked as usual.
  expect(await answer('claude-code', change)).toEqual({
    hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: full, additionalContext: context },
  });
  expect(await answer('codex', change)).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      updatedInput: full,
      permissionDecision: 'allow',
      additionalContext: context,
    },
  });
  expect(await answer('gemini', deny.replace('Bash', 'run_shell_command'))).toEqual({ decision: 'deny', reason });
  expect(await answer('gemini', change.replace('run_in_background', 'is_background'))).toEqual({
    hookSpecificOutput: { tool_input: { command: full.command } },
    systemMessage: context,
  });
  expect(await answer('gemini', 'nonsense')).toEqual({});
  const copilot = (command: string): string =>
    JSON.stringify({ toolName: 'bash', toolArgs: { command, mode: 'async' } });
  expect(await answer('copilot', copilot('tail -f x'))).toEqual({
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  });
  expect(await answer('copilot', copilot('node server.js'))).toEqual({
    modifiedArgs: { command: full.command, mode: 'async' },
    additionalContext: context,
  });
  const cursor = JSON.stringify({ command: 'tail -f x &', cwd: '/' });
  expect(await answer('cursor', cursor)).toEqual({ permission: 'deny', user_message: reason, agent_message: reason });
  // It refuses a missing answer, or one that isn't JSON.
  const warned = { permission: 'allow', agent_message: expect.stringContaining('(noTimeout)') as string };
  expect(await answer('cursor', JSON.stringify({ command: 'node server.js &', cwd: '/' }))).toEqual(warned);
  for (const nothing of [
    { command: 'ls', cwd: '/' },
    { tool_name: 'Read', tool_input: { command: 'tail -f x &' } },
  ])
    expect(await answer('cursor', JSON.stringify(nothing))).toEqual({ permission: 'allow' });
  expect(await answer('cursor', 'nonsense')).toEqual({ permission: 'allow' });
  // It can run Claude Code's hooks as its own.
  const imported = JSON.stringify({ tool_name: 'Shell', tool_input: { command: 'tail -f x &' } });
  const { stdout } = await ask(imported, { env: { CURSOR_VERSION: '2.5.0' } });
  expect(JSON.parse(stdout)).toMatchObject({ permission: 'deny' });
  const quiet = await ask(bash('ls'), { env: { CURSOR_VERSION: '2.5.0' } });
  expect(JSON.parse(quiet.stdout)).toEqual({ permission: 'allow' });
  expect(await ask(bash('ls'), { env: { CURSOR_VERSION: '2.5.0', CLAUDECODE: '1' } })).toEqual(silent);
});

test('a program that is missing, broken or not found lets every command pass', async () => {
  const input = bash('tail -f x', background);
  program([process.execPath, '/nowhere/index.ts']);
  expect(await ask(input)).toEqual(silent);
  program(['/bin/false', curfewFile]);
  expect(await ask(input)).toEqual(silent);
  expect((await ask(input, { agent: 'gemini' })).stdout).toBe('{}\n');
  expect((await ask(input, { agent: 'cursor' })).stdout).toBe('{"permission":"allow"}\n');
  // Its source, since the script also looks for a Node in the usual places, and an older one may be
  // there.
  program(['/nowhere/node', join(import.meta.dirname, '../../../main/cli/index.ts')]);
  expect(await ask(input, { env: { PATH: '/nowhere' } })).toEqual(silent);
});

test('options for the agent’s own Node don’t reach the guard', async () => {
  const { stdout, code } = await ask(bash('tail -f x', background), {
    env: { NODE_OPTIONS: '--require /nowhere/x.cjs' },
  });
  expect(code).toBe(0);
  expect(stdout).toContain('neverEnds');
});

// Gemini CLI, and what Bun runs, read the .env of the folder in which they are started.
test('the settings that a repository’s .env names are not the guard’s', async () => {
  const stranger = join(scene.root, 'repository');
  mkdirSync(stranger);
  writeFileSync(join(stranger, 'settings.json'), JSON.stringify({ guard: { enabled: false } }));
  mkdirSync(join(scene.root, 'curfew'));
  writeFileSync(join(scene.root, 'curfew/settings.json'), JSON.stringify({ guard: { enabled: true } }));
  writeHookScript(scene.folders, {
    command: [process.execPath, curfewFile],
    environment: { XDG_CONFIG_HOME: scene.root },
  });
  const { stdout } = await ask(bash('tail -f x', background), { env: { CURFEW_HOME: stranger } });
  expect(stdout).toContain('neverEnds');
});

test('what a repository’s .env says is no reason to answer as another agent, or not to start', async () => {
  wish({ enabled: true, neverEnds: 'deny' });
  const conf = join(scene.root, 'openssl.cnf');
  writeFileSync(conf, 'nodejs_conf = [');
  const input = bash('tail -f x', background).replace('Bash', 'run_shell_command');
  for (const env of [{ CURSOR_VERSION: '2' }, { OPENSSL_CONF: conf }] as const) {
    const { stdout } = await ask(input, { agent: 'gemini', env });
    expect([env, JSON.parse(stdout)]).toMatchObject([env, { decision: 'deny' }]);
  }
});

test('the longest commands are judged or skipped in time', async () => {
  // Vitest's own limit fails this on a hang.
  for (const piece of ['<<a ', 'pkill -f x;', '$(', 'kill %1 & ', 'function f '])
    expect((await ask(bash(piece.repeat(32_000 / piece.length), background))).code).toBe(0);
});

test('no input is stored', async () => {
  await ask(bash('tail -f a-very-special-name', background));
  await ask(bash('pkill -f claude; echo a-very-special-name'));
  expect(readdirSync(scene.folders.inbox)).toEqual([]);
  const { stdout } = spawnSync('grep', ['-rl', 'a-very-special-name', scene.root], { encoding: 'utf8' });
  expect(stdout).toBe('');
});
