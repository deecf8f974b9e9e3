import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { DebugLogger } from 'builder-util';
import { describe, expect, test } from 'vitest';
import { configuration } from '../../build/package/configuration.ts';

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

  test('names an installer for each platform', () => {
    expect(configuration.linux?.target).toEqual(['AppImage', 'deb']);
    expect(configuration.mac).toMatchObject({ target: ['dmg', 'zip'], extendInfo: { LSUIElement: true } });
    expect(configuration.win?.target).toEqual(['nsis']);
  });
});
