import { spoken } from '../text/spoken.ts';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loginItemStatus, setLoginItem } from '../../../main/shell/surface/login-item.ts';
import { appEntryFile } from '../../../main/autostart/desktop-entry.ts';
import { autostartEntry } from '../../../main/shell/surface/xdg-autostart.ts';
import type { ServiceOptions } from '../../../main/interface/curfew-service.ts';
import type { Surface } from '../../../main/interface/answers/surface.ts';
import { desktop } from '../../desktop/stand-in/desktop.ts';
import { app } from '../../desktop/stand-in/fake-app.ts';
import { onlyWindow, pass, PlayedService, raise, watching } from './stage.ts';

/** Its files have no modes, and making links takes a right of its own. */
const isWindows = process.platform === 'win32';

const surfaceOf = async (platform: NodeJS.Platform = 'linux') => {
  let given: ServiceOptions | null = null;
  const stage = await raise({
    platform,
    openService: async (options) => {
      given = options;
      return new PlayedService(watching);
    },
  });
  if (given === null) throw new Error('no service was opened');
  const { surface, what } = given as ServiceOptions;
  expect(what).toBe('app');
  return { ...stage, surface, folder: stage.options.state };
};

describe('what only a desktop can do', () => {
  test('opening a place', async () => {
    const { surface } = await surfaceOf();
    expect(surface.open({ window: 'settings', section: 'limits' })).toEqual({ ok: true, value: {} });
    await pass();
    expect(onlyWindow().contents.url).toBe('app://curfew/index.html#/settings/limits');
  });

  test('copying to the clipboard', async () => {
    const { surface, told } = await surfaceOf();
    expect(await surface.copy('kill 42')).toEqual({ ok: true, value: {} });
    expect(told('clipboard')).toEqual([{ kind: 'clipboard', text: 'kill 42' }]);
  });

  test('quitting, after the answer has gone out', async () => {
    const { surface } = await surfaceOf();
    expect(surface.quit()).toEqual({ ok: true, value: {} });
    expect(desktop.exited).toBeNull();
    await expect.poll(() => desktop.exited).toBe(0);
  });
});

describe('opening what is on this machine', () => {
  const fileOf = async (name: string, mode = 0o644) => {
    const raised = await surfaceOf();
    const path = join(raised.folder, name);
    writeFileSync(path, 'one line');
    chmodSync(path, mode);
    return { ...raised, path };
  };

  test('a project folder is opened, and an output file as text', async () => {
    const { surface, path, folder, told } = await fileOf('task.output');
    expect(await surface.openPath(folder)).toEqual({ ok: true, value: { did: 'opened' } });
    expect(await surface.openPath(path)).toEqual({ ok: true, value: { did: 'opened' } });
    expect(told('opened-path').map((event) => event.path)).toEqual([folder, path]);
  });

  // Windows has no such rights: what starts a program there is its ending.
  const byRights: readonly [string, number][] = [
    ['task.output', 0o755],
    ['program', 0o755],
  ];
  test.each<[string, number]>([
    ['run.desktop', 0o644],
    ['setup.exe', 0o644],
    ['page.html', 0o644],
    ...(isWindows ? [] : byRights),
  ])('%s (mode %o) could start something: it is only shown in its folder', async (name, mode) => {
    const { surface, path, told } = await fileOf(name, mode);
    expect(await surface.openPath(path)).toEqual({ ok: true, value: { did: 'shown' } });
    expect(told('opened-path')).toEqual([]);
    expect(told('shown-path').map((event) => event.path)).toEqual([path]);
  });

  test.skipIf(isWindows)('a link is judged by what it leads to', async () => {
    const { surface, path, folder, told } = await fileOf('run.desktop');
    symlinkSync(path, join(folder, 'looks-like.txt'));
    expect(await surface.openPath(join(folder, 'looks-like.txt'))).toEqual({ ok: true, value: { did: 'shown' } });
    expect(told('opened-path')).toEqual([]);
  });

  test('on macOS a folder with an extension may be an application', async () => {
    const { surface, folder, told } = await surfaceOf('darwin');
    const bundle = join(folder, 'Shop.app');
    mkdirSync(bundle);
    expect(await surface.openPath(bundle)).toEqual({ ok: true, value: { did: 'shown' } });
    expect(told('opened-path')).toEqual([]);
  });

  test('what the system does not open is shown instead, and what is gone is told', async () => {
    const { surface, folder, told } = await surfaceOf();
    desktop.unopened = true;
    expect(await surface.openPath(folder)).toEqual({ ok: true, value: { did: 'shown' } });
    expect(told('shown-path').map((event) => event.path)).toEqual([folder]);
    for (const path of [join(folder, 'gone'), 'relative', '\\\\server\\share', '/dev/null'])
      expect(await surface.openPath(path)).toMatchObject({ ok: false, failure: { code: 'not-found' } });
  });

  test('a port is opened in the browser', async () => {
    const { surface, told } = await surfaceOf();
    expect(await surface.openPort(5173)).toEqual({ ok: true, value: {} });
    expect(told('external')).toEqual([{ kind: 'external', url: 'http://localhost:5173/' }]);
  });
});

