import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { opencodeHooks } from '../../../main/agents/hooks/opencode.ts';
import { changeHooks } from '../../../main/agents/hooks/hook-installation.ts';
import { drained, hookScene, startTicksOf, type HookScene } from './hook-script.ts';

let scene: HookScene;
beforeEach(() => {
  scene = hookScene();
});
afterEach(() => scene.close());

interface Plugin {
  readonly event: (input: { event: { type: string; properties?: unknown } }) => Promise<void>;
  readonly 'tool.execute.after': (input: { sessionID: string }) => Promise<void>;
}

/** The plugin as it is installed, loaded as opencode loads it: a module that exports a function. */
const loaded = async (): Promise<Plugin> => {
  const home = join(scene.root, 'home');
  mkdirSync(home);
  const installation = {
    places: { home, environment: {} },
    folders: scene.folders,
    program: { command: ['/bin/sh', '/nowhere'], environment: {} },
    platform: 'linux',
    now: () => 0,
  } as const;
  expect(changeHooks(installation, opencodeHooks, 'install')).toMatchObject({ ok: true });
  const copy = join(scene.root, 'plugin.mjs');
  writeFileSync(copy, readFileSync(opencodeHooks.file(installation.places)));
  const { Curfew } = (await import(pathToFileURL(copy).href)) as {
    Curfew: (context: { directory: string }) => Promise<Plugin>;
  };
  return Curfew({ directory: '/home/me/shop' });
};

test("opencode's plugin tells of its own sessions, not of those of its helpers", async () => {
  const noted = { pid: process.pid, startTicks: startTicksOf(process.pid) };
  writeFileSync(scene.folders.supervisor, `${JSON.stringify(noted)}\n`);
  const plugin = await loaded();
  const tell = (type: string, properties: unknown): Promise<void> => plugin.event({ event: { type, properties } });
  await tell('session.created', { info: { id: 'ses_1' } });
  await tell('session.created', { info: { id: 'ses_2', parentID: 'ses_1' } });
  await plugin['tool.execute.after']({ sessionID: 'ses_2' });
  await plugin['tool.execute.after']({ sessionID: 'ses_1' });
  await tell('session.idle', { sessionID: 'ses_1' });
  await tell('file.edited', { file: 'x' });
  await plugin.event({ event: { type: 'server.instance.disposed' } });
  const common = { agent: 'opencode', session: 'ses_1', project: '/home/me/shop' };
  expect(drained(scene)).toMatchObject([
    { ...common, kind: 'session-start' },
    { ...common, kind: 'tool' },
    { ...common, kind: 'stop' },
    { ...common, kind: 'session-end', reason: 'exit' },
  ]);
});
