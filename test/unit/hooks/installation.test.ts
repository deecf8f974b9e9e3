import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { spoken } from '../text/spoken.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentHookInstaller } from '../../../main/agents/hooks/form/agent-hooks.ts';
import { claudeCodeInstaller } from '../../../main/agents/claude-code/agent.ts';
import { codexInstaller } from '../../../main/agents/codex/agent.ts';
import { copilotInstaller } from '../../../main/agents/copilot/agent.ts';
import { geminiInstaller } from '../../../main/agents/gemini/agent.ts';
import { hookFolders } from '../../../main/agents/hooks/form/folders.ts';
import {
  agentHooks,
  changeHooks,
  type HookInstallation,
} from '../../../main/agents/hooks/installation/hook-installation.ts';
import { hookInstallers } from '../../../main/agents/dossiers.ts';
import { opencodeInstaller } from '../../../main/agents/opencode/agent.ts';
import { canLink, keepsModes } from '../../needs.ts';

let root = '';
let installation: HookInstallation;

const inFolder = (state: string): HookInstallation => ({
  places: { home: join(root, 'home'), environment: {} },
  folders: hookFolders({ hooks: join(root, state, 'hooks'), lock: join(root, state, 'supervisor.lock') }),
  program: { command: ['/usr/bin/node', '/opt/curfew.js'], environment: {} },
  platform: 'linux',
  now: () => 0,
});

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-hooks-'));
  installation = inFolder('state');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const fileOf = (installer: AgentHookInstaller): string => installer.file(installation.places);
