import { expect, test } from 'vitest';
import { whyNoBrowser } from '../../../main/os/programs/open-in-browser.ts';

test('a browser is opened at the desk only', () => {
  expect(whyNoBrowser('linux', { DISPLAY: ':0' })).toBeNull();
  expect(whyNoBrowser('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBeNull();
  expect(whyNoBrowser('linux', { WSL_DISTRO_NAME: 'Debian' })).toBeNull();
  expect(whyNoBrowser('darwin', {})).toBeNull();
  expect(whyNoBrowser('win32', {})).toBeNull();
  expect(whyNoBrowser('linux', {})).toBe('there is no display');
  expect(whyNoBrowser('linux', { DISPLAY: '' })).toBe('there is no display');
  for (const name of ['SSH_CONNECTION', 'SSH_TTY', 'CI', 'CODESPACES', 'REMOTE_CONTAINERS']) {
    expect(whyNoBrowser('linux', { DISPLAY: ':0', [name]: 'x' })).not.toBeNull();
    expect(whyNoBrowser('darwin', { [name]: 'x' })).not.toBeNull();
  }
});
