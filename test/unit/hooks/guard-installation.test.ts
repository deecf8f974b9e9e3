import { spoken } from '../text/spoken.ts';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answers } from '../../../app/agents/answers.ts';
import type { AgentHookInstaller } from '../../../main/agents/hooks/form/agent-hooks.ts';
import { hookFolders } from '../../../main/agents/hooks/form/folders.ts';
import {
  agentHooks,
  changeHooks,
  type HookInstallation,
} from '../../../main/agents/hooks/installation/hook-installation.ts';
import { hookInstallationHere } from '../../../main/agents/hooks/installation/installation-here.ts';
import { hookInstallers } from '../../../main/agents/dossiers.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-guard-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const withGuard = (guard: boolean): HookInstallation => ({
  places: { home: join(root, 'home'), environment: {} },
  folders: hookFolders({ hooks: join(root, 'hooks'), lock: join(root, 'supervisor.lock') }),
  program: { command: ['/usr/bin/node', '/opt/curfew.js'], environment: {} },
  platform: 'linux',
  now: () => 0,
  guard,
});

const before = '{ "hooks": { "PreToolUse": [ { "matcher": "Bash", "hooks": [] } ] } /* mine */ }\n';
const fileOf = (installer: AgentHookInstaller): string => installer.file(withGuard(true).places);
const textOf = (installer: AgentHookInstaller): string => readFileSync(fileOf(installer), 'utf8');

/** A settings file of a user's, where the agent has one that isn't Curfew's alone. */
const prepare = (installer: AgentHookInstaller): void => {
  mkdirSync(dirname(fileOf(installer)), { recursive: true });
  if (installer.content.kind === 'shared') writeFileSync(fileOf(installer), before);
};

const asking = hookInstallers.filter(({ agent }) => answers[agent].guard !== 'none');

test('an agent that does not ask the guard is not said to', () => {
  for (const installer of hookInstallers.filter((one) => !asking.includes(one))) {
    prepare(installer);
    changeHooks(withGuard(true), installer, 'install');
    expect(textOf(installer)).not.toContain('pre-tool-use');
    expect(agentHooks(withGuard(true), installer)).toMatchObject({ hooks: 'installed', note: null });
  }
});

describe.each(asking.map((installer) => [installer.agent, installer] as const))('%s', (_, installer) => {
  test('is asked before commands only while the guard is on, and is the same again afterwards', () => {
    prepare(installer);
    const change = (guard: boolean, wish: 'install' | 'uninstall'): void =>
      expect(changeHooks(withGuard(guard), installer, wish)).toMatchObject({ ok: true, changed: true });
    change(false, 'install');
    const without = textOf(installer);
    expect(without).not.toContain('pre-tool-use');
    expect(spoken(agentHooks(withGuard(true), installer))).toMatchObject({
      hooks: 'partly',
      note: expect.stringContaining('switched on and not among these hooks yet') as string,
    });
    change(true, 'install');
    expect(textOf(installer)).toContain('pre-tool-use');
    expect(spoken(agentHooks(withGuard(true), installer))).toMatchObject({
      hooks: 'installed',
      note: expect.stringContaining('reads commands before they run') as string,
    });
    expect(changeHooks(withGuard(true), installer, 'install')).toMatchObject({ ok: true, changed: false });
    expect(spoken(agentHooks(withGuard(false), installer))).toMatchObject({
      hooks: 'partly',
      note: expect.stringContaining('switched off and answers nothing') as string,
    });
    change(false, 'install');
    expect(textOf(installer)).toBe(without);
    change(true, 'install');
    change(true, 'uninstall');
    expect(existsSync(fileOf(installer)) ? textOf(installer) : before).toBe(before);
  });
});

test('whether it is on stands in the settings; what makes no sense there is off', () => {
  const settings = join(root, 'settings.json');
  const here = (): boolean | undefined =>
    hookInstallationHere({
      places: { hooks: join(root, 'hooks'), lock: join(root, 'supervisor.lock'), settings },
      home: root,
      environment: {},
      commandLine: import.meta.filename,
    }).guard;
  expect(here()).toBe(false);
  writeFileSync(settings, '{ "guard": { "enabled": true } }');
  expect(here()).toBe(true);
  writeFileSync(settings, '{ "guard": { "enabled": "certainly" } }');
  expect(here()).toBe(false);
  writeFileSync(settings, '{ "guard"');
  expect(here()).toBe(false);
});
