import { afterEach, describe, expect, test } from 'vitest';
import { desktop } from '../../desktop/stand-in/desktop.ts';
import { app } from '../../desktop/stand-in/fake-app.ts';
import { nativeTheme, screen } from '../../desktop/stand-in/fake-rest.ts';
import { obey } from '../../desktop/stand-in/obey.ts';
import { overdue } from './overdue.ts';
import { onlyTray, onlyWindow, pass, raise, watching } from './stage.ts';

const popover = 'app://curfew/index.html#/popover';

afterEach(() => {
  screen.pointer = { x: 1700, y: 10 };
});

describe('the popover', () => {
  test('opens with a click on the tray, near the pointer, and goes with the next', async () => {
    await raise();
    expect(desktop.windows.size).toBe(0);
    await obey({ do: 'click-tray' });
    await pass();
    const window = onlyWindow();
    expect(window.contents.url).toBe(popover);
    expect(window.isVisible()).toBe(true);
    expect(window.position).toEqual({ x: 1296, y: 24 });
    await obey({ do: 'click-tray' });
    expect(window.isVisible()).toBe(false);
  });

  test.each(['darwin', 'win32'] as const)('hangs on the tray icon on %s', async (platform) => {
    await raise({ platform });
    onlyTray().bounds = { x: 1000, y: 0, width: 24, height: 24 };
    await obey({ do: 'click-tray' });
    await pass();
    expect(onlyWindow().position).toEqual({ x: 812, y: 28 });
  });

  test('is a normal window on Wayland, which is not placed and not hidden', async () => {
    await raise({ placeable: false });
    await obey({ do: 'click-tray' });
    await pass();
    const window = onlyWindow();
    expect(window.position).toBeNull();
    expect(window.options.frame).toBeUndefined();
    expect(window.options.alwaysOnTop).toBeUndefined();
    window.blur();
    expect(window.isVisible()).toBe(true);
  });

  test('goes with the focus, stays away for the click that took it, and comes back with the next', async () => {
    await raise();
    await obey({ do: 'click-tray' });
    await pass(1000);
    const window = onlyWindow();
    window.blur();
    expect(window.isVisible()).toBe(false);
    await obey({ do: 'click-tray' });
    expect(window.isVisible()).toBe(false);
    await pass(1000);
    await obey({ do: 'click-tray' });
    expect(window.isVisible()).toBe(true);
  });

  test('stays when X11 takes the focus and gives it back right after it was shown, and goes when it does not', async () => {
    await raise({ platform: 'linux' });
    await obey({ do: 'click-tray' });
    await pass();
    const window = onlyWindow();
    window.blur();
    window.focus();
    await pass(1000);
    expect(window.isVisible()).toBe(true);
    await obey({ do: 'click-tray' });
    await pass(1000);
    await obey({ do: 'click-tray' });
    window.blur();
    expect(window.isVisible()).toBe(true);
    await pass(1000);
    expect(window.isVisible()).toBe(false);
  });

  test('is there after a double click on Windows', async () => {
    await raise({ platform: 'win32' });
    await obey({ do: 'click-tray' });
    await pass();
    await obey({ do: 'double-click-tray' });
    await pass();
    expect(onlyWindow().isVisible()).toBe(true);
  });

  test('is dropped when it was hidden for a minute, so that the idle app has no page', async () => {
    await raise();
    await obey({ do: 'click-tray' });
    await pass(1000);
    onlyWindow().blur();
    await pass(59_000);
    expect(desktop.windows.size).toBe(1);
    await pass(1000);
    expect(desktop.windows.size).toBe(0);
    await obey({ do: 'click-tray' });
    await pass();
    expect(onlyWindow().isVisible()).toBe(true);
  });

  test('is not dropped while it is looked at', async () => {
    await raise();
    await obey({ do: 'click-tray' });
    await pass(1000);
    onlyWindow().blur();
    await pass(1000);
    await obey({ do: 'click-tray' });
    await pass(600_000);
    expect(onlyWindow().isVisible()).toBe(true);
  });
});

