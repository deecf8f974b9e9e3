import { expect, test } from 'vitest';
import { busSocket } from '../../../build/scripts/session-bus.ts';
import { cannotStart, whyNoDesktop } from '../../../build/scripts/desktop.ts';

test('a window needs a display and a user other than root; a Mac at the desk has one', () => {
  const session = { tray: true, notifications: true };
  const user = { platform: 'linux', uid: 1000, session } as const;
  expect(whyNoDesktop({ ...user, environment: {} })).toBe('there is no display');
  expect(whyNoDesktop({ ...user, environment: { DISPLAY: '' } })).toBe('there is no display');
  expect(whyNoDesktop({ ...user, environment: { DISPLAY: ':0' } })).toBeNull();
  expect(whyNoDesktop({ ...user, environment: { WAYLAND_DISPLAY: 'wayland-0' } })).toBeNull();
  expect(whyNoDesktop({ ...user, uid: 0, environment: { DISPLAY: ':0' } })).toContain('root');
  expect(whyNoDesktop({ platform: 'darwin', uid: 501, session: null, environment: {} })).toBeNull();
  expect(whyNoDesktop({ platform: 'darwin', uid: 501, session: null, environment: { SSH_CONNECTION: 'x' } })).toContain(
    'SSH',
  );
  expect(whyNoDesktop({ platform: 'win32', uid: null, session: null, environment: {} })).toBeNull();
});

test('a tray app that the user could not see or hear is none', () => {
  const session = { tray: true, notifications: true };
  const on = { platform: 'linux', uid: 1000, environment: { DISPLAY: ':0' } } as const;
  const wsl = { DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0', WSL_DISTRO_NAME: 'Debian' };
  expect(whyNoDesktop({ ...on, session, environment: wsl })).toContain('WSL');
  expect(whyNoDesktop({ ...on, session: { ...session, tray: false } })).toContain('no tray icons');
  expect(whyNoDesktop({ ...on, session: { ...session, notifications: false } })).toContain('no notifications');
  expect(whyNoDesktop({ ...on, session: null })).not.toBeNull();
});

test('the socket of a session bus is read from its address', () => {
  expect(busSocket('unix:path=/run/user/1000/bus')).toBe('/run/user/1000/bus');
  expect(busSocket('tcp:host=localhost,port=1;unix:guid=00,path=/a%20b,x=y')).toBe('/a b');
  expect(busSocket('unix:abstract=/tmp/dbus-x,guid=00')).toBe('\0/tmp/dbus-x');
  for (const none of ['', 'unix:runtime=yes', 'autolaunch:']) expect(busSocket(none)).toBeNull();
});

test('an Electron that could not start is distinguished from one that ran', () => {
  for (const status of [126, 127, 133, 134]) expect(cannotStart(status)).not.toBeNull();
  for (const status of [0, 1, 3, 130, 143, null]) expect(cannotStart(status)).toBeNull();
});