const write = (installer: AgentHookInstaller, text: string): string => {
  const file = fileOf(installer);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const install = (installer: AgentHookInstaller, where = installation) => changeHooks(where, installer, 'install');
const uninstall = (installer: AgentHookInstaller, where = installation) => changeHooks(where, installer, 'uninstall');

const settings = `{
    // who I am
    "model": "opus", /* the big one */
    "hooks": {
        "Stop": [
            { "hooks": [ { "type": "command", "command": "afplay done.aiff" } ] } // bing
        ],
    },
}
`;

describe('the file', () => {
  test('keeps comments, order, indentation and hooks of others, and is the same again afterwards', () => {
    const file = write(claudeCodeInstaller, settings);
    expect(install(claudeCodeInstaller)).toMatchObject({ ok: true, changed: true });
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('    "model": "opus", /* the big one */\n');
    expect(text).toContain('"command": "afplay done.aiff" } ] }, // bing\n            {\n                "hooks": [');
    expect(text).toContain('        "SessionEnd": [\n            {\n');
    expect(uninstall(claudeCodeInstaller)).toMatchObject({ ok: true, changed: true });
    expect(readFileSync(file, 'utf8')).toBe(settings);
  });

  test('that was changed by others since keeps exactly their changes', () => {
    const file = write(claudeCodeInstaller, settings);
    install(claudeCodeInstaller);
    const changed = readFileSync(file, 'utf8')
      .replace('"opus"', '"sonnet"')
      .replace('    "hooks": {', '    "permissions": { "allow": ["Bash(ls:*)"] },\n    "hooks": {');
    writeFileSync(file, changed);
    expect(agentHooks(installation, claudeCodeInstaller).hooks).toBe('installed');
    expect(install(claudeCodeInstaller)).toMatchObject({ ok: true, changed: false });
    expect(uninstall(claudeCodeInstaller)).toMatchObject({ ok: true, changed: true });
    const expected = settings
      .replace('"opus"', '"sonnet"')
      .replace('    "hooks": {', '    "permissions": { "allow": ["Bash(ls:*)"] },\n    "hooks": {');
    expect(readFileSync(file, 'utf8')).toBe(expected);
  });

  test('that an agent wrote anew, without comments and in its own format, loses exactly our hooks', () => {
    const file = write(claudeCodeInstaller, '{"model":"opus"}');
    install(claudeCodeInstaller);
    const value = JSON.parse(readFileSync(file, 'utf8')) as { hooks: { Stop: unknown[] } };
    value.hooks.Stop.unshift({ hooks: [{ type: 'command', command: 'mine' }] });
    writeFileSync(file, JSON.stringify({ ...value, theme: 'dark' }, null, '\t'));
    expect(agentHooks(installation, claudeCodeInstaller).hooks).toBe('installed');
    uninstall(claudeCodeInstaller);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      model: 'opus',
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] },
      theme: 'dark',
    });
  });

  test('keeps another program’s hook in our group', () => {
    const file = write(claudeCodeInstaller, '{}');
    install(claudeCodeInstaller);
    const value = JSON.parse(readFileSync(file, 'utf8')) as { hooks: { Stop: { hooks: unknown[] }[] } };
    value.hooks.Stop[0]?.hooks.push({ type: 'command', command: 'mine' });
    writeFileSync(file, JSON.stringify(value));
    expect(agentHooks(installation, claudeCodeInstaller).hooks).toBe('partly');
    uninstall(claudeCodeInstaller);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] },
    });
  });

  test('with the hooks of another Curfew folder gets ours instead, and only ours', () => {
    const file = write(claudeCodeInstaller, settings);
    install(claudeCodeInstaller, inFolder('elsewhere'));
    expect(agentHooks(installation, claudeCodeInstaller).hooks).toBe('partly');
    expect(install(claudeCodeInstaller)).toMatchObject({ ok: true, changed: true });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('elsewhere');
    expect(text.match(/curfew-hook' claude-code/gu)).toHaveLength(4);
    uninstall(claudeCodeInstaller);
    expect(JSON.parse(readFileSync(file, 'utf8').replaceAll(/\/\/.*|\/\*.*?\*\/|,(?=\s*[}\]])/gu, ''))).toEqual(
      JSON.parse(settings.replaceAll(/\/\/.*|\/\*.*?\*\/|,(?=\s*[}\]])/gu, '')),
    );
  });

  test.each([
    ['a half written object', '{ "hooks": '],
    ['no JSON', 'hello'],
    ['hooks that are a list', '{ "hooks": [] }'],
    ['an event that is no list', '{ "hooks": { "Stop": {} } }'],
    ['a list', '[]'],
  ])('that holds %s is refused and left alone', (_, text) => {
    const file = write(claudeCodeInstaller, text);
    const before = statSync(file);
    expect(install(claudeCodeInstaller)).toMatchObject({ ok: false });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(statSync(file).ino).toBe(before.ino);
    expect(existsSync(installation.folders.copies)).toBe(false);
  });

  test('that is no UTF-8 is refused', () => {
    const file = write(claudeCodeInstaller, '{}');
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    writeFileSync(file, bytes);
    expect(install(claudeCodeInstaller)).toMatchObject({ ok: false });
    expect(readFileSync(file)).toEqual(bytes);
  });

  test('is copied before it is changed', () => {
    write(claudeCodeInstaller, '{}\n');
    const done = install(claudeCodeInstaller);
    expect(readFileSync(done.ok ? (done.copy ?? '') : '', 'utf8')).toBe('{}\n');
  });

  test.skipIf(!keepsModes())('keeps its rights, and its copy is for the user alone', () => {
    const file = write(claudeCodeInstaller, '{}\n');
    chmodSync(file, 0o640);
    const done = install(claudeCodeInstaller);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    const copy = done.ok ? (done.copy ?? '') : '';
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(statSync(installation.folders.copies).mode & 0o777).toBe(0o700);
  });

  test.skipIf(!canLink())('that is a link stays a link, also one that leads nowhere yet', () => {
    const real = join(root, 'dotfiles/claude.json');
    mkdirSync(dirname(real), { recursive: true });
    mkdirSync(dirname(fileOf(claudeCodeInstaller)), { recursive: true });
    symlinkSync('../../dotfiles/claude.json', fileOf(claudeCodeInstaller));
    expect(install(claudeCodeInstaller)).toMatchObject({ ok: true });
    expect(readFileSync(real, 'utf8')).toContain('curfew-hook');
    expect(readlinkSync(fileOf(claudeCodeInstaller))).toBe(normalize('../../dotfiles/claude.json'));
    uninstall(claudeCodeInstaller);
    expect(existsSync(real)).toBe(false);
    writeFileSync(real, settings);
    install(claudeCodeInstaller);
    expect(lstatSync(fileOf(claudeCodeInstaller)).isSymbolicLink()).toBe(true);
    uninstall(claudeCodeInstaller);
    expect(readFileSync(real, 'utf8')).toBe(settings);
    expect(lstatSync(fileOf(claudeCodeInstaller)).isSymbolicLink()).toBe(true);
  });

  test.skipIf(!canLink())('behind a circle of links is refused', () => {
    mkdirSync(dirname(fileOf(claudeCodeInstaller)), { recursive: true });
    symlinkSync(fileOf(claudeCodeInstaller), fileOf(claudeCodeInstaller));
    expect(install(claudeCodeInstaller)).toMatchObject({ ok: false });
  });
});