describe('windows', () => {
  test('a second start opens the popover; macOS asks the same by activating', async () => {
    const { application } = await raise();
    application.open();
    await pass();
    expect(onlyWindow().contents.url).toBe(popover);
    expect(onlyWindow().position).toBe('centre');
  });

  test('are gone when they are closed, and stand where they stood when they come back', async () => {
    await raise();
    await obey({ do: 'choose', path: ['Settings…'] });
    await pass();
    const first = onlyWindow();
    expect(first.contents.url).toBe('app://curfew/index.html#/settings');
    expect(first.options).toMatchObject({ width: 860, height: 640 });
    first.getNormalBounds = () => ({ x: 100, y: 120, width: 900, height: 700 });
    first.close();
    expect(desktop.windows.size).toBe(0);
    await obey({ do: 'choose', path: ['Settings…'] });
    expect(onlyWindow().options).toMatchObject({ x: 100, y: 120, width: 900, height: 700 });
  });

  test('come back where they can be seen when their display is gone', async () => {
    await raise();
    await obey({ do: 'choose', path: ['History…'] });
    await pass();
    onlyWindow().getNormalBounds = () => ({ x: 5000, y: 120, width: 900, height: 700 });
    onlyWindow().close();
    await obey({ do: 'choose', path: ['History…'] });
    expect(onlyWindow().options.x).toBeUndefined();
  });

  test('that are open are told where to go and brought up', async () => {
    const { service, told } = await raise();
    service.become({ jobs: [overdue('ab12')] });
    await obey({ do: 'choose', path: ['npm test', 'Show'] });
    await pass();
    expect(onlyWindow().contents.url).toBe(`${popover}/ab12`);
    await obey({ do: 'choose', path: ['Open'] });
    expect(told('tell').at(-1)).toMatchObject({
      channel: 'curfew:tell',
      payload: { event: 'navigate', payload: { window: 'popover', job: null } },
    });
  });

  test('whose page crashed are taken away and made anew', async () => {
    const warnings: string[] = [];
    await raise({ warn: (text) => void warnings.push(text) });
    await obey({ do: 'click-tray' });
    await pass();
    await obey({ do: 'crash', id: onlyWindow().contents.id });
    expect(desktop.windows.size).toBe(0);
    expect(warnings).toEqual([expect.stringContaining('popover')]);
    await obey({ do: 'click-tray' });
    await pass();
    expect(onlyWindow().isVisible()).toBe(true);
  });

  test('take the appearance that the settings say', async () => {
    const { service } = await raise();
    const { settings } = watching;
    service.become({ settings: { ...settings, values: { ...settings.values, appearance: 'dark' } } });
    expect(nativeTheme.themeSource).toBe('dark');
    service.become({ settings });
    expect(nativeTheme.themeSource).toBe('system');
  });
});

describe('the first run', () => {
  const unchosen = { ...watching, mode: 'observe', modeChosen: false } as const;

  test('asks at the start, and goes on to the popover', async () => {
    await raise({}, unchosen);
    await pass();
    const welcome = onlyWindow();
    expect(welcome.contents.url).toBe('app://curfew/index.html#/welcome');
    await obey({ do: 'went-to', id: welcome.contents.id, url: popover });
    await pass();
    expect(welcome.isDestroyed()).toBe(true);
    expect(onlyWindow().contents.url).toBe(popover);
  });

  test('does not ask at login, which is no request for a window', async () => {
    await raise({ argv: ['--at-login'] }, unchosen);
    await pass();
    expect(desktop.windows.size).toBe(0);
  });

  test('nor at login on macOS, which reports it itself', async () => {
    app.loginItem = { openAtLogin: true, wasOpenedAtLogin: true };
    await raise({ platform: 'darwin' }, unchosen);
    await pass();
    expect(desktop.windows.size).toBe(0);
    app.loginItem = { openAtLogin: false };
  });
});
