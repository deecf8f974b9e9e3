import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { opencodeInstaller } from '../../../main/agents/opencode/agent.ts';
import { changeHooks, type HookInstallation } from '../../../main/agents/hooks/installation/hook-installation.ts';
import { witnessFile, writeWitness } from '../../../main/agents/hooks/form/witness-shell.ts';
import { curfewFile } from '../scene/curfew.ts';
import { drained, hookScene, startTicksOf, type HookScene } from './hook-script.ts';

let scene: HookScene;
beforeEach(() => {
  scene = hookScene();
});
afterEach(() => scene.close());

interface Plugin {
  readonly 'shell.env': (input: { callID?: string }, output: { env: Record<string, string> }) => Promise<void>;
  readonly event: (input: { event: { type: string; properties?: unknown } }) => Promise<void>;
  readonly 'tool.execute.before'?: (
    input: { tool: string; callID: string },
    output: { args: { command: string } },
  ) => Promise<void>;
  readonly 'tool.execute.after': (
    input: { sessionID: string; callID?: string },
    output?: { output: string },
  ) => Promise<void>;
}

/** The plugin as installed, loaded as opencode loads it: a module that exports a function. */
const loaded = async (guard = false): Promise<Plugin> => {
  const home = join(scene.root, 'home');
  mkdirSync(home, { recursive: true });
  const installation = {
    places: { home, environment: {} },
    folders: scene.folders,
    program: {
      command: guard ? [process.execPath, curfewFile] : ['/bin/sh', '/nowhere'],
      environment: { CURFEW_HOME: scene.root },
    },
    guard,
    platform: 'linux',
    now: () => 0,
  } as const satisfies HookInstallation;
  expect(changeHooks(installation, opencodeInstaller, 'install')).toMatchObject({ ok: true });
  const copy = join(scene.root, guard ? 'plugin-with-guard.mjs' : 'plugin.mjs');
  writeFileSync(copy, readFileSync(opencodeInstaller.file(installation.places)));
  const { Curfew } = (await import(pathToFileURL(copy).href)) as {
    Curfew: (context: { directory: string }) => Promise<Plugin>;
  };
  return Curfew({ directory: '/home/me/shop' });
};

test("opencode's plugin reports its own sessions, not those of its helpers", async () => {
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

test('asks the guard before a command: throws for a refusal, applies changes, and appends warnings to the output', async () => {
  const wishes = { enabled: true, neverEnds: 'deny', noTimeout: 'rewrite', timeoutSeconds: 60 };
  writeFileSync(join(scene.root, 'settings.json'), JSON.stringify({ guard: wishes }));
  const plugin = await loaded(true);
  // The plugin waits 2 s for the guard, then lets the command run. A busy machine may need longer:
  // ask again.
  const run = async (command: string, tool = 'bash', tries = 20): Promise<string> => {
    const output = { args: { command } };
    const startedAtMs = performance.now();
    await plugin['tool.execute.before']?.({ tool, callID: command }, output);
    const gaveUp = performance.now() - startedAtMs >= 2000;
    return gaveUp && tries > 1 ? run(command, tool, tries - 1) : output.args.command;
  };
  await expect(run('tail -f log &')).rejects.toThrow('`tail` never ends on its own');
  expect(await run('node server.js > log &')).toBe('timeout 60 node server.js > log &');
  expect(await run('ls')).toBe('ls');
  expect(await run('tail -f log &', 'write')).toBe('tail -f log &');
  expect(await run('make > log echo built it')).toBe('make > log echo built it');
  const output = { output: 'made' };
  await plugin['tool.execute.after']({ sessionID: 's', callID: 'make > log echo built it' }, output);
  expect(output.output).toMatch(/^made\n\nCurfew's guard \(swallowedCommand\)/u);
  expect((await loaded())['tool.execute.before']).toBeUndefined();
});

test('its tool shells are told to note themselves where that was installed, and no terminal of the user', async () => {
  const plugin = await loaded();
  const given = async (input: { callID?: string }, env: Record<string, string> = {}): Promise<string | undefined> => {
    await plugin['shell.env'](input, { env });
    return env['BASH_ENV'];
  };
  const shell = process.env['SHELL'];
  process.env['SHELL'] = '/bin/bash';
  try {
    expect(await given({ callID: 'call_1' })).toBeUndefined();
    writeWitness(scene.folders, 'opencode');
    expect(await given({ callID: 'call_1' })).toBe(witnessFile(scene.folders, 'opencode'));
    expect(await given({})).toBeUndefined();
    expect(await given({ callID: 'call_1' }, { BASH_ENV: '/mine' })).toBe('/mine');
    // zsh does not read it, and would hand it on.
    process.env['SHELL'] = '/bin/zsh';
    expect(await given({ callID: 'call_1' })).toBeUndefined();
  } finally {
    if (shell === undefined) delete process.env['SHELL'];
    else process.env['SHELL'] = shell;
  }
});
