import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractAll, extractFile, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { LinuxPackager } from 'electron-builder';
import { LinuxTargetHelper } from 'app-builder-lib/out/targets/LinuxTargetHelper.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pack } from '../../build/package/pack.ts';
import { writeStandIn } from '../../build/package/stand-in.ts';

// Packs what `npm run build` made around a stand-in for Electron, and reads back the result.
const root = join(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'curfew-package-'));
const packed = join(work, 'out/linux-unpacked');
const archive = join(packed, 'resources/app.asar');
const manifest = z
  .object({ version: z.string(), devDependencies: z.object({ electron: z.string() }) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/** As the AppImage and the deb get it; a folder alone gets none. */
let desktopFile = '';

/** Not in the checkout's package.json: npm would pack it with the command line. */
const main = 'build/out/shell/main.js';

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(folder, file)).isFile());

beforeAll(async () => {
  const electronFolder = join(work, 'electron');
  const electronVersion = manifest.devDependencies.electron;
  writeStandIn(electronFolder, electronVersion);
  await pack({
    what: 'folder',
    electronVersion,
    electronFolder,
    release: null,
    output: join(work, 'out'),
    onPacked: async ({ packager }) => {
      if (!(packager instanceof LinuxPackager)) return;
      desktopFile = await new LinuxTargetHelper(packager).computeDesktopEntry(packager.platformSpecificBuildOptions);
    },
  });
});

afterAll(() => rmSync(work, { recursive: true, force: true }));

describe.runIf(process.platform === 'linux')('the packed app', () => {
  const inside = (): readonly string[] => listPackage(archive, { isPack: false }).map((file) => file.slice(1));

  test('starts with the file that its package.json names, and holds all that was built for it', () => {
    expect(inside()).toContain(main);
    for (const part of ['shell', 'preload', 'renderer']) {
      const built = filesBelow(join(root, 'build/out', part)).filter((file) => !file.endsWith('.map'));
      expect(built.length).toBeGreaterThan(0);
      expect(inside()).toEqual(expect.arrayContaining(built.map((file) => `build/out/${part}/${file}`)));
    }
  });

  test('contains nothing else: no sources, tests, command line or other packages', () => {
    const allowed =
      /^(package\.json|LICENSE|build\/(out\/(shell|preload|renderer)|icons\/tray)\/.+|node_modules\/(koffi|@koromix|ps-list)\/.+)$/u;
    const folders = new Set(
      inside().flatMap((file) => file.split('/').map((_, end, parts) => parts.slice(0, end).join('/'))),
    );
    expect(inside().filter((file) => !folders.has(file) && !allowed.test(file))).toEqual([]);
    expect(inside().filter((file) => file.endsWith('.map'))).toEqual([]);
  });

  test('reports its own version', () => {
    const packedManifest: unknown = JSON.parse(extractFile(archive, 'package.json').toString('utf8'));
    expect(packedManifest).toMatchObject({ name: 'curfew', version: manifest.version, main });
  });

  test("keeps koffi's binary outside of the archive, where the system can load it", () => {
    const binary = filesBelow(join(packed, 'resources/app.asar.unpacked')).filter((file) => file.endsWith('.node'));
    expect(binary).toContain(`node_modules/@koromix/koffi-linux-${process.arch}/linux_${process.arch}/koffi.node`);
  });

  test('holds all of koffi that is loaded: it calls the C library from there', () => {
    const unpacked = join(work, 'unpacked');
    extractAll(archive, unpacked);
    const program = `import koffi from 'koffi'; console.log(koffi.load(null).func('int getpid()')() === process.pid);`;
    writeFileSync(join(unpacked, 'call.mjs'), program);
    const { stdout, stderr } = spawnSync(process.execPath, [join(unpacked, 'call.mjs')], { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: 'true\n', stderr: '' });
  });

  test('has unneeded fuses off', async () => {
    const wire = await getCurrentFuseWire(join(packed, 'curfew-app'));
    const off = [
      FuseV1Options.RunAsNode,
      FuseV1Options.EnableCookieEncryption,
      FuseV1Options.EnableNodeOptionsEnvironmentVariable,
      FuseV1Options.EnableNodeCliInspectArguments,
      FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
      FuseV1Options.GrantFileProtocolExtraPrivileges,
    ];
    const on = [
      FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
      FuseV1Options.OnlyLoadAppFromAsar,
      FuseV1Options.WasmTrapHandlers,
    ];
    for (const fuse of off) expect([fuse, wire[fuse]]).toEqual([fuse, FuseState.DISABLE]);
    for (const fuse of on) expect([fuse, wire[fuse]]).toEqual([fuse, FuseState.ENABLE]);
  });

  test('gets a desktop file that menus understand', () => {
    const lines = desktopFile.trim().split('\n');
    expect(lines[0]).toBe('[Desktop Entry]');
    const entries = new Map(lines.slice(1).map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]));
    // https://specifications.freedesktop.org/desktop-entry-spec/latest/recognized-keys.html
    expect(Object.fromEntries(entries)).toMatchObject({
      Type: 'Application',
      Name: 'Curfew',
      Terminal: 'false',
      Categories: 'Utility;',
      StartupWMClass: 'Curfew',
    });
    expect(entries.get('Exec')).toMatch(/curfew-app/u);
  });

  test('has every icon of the tray', () => {
    const icons = filesBelow(join(root, 'build/icons/tray'));
    expect(icons.length).toBeGreaterThan(0);
    expect(inside()).toEqual(expect.arrayContaining(icons.map((file) => `build/icons/tray/${file}`)));
  });

  test('has no updater: no configuration for it, and no program that makes requests', () => {
    expect(existsSync(join(packed, 'resources/app-update.yml'))).toBe(false);
    for (const file of inside().filter((name) => /^build\/out\/(shell|preload)\/.+js$/u.test(name)))
      expect(extractFile(archive, file).toString('utf8')).not.toMatch(/autoUpdater|electron-updater|checkForUpdates/u);
  });
});
