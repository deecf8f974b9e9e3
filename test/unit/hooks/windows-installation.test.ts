import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spoken } from '../text/spoken.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claudeCodeInstaller } from '../../../main/agents/claude-code/agent.ts';
import { codexInstaller } from '../../../main/agents/codex/agent.ts';
import { copilotInstaller } from '../../../main/agents/copilot/agent.ts';
import { cursorInstaller } from '../../../main/agents/cursor/agent.ts';
import { geminiInstaller } from '../../../main/agents/gemini/agent.ts';
import { hookFolders } from '../../../main/agents/hooks/form/folders.ts';
import type { AgentHookInstaller } from '../../../main/agents/hooks/form/agent-hooks.ts';
import { runsOnWindows, type WindowsHook } from '../../../main/agents/hooks/form/hook-run.ts';
import { isHookCommand } from '../../../main/agents/hooks/form/hook-script.ts';
import {
  agentHooks,
  changeHooks,
  type HookInstallation,
} from '../../../main/agents/hooks/installation/hook-installation.ts';
import { opencodeInstaller } from '../../../main/agents/opencode/agent.ts';

let root = '';
let installation: HookInstallation;
const node = 'C:\\Program Files\\nodejs\\node.exe';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-windows-hooks-'));
  const folders = hookFolders({ hooks: join(root, 'my hooks'), lock: join(root, 'supervisor.lock') });
  installation = {
    places: { home: join(root, 'home'), environment: {} },
    folders,
    program: { command: [node, 'C:\\npm\\curfew\\cli\\curfew.js'], environment: { CURFEW_HOME: 'C:\\x' } },
    platform: 'win32',
    guard: true,
    shortPath: (path) => (path === 'C:\\Program Files\\nodejs' ? 'C:\\PROGRA~1\\nodejs' : 'C:\\Users\\me\\hooks'),
    now: () => 0,
  };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (installer: AgentHookInstaller, text: string): string => {
  const file = installer.file(installation.places);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const installed = (installer: AgentHookInstaller): string => {
  expect(changeHooks(installation, installer, 'install')).toMatchObject({ ok: true });
  return readFileSync(installer.file(installation.places), 'utf8');
};

const settings = '{\r\n\t"model": "opus", // mine\r\n\t"hooks": {\r\n\t\t"Stop": []\r\n\t}\r\n}\r\n';

describe('settings on Windows', () => {
  test('keep their line ends, byte for byte before and after', () => {
    for (const text of [settings, `\uFEFF${settings}`, settings.trimEnd(), '{}', '{\r\n}\r\n', '']) {
      for (const installer of [claudeCodeInstaller, codexInstaller, geminiInstaller, cursorInstaller]) {
        const file = write(installer, text);
        const loneEnds = installed(installer).replaceAll('\r\n', '').includes('\n');
        expect([text, loneEnds]).toEqual([text, !text.includes('\r\n')]);
        expect(agentHooks(installation, installer).hooks).toBe('installed');
        expect(changeHooks(installation, installer, 'install')).toMatchObject({ ok: true, changed: false });
        expect(changeHooks(installation, installer, 'uninstall')).toMatchObject({ ok: true });
        expect([installer.agent, readFileSync(file, 'utf8')]).toEqual([installer.agent, text]);
      }
    }
  });

  test('that others changed since lose exactly our hooks', () => {
    const file = write(claudeCodeInstaller, settings);
    const changed = installed(claudeCodeInstaller).replace('"opus"', '"sonnet"');
    writeFileSync(file, JSON.stringify(JSON.parse(changed.replace('// mine', ''))));
    expect(agentHooks(installation, claudeCodeInstaller).hooks).toBe('installed');
    changeHooks(installation, claudeCodeInstaller, 'uninstall');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ model: 'sonnet', hooks: { Stop: [] } });
  });
});

test('Claude Code starts Node without a shell', () => {
  write(claudeCodeInstaller, '{}');
  const { hooks } = JSON.parse(installed(claudeCodeInstaller)) as { hooks: Record<string, unknown> };
  expect(hooks['SessionEnd']).toEqual([
    {
      hooks: [
        {
          type: 'command',
          command: node,
          args: [installation.folders.windowsScript, 'claude-code', 'session-end'],
          timeout: 5,
        },
      ],
    },
  ]);
  expect(Object.keys(hooks)).toContain('PreToolUse');
});

