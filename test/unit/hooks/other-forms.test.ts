import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentHookInstaller } from '../../../main/agents/hooks/form/agent-hooks.ts';
import { clineInstaller } from '../../../main/agents/cline/installation.ts';
import { hookFolders } from '../../../main/agents/hooks/form/folders.ts';
import {
  agentHooks,
  changeHooks,
  type HookInstallation,
} from '../../../main/agents/hooks/installation/hook-installation.ts';
import { kimiInstaller } from '../../../main/agents/kimi/installation.ts';
import { spoken } from '../text/spoken.ts';

let root = '';
let installation: HookInstallation;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-hooks-'));
  installation = {
    places: { home: join(root, 'home'), environment: {} },
    folders: hookFolders({ hooks: join(root, 'state/hooks'), lock: join(root, 'state/supervisor.lock') }),
    program: { command: ['/usr/bin/node', '/opt/curfew.js'], environment: {} },
    platform: 'linux',
    now: () => 0,
  };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (file: string, text: string): string => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const install = (installer: AgentHookInstaller) => changeHooks(installation, installer, 'install');
const uninstall = (installer: AgentHookInstaller) => changeHooks(installation, installer, 'uninstall');
const stateOf = (installer: AgentHookInstaller) => agentHooks(installation, installer).hooks;

const mine = `# who I am
default_model = "k2" # the big one

[[hooks]]
event = "Stop"
command = "afplay done.aiff" # bing

[models.k2]
provider = 'moon'
`;
const own = { event: 'Stop', command: 'afplay done.aiff' };

describe('a TOML file with a list of hooks', () => {
  const put = (text: string): string => write(kimiInstaller.file(installation.places), text);
  const hooksIn = (text: string): readonly unknown[] => (parse(text)['hooks'] ?? []) as readonly unknown[];

  test.each([
    ['with comments and hooks of the user', mine],
    ['that ends without a line break', mine.trimEnd()],
    ['with line breaks of Windows', mine.replaceAll('\n', '\r\n')],
    ['that ends within a table', '[a]\nb = 1'],
    ['with a comment at its end', '[a]\n# end'],
    ['that is empty', ''],
  ])('%s keeps every byte, and is the same again afterwards', (_, text) => {
    const file = put(text);
    expect(install(kimiInstaller)).toMatchObject({ ok: true, changed: true });
    const after = readFileSync(file, 'utf8');
    expect(after.startsWith(text)).toBe(true);
    expect(hooksIn(after)).toHaveLength(hooksIn(text).length + 5);
    expect(stateOf(kimiInstaller)).toBe('installed');
    expect(install(kimiInstaller)).toMatchObject({ ok: true, changed: false });
    expect(uninstall(kimiInstaller)).toMatchObject({ ok: true, changed: true });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('that the agent wrote anew, and the user changed, loses exactly our hooks', () => {
    const file = put(mine);
    install(kimiInstaller);
    const anew = stringify({ ...parse(readFileSync(file, 'utf8')), theme: 'dark' });
    writeFileSync(file, `${anew}\n# mine\n[[hooks]]\nevent = "Stop"\ncommand = "second"\n`);
    expect(stateOf(kimiInstaller)).toBe('installed');
    expect(uninstall(kimiInstaller)).toMatchObject({ ok: true, changed: true });
    const left = readFileSync(file, 'utf8');
    expect(parse(left)).toEqual({ ...parse(mine), theme: 'dark', hooks: [own, { event: 'Stop', command: 'second' }] });
    expect(left).toContain('# mine\n[[hooks]]');
    expect(left).not.toContain('curfew-hook');
  });

  test('of another Curfew folder gets ours instead', () => {
    const file = put(mine);
    const elsewhere = { ...installation, folders: hookFolders({ hooks: join(root, 'other'), lock: '/x' }) };
    changeHooks(elsewhere, kimiInstaller, 'install');
    expect(stateOf(kimiInstaller)).toBe('partly');
    install(kimiInstaller);
    expect(stateOf(kimiInstaller)).toBe('installed');
    expect(readFileSync(file, 'utf8')).not.toContain(join(root, 'other'));
    uninstall(kimiInstaller);
    expect(parse(readFileSync(file, 'utf8'))).toEqual(parse(mine));
  });

  test.each([
    ['half written', '[[hooks]]\nevent = "St'],
    ['that holds hooks as one value', 'hooks = [{ event = "Stop", command = "mine" }]\n'],
    ['that holds hooks as a table', '[hooks]\na = 1\n'],
    ['whose text looks like ours', `note = """\n[[hooks]]\ncommand = 'curfew-hook'\n"""\nhooks = []\n`],
  ])('%s is refused and left alone', (_, text) => {
    const file = put(text);
    expect(install(kimiInstaller)).toMatchObject({ ok: false });
    expect(uninstall(kimiInstaller).ok && readFileSync(file, 'utf8') !== text).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(existsSync(installation.folders.copies)).toBe(false);
  });
});

describe('files of hooks by the name of their event', () => {
  const folder = (): string => dirname(clineInstaller.file(installation.places));
  const names = ['PostToolUse.sh', 'SessionShutdown.sh', 'TaskComplete.sh', 'TaskStart.sh'];

  test('are all there or none, beside those of the user', () => {
    write(join(folder(), 'PostToolUse'), '#!/bin/sh\nexit 0\n');
    expect(install(clineInstaller)).toMatchObject({ ok: true, changed: true });
    expect(readdirSync(folder()).toSorted()).toEqual(['PostToolUse', ...names]);
    expect(stateOf(clineInstaller)).toBe('installed');
    expect(install(clineInstaller)).toMatchObject({ ok: true, changed: false });
    rmSync(join(folder(), 'TaskStart.sh'));
    expect(stateOf(clineInstaller)).toBe('partly');
    expect(install(clineInstaller)).toMatchObject({ ok: true, changed: true });
    expect(stateOf(clineInstaller)).toBe('installed');
    rmSync(join(folder(), 'PostToolUse.sh'));
    expect(uninstall(clineInstaller)).toMatchObject({ ok: true, changed: true });
    expect(readdirSync(folder())).toEqual(['PostToolUse']);
  });

  test('are kept as they were where the user added to them', () => {
    install(clineInstaller);
    const file = join(folder(), 'TaskStart.sh');
    writeFileSync(file, `${readFileSync(file, 'utf8')}my-hook\n`);
    expect(uninstall(clineInstaller)).toMatchObject({ ok: true, changed: true });
    const { copies } = installation.folders;
    expect(
      readdirSync(copies)
        .map((name) => readFileSync(join(copies, name), 'utf8'))
        .join(''),
    ).toContain('my-hook');
  });

  test.each(
    names.flatMap((name) => [
      [name, '#!/bin/sh\nexit 0\n'],
      [name, '#!/bin/sh\n# after curfew-hook\nexec my-hook\n'],
    ]),
  )('are left alone where %s is of another program: %j', (name, text) => {
    const file = write(join(folder(), name), text);
    expect(install(clineInstaller)).toMatchObject({ ok: false });
    expect(uninstall(clineInstaller)).toMatchObject({ ok: false });
    expect(readdirSync(folder())).toEqual([name]);
    expect(spoken(agentHooks(installation, clineInstaller).note)).toContain(file);
  });

  test('are left alone where one is no file', () => {
    mkdirSync(join(folder(), 'TaskStart.sh'), { recursive: true });
    expect(install(clineInstaller)).toMatchObject({ ok: false });
    expect(readdirSync(folder())).toEqual(['TaskStart.sh']);
  });
});