describe('an export', () => {
  const content = { name: '../../curfew.csv', mediaType: 'text/csv', pieces: () => ['a,b\n', '1,2\n'] } as const;

  test('goes whole into the file that the user chose, for them alone', async () => {
    const { surface, folder, told } = await surfaceOf();
    const path = join(folder, 'out.csv');
    desktop.saveAs = path;
    expect(await surface.save(content)).toEqual({ ok: true, value: { kind: 'file', path } });
    expect(readFileSync(path, 'utf8')).toBe('a,b\n1,2\n');
    expect(statSync(path).mode & 0o777).toBe(isWindows ? 0o666 : 0o600);
    expect(told('save-box')[0]?.path).toBe(join('/nowhere/documents', 'curfew.csv'));
  });

  test('can be called off', async () => {
    const { surface } = await surfaceOf();
    desktop.saveAs = null;
    expect(await surface.save(content)).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
  });

  test('that breaks off leaves the file as it was, and nothing beside it', async () => {
    const { surface, folder } = await surfaceOf();
    const path = join(folder, 'out.csv');
    writeFileSync(path, 'before');
    desktop.saveAs = path;
    const pieces = function* () {
      yield 'a,b\n';
      throw new Error('the history went away');
    };
    const answer = await surface.save({ ...content, pieces });
    expect(answer).toMatchObject({ ok: false, failure: { code: 'refused' } });
    expect(readFileSync(path, 'utf8')).toBe('before');
    expect(readdirSync(folder).filter((name) => name.startsWith('out'))).toEqual(['out.csv']);
  });
});

describe('starting at login on Linux', () => {
  const autostartOf = ({ autostart }: Surface) => {
    if (autostart === null) throw new Error('the desktop has no autostart');
    return autostart;
  };

  test('writes an entry, finds it again, and takes it away', async () => {
    const { surface, options } = await surfaceOf();
    const autostart = autostartOf(surface);
    expect(await autostart.status()).toMatchObject({ ok: true, value: { state: 'disabled' } });
    expect(await autostart.set(true)).toMatchObject({ ok: true, value: { state: 'enabled' } });
    const file = appEntryFile(options.autostart);
    expect(file).toBe(join(options.state, '.config/autostart/dev.curfew.Curfew.desktop'));
    expect(readFileSync(file, 'utf8')).toBe(autostartEntry(options.autostart));
    expect(await autostart.set(false)).toMatchObject({ ok: true, value: { state: 'disabled' } });
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ['switched off in the desktop’s own list', 'Hidden=true'],
    ['switched off by GNOME', 'X-GNOME-Autostart-enabled=false'],
  ])('sees an entry that was %s', async (_name, line) => {
    const { surface, options } = await surfaceOf();
    const file = appEntryFile(options.autostart);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, autostartEntry(options.autostart).replace('X-GNOME-Autostart-enabled=true', line));
    expect(await autostartOf(surface).status()).toMatchObject({ value: { state: 'disabled' } });
  });

  test('sees an entry that starts something else', async () => {
    const { surface, options } = await surfaceOf();
    const file = appEntryFile(options.autostart);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, autostartEntry({ ...options.autostart, program: ['/old/curfew-app'] }));
    const status = await autostartOf(surface).status();
    expect(status).toMatchObject({ value: { state: 'disabled' } });
    expect(JSON.stringify(status)).toContain('starts something else');
  });

  test('says what the file system refuses', async () => {
    const { surface, options } = await surfaceOf();
    writeFileSync(join(options.state, '.config'), 'a file where a folder should be');
    chmodSync(join(options.state, '.config'), 0o600);
    expect(await autostartOf(surface).set(true)).toMatchObject({ ok: false, failure: { code: 'refused' } });
  });

  test('quotes what the entry’s grammar would read otherwise', () => {
    const entry = autostartEntry({
      home: '/home/me',
      environment: {},
      program: ['/opt/my apps/100%/$x`"\\/curfew', '--at-login'],
      placesEnvironment: { CURFEW_HOME: '/home/me/c u' },
    });
    expect(entry).toContain('TryExec=/opt/my apps/100%/$x`"\\\\/curfew\n');
    expect(entry).toContain(
      String.raw`Exec="env" "CURFEW_HOME=/home/me/c u" "/opt/my apps/100%%/\\$x\\` +
        '`' +
        String.raw`\\"\\\\/curfew" "--at-login"`,
    );
  });
});

describe('starting at login on macOS and Windows', () => {
  test('is for the installed app only', async () => {
    await raise({ platform: 'darwin' });
    expect(loginItemStatus('darwin').state).toBe('unsupported');
    expect(setLoginItem('darwin', true)).toMatchObject({ ok: false, failure: { code: 'unsupported' } });
  });

  test('is asked of the system, and believed only when the system says so', async () => {
    await raise({ platform: 'win32' });
    app.isPackaged = true;
    expect(setLoginItem('win32', true)).toMatchObject({ ok: true, value: { state: 'enabled' } });
    app.loginItem = { openAtLogin: true, executableWillLaunchAtLogin: false };
    expect(loginItemStatus('win32').state).toBe('disabled');
    app.isPackaged = false;
    app.loginItem = { openAtLogin: false };
  });

  test.each<[string, string, string]>([
    ['enabled', 'enabled', 'starts when you log in'],
    ['requires-approval', 'disabled', 'Login Items'],
    ['not-registered', 'disabled', 'doesn’t start'],
    ['not-found', 'disabled', 'move it to Applications'],
    ['of a later system', 'disabled', 'doesn’t start'],
  ])('on macOS %s means %s, whatever else is said', async (status, state, text) => {
    await raise({ platform: 'darwin' });
    app.isPackaged = true;
    app.loginItem = { openAtLogin: true, status: status as NonNullable<typeof app.loginItem.status> };
    expect(spoken(loginItemStatus('darwin'))).toMatchObject({ state, text: expect.stringContaining(text) as string });
    app.isPackaged = false;
    app.loginItem = { openAtLogin: false };
  });
});