test('Codex is given plain words, which cmd and PowerShell read alike', () => {
  const text = installed(codexInstaller);
  const value = JSON.parse(text) as { hooks: { Stop: [{ hooks: [{ command: string }] }] } };
  expect(value.hooks.Stop[0].hooks[0].command).toBe(
    'C:\\PROGRA~1\\nodejs\\node.exe C:\\Users\\me\\hooks\\curfew-hook.cjs codex stop',
  );
  // Its commands are for PowerShell, which the guard does not read.
  expect(text).not.toContain('pre-tool-use');
});

test('Codex’s file stays as it is where no path without blanks is known', () => {
  installation = { ...installation, shortPath: (path) => path };
  const file = write(codexInstaller, settings);
  expect(spoken(changeHooks(installation, codexInstaller, 'install'))).toMatchObject({
    ok: false,
    why: `${file} was not touched: the path of Node or of Curfew has blanks or signs in it, and Windows keeps no short one.`,
  });
  expect(readFileSync(file, 'utf8')).toBe(settings);
  expect(agentHooks(installation, codexInstaller)).toMatchObject({ hooks: 'absent' });
});

test('PowerShell tests for the script, and ends with 0', () => {
  const { windowsScript } = installation.folders;
  const copilot = JSON.parse(installed(copilotInstaller)) as { hooks: { preToolUse: [{ powershell: string }] } };
  expect(copilot.hooks.preToolUse[0].powershell).toBe(
    `if (Test-Path -LiteralPath '${windowsScript}') { & '${node}' '${windowsScript}' copilot pre-tool-use }; exit 0`,
  );
  expect(installed(geminiInstaller)).toContain(`gemini session-end } else { '{}' }; exit 0`);
  expect(installed(cursorInstaller)).not.toContain('pre-tool-use');
  expect(installed(copilotInstaller)).not.toContain('"bash":');
});

test('opencode’s plugin starts Node itself', () => {
  const text = installed(opencodeInstaller);
  expect(text).toContain(`spawn("C:\\\\Program Files\\\\nodejs\\\\node.exe", [script, 'opencode', event], {`);
  expect(text).toContain('windowsHide: true');
  expect(text).not.toContain('/bin/sh');
  expect(changeHooks(installation, opencodeInstaller, 'uninstall')).toMatchObject({ ok: true, changed: true });
});

describe('words', () => {
  const hook = (script: string): WindowsHook => ({ node: 'C:\\n\\node.exe', script, shortPath: () => null });
  const run = (by: 'any-shell' | 'powershell', script: string): string | null => {
    const runs = runsOnWindows(by, hook(script), 'cursor');
    return runs.ok ? runs.run('pre-tool-use').command : null;
  };

  test('nothing that a shell could read in another way stands in a plain one', () => {
    expect(run('any-shell', 'C:\\Users\\Zo\u00EB.M\\curfew-hook.cjs')).toMatch(
      /curfew-hook\.cjs cursor pre-tool-use$/u,
    );
    for (const sign of [
      ' ',
      '&',
      '(',
      ')',
      "'",
      '"',
      '%',
      '^',
      '!',
      '$',
      '`',
      ';',
      ',',
      '{',
      '@',
      '#',
      '|',
      '<',
      '\u2019',
    ])
      expect([sign, run('any-shell', `C:\\a${sign}b\\curfew-hook.cjs`)]).toEqual([sign, null]);
    for (const path of ['a\\b', '\\\\host\\a\\b.cjs', '/c/a', 'C:/a/b.cjs', 'C:\\'])
      expect([path, run('any-shell', path)]).toEqual([path, null]);
  });

  test('quotes of PowerShell are doubled, also the curly ones', () => {
    expect(run('powershell', "C:\\it's\u2019\\x.cjs")).toContain("'C:\\it''s\u2019\u2019\\x.cjs'");
    expect(run('powershell', 'C:\\x.cjs')).toContain(`else { '{"permission":"allow"}' }; exit 0`);
  });

  test('our own hooks are known again', () => {
    for (const text of [
      "& 'C:\\x\\curfew-hook.cjs' cursor",
      'C:\\x\\curfew-hook.cjs',
      'n.exe C:/x/curfew-hook.cjs stop',
    ])
      expect([text, isHookCommand(text)]).toEqual([text, true]);
    for (const text of ['curfew-hook.cjs.bak', 'my-curfew-hook.cjs', 'curfew-hook.js'])
      expect([text, isHookCommand(text)]).toEqual([text, false]);
  });
});
