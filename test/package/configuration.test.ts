import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { DebugLogger } from 'builder-util';
import type { Configuration } from 'electron-builder';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { installerOf } from '../../build/release/description.ts';
import { releaseConfiguration, releaseFrom } from '../../build/package/release.ts';

/** What electron-builder reads on its own. */
const configuration = parse(
  readFileSync(join(import.meta.dirname, '../../electron-builder.yml'), 'utf8'),
) as Configuration;

// electron-builder's own schema, which needs no download: https://www.electron.build/configuration
describe('the configuration of the packages', () => {
  test('is valid for all installers', async () => {
    await expect(validateConfiguration(configuration, new DebugLogger(false))).resolves.toBeUndefined();
  });

  test.each([
    ['an unknown key', { ...configuration, linux: { ...configuration.linux, tagret: 'deb' } }],
    ['a wrong value', { ...configuration, nsis: { oneClick: 'no' } }],
  ])('would be refused with %s', async (_name, wrong) => {
    await expect(validateConfiguration(wrong as typeof configuration, new DebugLogger(false))).rejects.toThrow(
      /configuration/iu,
    );
  });

  test('removes the start at login on Windows, under the name that the app sets', () => {
    const include = String(configuration.nsis?.include);
    const script = readFileSync(join(import.meta.dirname, '../..', include), 'utf8');
    expect(script.match(/DeleteRegValue HKCU "[^"]+Run" "\$\{APP_ID\}"/gu)).toHaveLength(2);
    const shell = readFileSync(join(import.meta.dirname, '../../main/shell/main.ts'), 'utf8');
    expect(shell).toContain(`app.setAppUserModelId('${configuration.appId}')`);
    // And the class by which Windows calls the app, which Electron registers.
    const activations = join(import.meta.dirname, '../../main/shell/notifications/activations.ts');
    const clsid = /toastActivator = '(?<clsid>\{[^']+\})'/u.exec(readFileSync(activations, 'utf8'))?.groups?.['clsid'];
    expect(script).toContain(`DeleteRegKey HKCU "Software\\Classes\\CLSID\\${clsid ?? '-'}"`);
    expect(configuration.nsis).toMatchObject({
      shortcutName: configuration.productName,
      createStartMenuShortcut: true,
    });
  });

  test('builds before it packs, and sets the fuses after it, so that one command is enough', () => {
    for (const hook of [configuration.beforePack, configuration.afterPack])
      expect(existsSync(join(import.meta.dirname, '../..', String(hook)))).toBe(true);
  });

  test('calls the files of a release as its description does', () => {
    expect(configuration.deb?.packageName).not.toBe('curfew');
    const version = '1.2.3';
    const name = String(configuration.nsis?.artifactName).replace('${version}', version).replace('${ext}', 'exe');
    expect(name).toBe(installerOf({ version }));
  });

  test('names an installer for each platform', () => {
    expect(configuration.linux?.target).toEqual(['AppImage', 'deb']);
    expect(configuration.mac).toMatchObject({
      target: ['dmg', 'zip'],
      // Signed ad hoc; only alerts have buttons on macOS.
      identity: '-',
      extendInfo: { LSUIElement: true, NSAppSleepDisabled: true, NSUserNotificationAlertStyle: 'alert' },
    });
    expect(configuration.win?.target).toEqual(['nsis']);
  });
});

describe('automatic updates', () => {
  const release = { owner: 'me', repo: 'curfew' };

  test('are off: nothing is published, and no target is guessed', () => {
    expect(configuration.publish).toBeNull();
    for (const platform of [configuration.linux, configuration.mac, configuration.win])
      expect(platform).not.toHaveProperty('publish');
    expect(releaseFrom({})).toBeNull();
    expect(releaseFrom({ CURFEW_SIGNED_RELEASE: '', GH_TOKEN: 'x' })).toBeNull();
  });

  test('are ready behind one switch, which makes nothing without a signature', async () => {
    expect(releaseFrom({ CURFEW_SIGNED_RELEASE: 'me/curfew' })).toEqual(release);
    const signed = { ...configuration, ...releaseConfiguration(release) };
    expect(signed).toMatchObject({
      forceCodeSigning: true,
      publish: { provider: 'github', ...release },
      mac: { identity: '' },
    });
    await expect(validateConfiguration(signed, new DebugLogger(false))).resolves.toBeUndefined();
  });

  test.each(['yes', 'me/', '/curfew', 'https://github.com/me/curfew', 'me/curfew/x', 'me /curfew'])(
    'are not switched on by %j',
    (text) => {
      expect(() => releaseFrom({ CURFEW_SIGNED_RELEASE: text })).toThrow('owner/repo');
    },
  );
});