test.each(hookInstallers.map((installer) => [installer.agent, installer] as const))(
  '%s: where there was no file, it and the folders made for it are gone afterwards',
  (_, installer) => {
    mkdirSync(join(root, 'home'));
    expect(install(installer)).toMatchObject({ ok: true, changed: true, copy: null });
    expect(existsSync(fileOf(installer))).toBe(true);
    expect(install(installer)).toMatchObject({ ok: true, changed: false });
    expect(uninstall(installer)).toMatchObject({ ok: true, changed: true });
    expect(readdirSync(join(root, 'home'))).toEqual([]);
    expect(uninstall(installer)).toMatchObject({ ok: true, changed: false });
  },
);

test("a file of our name that isn't ours is left alone", () => {
  for (const installer of [copilotInstaller, opencodeInstaller]) {
    const file = write(installer, 'export const Mine = 1;\n');
    expect(install(installer)).toMatchObject({ ok: false });
    expect(uninstall(installer)).toMatchObject({ ok: false });
    expect(readFileSync(file, 'utf8')).toBe('export const Mine = 1;\n');
  }
});

test('Gemini counts in milliseconds and needs hooks enabled; a choice against them stays and is told', () => {
  const file = write(geminiInstaller, '{}');
  install(geminiInstaller);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    hooksConfig: { enabled: true },
    hooks: { SessionEnd: [{ hooks: [{ timeout: 5000 }] }] },
  });
  write(geminiInstaller, '{"hooksConfig":{"enabled":false}}');
  install(geminiInstaller);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ hooksConfig: { enabled: false } });
  expect(spoken(agentHooks(installation, geminiInstaller).note)).toContain('hooksConfig.enabled is false');
});

test('Codex is said to need trust', () => {
  expect(spoken(agentHooks(installation, codexInstaller).note)).toContain('trusted');
});

test('what will be written is shown without the keys that stand near it', () => {
  const key = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
  write(claudeCodeInstaller, `{\n  "env": { "ANTHROPIC_API_KEY": "${key}" },\n  "x": 1\n}\n`);
  const { changes } = agentHooks(installation, claudeCodeInstaller);
  expect(changes.filter(({ kind }) => kind === 'added').length).toBeGreaterThan(10);
  expect(JSON.stringify(changes)).not.toContain(key);
});

test('the folder that a variable names is the one that counts', () => {
  const places = { home: '/home/me', environment: { CLAUDE_CONFIG_DIR: '/srv/claude', GEMINI_CLI_HOME: '/srv/g' } };
  expect(claudeCodeInstaller.file(places)).toBe('/srv/claude/settings.json');
  expect(geminiInstaller.file(places)).toBe('/srv/g/.gemini/settings.json');
  expect(geminiInstaller.file({ home: '/home/me', environment: {} })).toBe('/home/me/.gemini/settings.json');
  expect(codexInstaller.file({ home: '/home/me', environment: { CODEX_HOME: 'relative' } })).toBe(
    '/home/me/.codex/hooks.json',
  );
});
