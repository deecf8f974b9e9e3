import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tool } from '../../build/scripts/tool.ts';

// `npm pack`, installed into an empty folder as a user would: no sources, no development
// dependencies, no Electron.
const root = join(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'curfew-npm-'));
const home = join(work, 'home');
const modules = join(work, 'node_modules');
/** What programs of Windows don't run without. */
const needed = ['SystemRoot', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP'];

/** The environment of a user who has nothing yet: no packages of this project, and no settings. */
const environmentIn = (folder: string): Record<string, string> => ({
  ...Object.fromEntries(needed.flatMap((name) => [process.env[name] ?? []].flat().map((value) => [name, value]))),
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  USERPROFILE: folder,
  APPDATA: join(folder, 'AppData/Roaming'),
  LOCALAPPDATA: join(folder, 'AppData/Local'),
});
const environment = { ...environmentIn(home), CURFEW_HOME: join(home, 'curfew') };

const npm = (cwd: string, ...args: readonly string[]): string => {
  const [program, ...words] = tool('npm');
  return execFileSync(program, [...words, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
};

const entry = join(modules, 'curfew/build/out/cli/curfew.js');
/** On Windows npm links a batch file, which no program starts without a shell. */
const [program, ...before] =
  process.platform === 'win32' ? ([process.execPath, entry] as const) : ([join(modules, '.bin/curfew')] as const);

const curfew = (...args: readonly string[]): { readonly status: number | null; readonly stdout: string } => {
  const { status, stdout } = spawnSync(program, [...before, ...args], {
    cwd: work,
    env: environment,
    encoding: 'utf8',
  });
  return { status, stdout };
};

beforeAll(() => {
  mkdirSync(home, { recursive: true });
  const packed = npm(root, 'pack', '--silent', '--pack-destination', work).trim().split('\n').at(-1) ?? '';
  npm(work, 'install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', join(work, packed));
});

afterAll(() => rmSync(work, { recursive: true, force: true }));

describe('the npm package', () => {
  test('depends only on what can not be bundled', () => {
    const installed = readdirSync(modules).filter((name) => !name.startsWith('.'));
    expect(installed.toSorted()).toEqual(['@koromix', 'curfew', 'koffi', 'ps-list']);
    const files = readdirSync(join(modules, 'curfew')).toSorted();
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'build', 'package.json']));
    expect(files).not.toEqual(expect.arrayContaining(['test']));
    expect(readdirSync(join(modules, 'curfew/build/out')).toSorted()).toEqual(['cli', 'renderer', 'share']);
  });

  test('scans the machine', () => {
    const { status, stdout } = curfew('scan', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 1, host: 'local' });
  });

  test('leaves no file behind where npx unpacked it to scan once', () => {
    const unpacked = join(work, 'cache/_npx/0a1b2c3d4e5f6071/node_modules');
    cpSync(modules, unpacked, { recursive: true });
    const look = (words: readonly string[], folder: string, from: string): readonly string[] => {
      mkdirSync(folder, { recursive: true });
      const command = join(from, 'curfew/build/out/cli/curfew.js');
      const said = spawnSync(process.execPath, [command, ...words], {
        env: environmentIn(folder),
        encoding: 'utf8',
      });
      expect({ status: said.status, stderr: said.stderr }).toEqual({ status: 0, stderr: '' });
      return readdirSync(folder, { recursive: true, encoding: 'utf8' });
    };
    const scan = (folder: string, from: string): readonly string[] => look(['scan', '--json'], folder, from);
    for (const words of [[], ['scan'], ['scan', '--share'], ['port', '3000'], ['sessions'], ['statusline']])
      expect([words, look(words, join(work, 'passer-by'), unpacked)]).toEqual([words, []]);
    // What is installed to stay remembers what it saw.
    expect(scan(join(work, 'resident'), modules)).not.toEqual([]);
    expect(scan(join(work, 'resident'), unpacked)).not.toEqual([]);
  });

  test.runIf(process.platform === 'linux')('signals through pidfd', () => {
    const { stdout } = curfew('doctor', '--json');
    expect(stdout).toContain('pidfd');
  });

  test('has a manual page and completions, which are those of the commands that it has', () => {
    const share = join(modules, 'curfew/build/out/share');
    const page = readFileSync(join(share, 'man/curfew.1'), 'utf8');
    for (const command of ['scan', 'reap', 'watch', 'run', 'history']) expect(page).toContain(`curfew ${command}`);
    for (const [shell, file] of [
      ['bash', 'curfew.bash'],
      ['zsh', '_curfew'],
      ['fish', 'curfew.fish'],
      ['powershell', 'curfew.ps1'],
    ] as const) {
      expect(curfew('completion', shell).stdout).toBe(readFileSync(join(share, 'completions', file), 'utf8'));
    }
  });

  test('has the alert rules and the dashboard', () => {
    const share = join(modules, 'curfew/build/out/share');
    expect(readFileSync(join(share, 'prometheus/curfew.rules.yml'), 'utf8')).toContain('alert: CurfewNotWatching');
    expect(JSON.parse(readFileSync(join(share, 'grafana/curfew-dashboard.json'), 'utf8'))).toHaveProperty('panels');
  });

  test('has autostart files that the tools of each system accept', () => {
    const share = join(modules, 'curfew/build/out/share');
    const systemd = ['curfew.service', 'curfew.timer'].map((name) => join(share, 'systemd/user', name));
    const agent = join(share, 'launchd/dev.curfew.pass.plist');
    const desktopEntry = join(share, 'autostart/dev.curfew.watch.desktop');
    for (const file of [systemd[0] ?? '', agent, desktopEntry])
      expect(readFileSync(file, 'utf8')).toContain('/usr/bin/env');
    // Null: the tool isn't on this machine.
    const found = (...command: readonly [string, ...string[]]) => {
      const [file, ...args] = command;
      const { error, status, stdout, stderr } = spawnSync(file, args, {
        encoding: 'utf8',
        env: { ...environment, XDG_RUNTIME_DIR: work },
      });
      return error === undefined ? { status, about: `${stdout}${stderr}` } : null;
    };
    // Not what is said of others, such as a socket of gpg-agent whose path is too long here.
    const ofOurs = /curfew\.(?:service|timer)/u;
    const units = found('systemd-analyze', 'verify', '--man=no', '--user', ...systemd);
    expect((units?.about ?? '').split('\n').filter((line) => ofOurs.test(line))).toEqual([]);
    expect(found('desktop-file-validate', desktopEntry) ?? { status: 0, about: '' }).toEqual({ status: 0, about: '' });
    expect(found('plutil', '-lint', agent)?.status ?? 0).toBe(0);
  });
});
