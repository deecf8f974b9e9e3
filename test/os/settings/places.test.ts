import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeSettingsPath, createPlaces, placesFor } from '../../../main/store/places.ts';
import { emptyFolder } from '../store/support.ts';

const on = (platform: NodeJS.Platform, environment: Readonly<Record<string, string>>, home: string) => {
  const { settings, history, lock, logs } = placesFor({ platform, environment, home, workingFolder: '/work' });
  return [settings, history, lock, logs];
};

describe('where the platform wants them', () => {
  test('Linux', () => {
    expect(on('linux', {}, '/home/me')).toEqual([
      '/home/me/.config/curfew/settings.json',
      '/home/me/.local/state/curfew/history.db',
      '/home/me/.local/state/curfew/supervisor.lock',
      '/home/me/.local/state/curfew/logs',
    ]);
    expect(on('linux', { XDG_CONFIG_HOME: '/etc/me', XDG_STATE_HOME: 'relative' }, '/home/me').slice(0, 2)).toEqual([
      '/etc/me/curfew/settings.json',
      '/home/me/.local/state/curfew/history.db',
    ]);
  });

  test('macOS', () => {
    expect(on('darwin', { XDG_CONFIG_HOME: '/x' }, '/Users/me')).toEqual([
      '/Users/me/Library/Application Support/Curfew/settings.json',
      '/Users/me/Library/Application Support/Curfew/history.db',
      '/Users/me/Library/Application Support/Curfew/supervisor.lock',
      '/Users/me/Library/Logs/Curfew',
    ]);
  });

  test('Windows', () => {
    expect(on('win32', { APPDATA: 'C:\\Users\\me\\AppData\\Roaming' }, 'C:\\Users\\me')).toEqual([
      'C:\\Users\\me\\AppData\\Roaming\\Curfew\\settings.json',
      'C:\\Users\\me\\AppData\\Local\\Curfew\\history.db',
      'C:\\Users\\me\\AppData\\Local\\Curfew\\supervisor.lock',
      'C:\\Users\\me\\AppData\\Local\\Curfew\\Logs',
    ]);
  });
});

test.each([
  ['/srv/curfew', '/srv/curfew'],
  ['here', '/work/here'],
  ['/srv/curfew/', '/srv/curfew'],
])('CURFEW_HOME=%s moves everything into one folder', (own, folder) => {
  const environment = { CURFEW_HOME: own, XDG_CONFIG_HOME: '/x' };
  const places = placesFor({ platform: 'linux', environment, home: '/home/me', workingFolder: '/work' });
  expect(
    Object.values<string>({ ...places }).filter((path) => path !== folder && !path.startsWith(`${folder}/`)),
  ).toEqual([]);
  expect(places.settings).toBe(`${folder}/settings.json`);
});

test('an empty CURFEW_HOME is none', () => {
  expect(on('linux', { CURFEW_HOME: '' }, '/home/me')[0]).toBe('/home/me/.config/curfew/settings.json');
});

test('the folders are made for the user alone, and those that are there are left as they are', () => {
  const home = emptyFolder();
  const places = placesFor({
    platform: 'linux',
    environment: { CURFEW_HOME: join(home, 'a/b') },
    home,
    workingFolder: '/',
  });
  createPlaces(places);
  createPlaces(places);
  expect([places.state, places.logs, places.runs].map((folder) => statSync(folder).mode & 0o777)).toEqual([
    0o700, 0o700, 0o700,
  ]);
});

test('Claude Code’s settings', () => {
  expect(claudeSettingsPath('/home/me')).toBe('/home/me/.claude/settings.json');
});
