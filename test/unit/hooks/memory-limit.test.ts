import { inEnglish } from '../../../app/text/say.ts';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claudeCodeMemoryLimit, wholeMemory, claudeCodeInstaller } from '../../../main/agents/claude-code/agent.ts';
import { changeEntry, entryState } from '../../../main/agents/entries/entry-change.ts';
import { hookFolders } from '../../../main/agents/hooks/form/folders.ts';
import { changeHooks, type HookInstallation } from '../../../main/agents/hooks/installation/hook-installation.ts';

let root = '';
const places = () => ({ home: join(root, 'home'), environment: {} });
const folders = () => hookFolders({ hooks: join(root, 'hooks'), lock: join(root, 'supervisor.lock') });
const installation = (): HookInstallation => ({
  places: places(),
  folders: folders(),
  program: { command: ['/usr/bin/node', '/opt/curfew/curfew.js'], environment: {} },
  platform: 'linux',
  now: () => 0,
});

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-limit-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const entry = (limit = '8G') => claudeCodeMemoryLimit.entry(places(), limit);
const put = (text: string): void => {
  mkdirSync(dirname(entry().file), { recursive: true });
  writeFileSync(entry().file, text);
};
const text = (): string => readFileSync(entry().file, 'utf8');
const install = (limit = '8G') => changeEntry(folders(), entry(limit), 'install', 0);
const uninstall = () => changeEntry(folders(), entry('1G'), 'uninstall', 0);
const settings = (): unknown => JSON.parse(text());

const files = [
  '{}',
  '{\n  // mine\n  "model": "m",\n  "env": {\n    "A": "b", // stays\n  },\n}\n',
  '{"env":{}}',
  '{\r\n\t"env": { "A": "\\u00e9" }\r\n}\r\n',
] as const;

test.for(files)('the limit goes into %j and out again, byte for byte', (before) => {
  put(before);
  const done = install();
  expect(done).toMatchObject({ state: 'installed', changed: true, why: null });
  expect(readFileSync(done.copy ?? '', 'utf8')).toBe(before);
  expect(text()).toContain('"CLAUDE_CODE_TOOL_MEMORY_LIMIT"');
  expect(install()).toMatchObject({ changed: false, state: 'installed' });
  expect(uninstall()).toMatchObject({ state: 'absent', changed: true, why: null });
  expect(text()).toBe(before);
});

test('another limit replaces the one that Curfew put in', () => {
  put('{"env":{"A":"b"}}');
  install('8G');
  expect(install('12G')).toMatchObject({ state: 'installed', changed: true });
  expect(settings()).toEqual({ env: { A: 'b', CLAUDE_CODE_TOOL_MEMORY_LIMIT: '12G' } });
  uninstall();
  expect(text()).toBe('{"env":{"A":"b"}}');
});

describe('a limit of the user’s own', () => {
  const own = '{ "env": { "CLAUDE_CODE_TOOL_MEMORY_LIMIT": "8G" } }';

  test('stays, and is said, also where it is the very value that Curfew would put in', () => {
    put(own);
    const done = install();
    expect(done).toMatchObject({ changed: false });
    expect(inEnglish(done.why ?? '')).toContain('not from Curfew');
    expect(uninstall()).toMatchObject({ changed: false });
    expect(text()).toBe(own);
  });

  test('stays where the user wrote it over the one of Curfew', () => {
    put('{}');
    install('8G');
    writeFileSync(entry().file, text().replace('8G', '16G'));
    const changed = text();
    expect(inEnglish(entryState(folders(), entry()).why ?? '')).toContain('not from Curfew');
    expect(uninstall().changed).toBe(false);
    expect(text()).toBe(changed);
  });
});

describe.for(files)('beside hooks in %j', (before) => {
  const unhook = () => changeHooks(installation(), claudeCodeInstaller, 'uninstall');

  test('what was put in last goes out first, and leaves what was there, byte for byte', () => {
    put(before);
    changeHooks(installation(), claudeCodeInstaller, 'install');
    const hooked = text();
    install();
    expect(changeHooks(installation(), claudeCodeInstaller, 'install')).toMatchObject({ changed: false });
    uninstall();
    expect(text()).toBe(hooked);
    unhook();
    expect(text()).toBe(before);
  });

  test('each goes out by itself and leaves the other', () => {
    put(before);
    changeHooks(installation(), claudeCodeInstaller, 'install');
    install();
    expect(unhook()).toMatchObject({ ok: true });
    expect(text()).not.toContain('curfew-hook');
    expect(text()).toContain('CLAUDE_CODE_TOOL_MEMORY_LIMIT');
    uninstall();
    expect(parse(text(), [], { allowTrailingComma: true })).toEqual(parse(before, [], { allowTrailingComma: true }));
  });
});

test('a file with an error, or with a text for "env", is left alone', () => {
  for (const broken of ['{"env":', '{"env":"x"}']) {
    put(broken);
    expect(install()).toMatchObject({ changed: false });
    expect(text()).toBe(broken);
  }
});

test('the limit that limits nothing is all memory, rounded up', () => {
  expect(wholeMemory(16 * 2 ** 30)).toBe('16G');
  expect(wholeMemory(15.6 * 2 ** 30)).toBe('16G');
  expect(wholeMemory(5)).toBe('1G');
});
