import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spoken } from '../../unit/text/spoken.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claudeCodeInstaller } from '../../../main/agents/claude-code/agent.ts';
import { changeHooks, type HookInstallation } from '../../../main/agents/hooks/installation/hook-installation.ts';
import { proveHooks } from '../../../main/doctor/prove-hooks.ts';
import { callHook, drained, hookScene, type HookScene } from './hook-script.ts';

let scene: HookScene;
let installation: HookInstallation;
const uid = process.getuid?.() ?? 0;

beforeEach(() => {
  scene = hookScene();
  const home = join(scene.root, 'home');
  mkdirSync(join(home, '.claude'), { recursive: true });
  installation = {
    places: { home, environment: {} },
    folders: scene.folders,
    program: { command: ['/bin/sh', '/nowhere'], environment: {} },
    platform: 'linux',
    now: () => 0,
  };
});
afterEach(() => scene.close());

test('says which agents lack them', () => {
  expect(spoken(proveHooks(installation, uid))).toMatchObject([
    { level: 'note', text: expect.stringContaining('curfew hooks install claude-code') as string },
  ]);
});

test('sees its event arrive through the script that agents call, and leaves the others there', async () => {
  changeHooks(installation, claudeCodeInstaller, 'install');
  await callHook(scene, { event: 'session-end', input: '{"session_id":"real"}' });
  expect(spoken(proveHooks(installation, uid))).toMatchObject([
    { level: 'ok', text: 'Installed into Claude Code.' },
    { level: 'ok', text: expect.stringContaining('arrived') as string },
  ]);
  expect(drained(scene)).toMatchObject([{ kind: 'session-end', session: 'real' }]);
});

test('a script that does not do its work is a problem', () => {
  changeHooks(installation, claudeCodeInstaller, 'install');
  writeFileSync(scene.folders.script, 'exit 0\n');
  expect(proveHooks(installation, uid).map(({ level }) => level)).toEqual(['problem', 'note', 'problem']);
});
