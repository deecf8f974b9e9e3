import { expect, test } from 'vitest';
import { cannotStart, whyNoDesktop } from '../../../build/scripts/desktop.ts';

test('a window needs a display and a user other than root; a Mac at the desk has one', () => {
  const user = { platform: 'linux', uid: 1000 } as const;
  expect(whyNoDesktop({ ...user, environment: {} })).toBe('there is no display');
  expect(whyNoDesktop({ ...user, environment: { DISPLAY: '' } })).toBe('there is no display');
  expect(whyNoDesktop({ ...user, environment: { DISPLAY: ':0' } })).toBeNull();
  expect(whyNoDesktop({ ...user, environment: { WAYLAND_DISPLAY: 'wayland-0' } })).toBeNull();
  expect(whyNoDesktop({ ...user, uid: 0, environment: { DISPLAY: ':0' } })).toContain('root');
  expect(whyNoDesktop({ platform: 'darwin', uid: 501, environment: {} })).toBeNull();
  expect(whyNoDesktop({ platform: 'darwin', uid: 501, environment: { SSH_CONNECTION: 'x' } })).toContain('SSH');
  expect(whyNoDesktop({ platform: 'win32', uid: null, environment: {} })).toBeNull();
});

test('an Electron that could not start is distinguished from one that ran', () => {
  for (const status of [126, 127, 133, 134]) expect(cannotStart(status)).not.toBeNull();
  for (const status of [0, 1, 3, 130, 143, null]) expect(cannotStart(status)).toBeNull();
});
