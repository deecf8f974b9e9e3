import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Marks the fuses in the binary:
 * https://github.com/electron/electron/blob/v45.4.1/docs/tutorial/fuses.md#the-hard-way
 */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/**
 * Version of the fuse wire, its length, and nine fuses, all as Electron delivers them: `0` off, `1`
 * on.
 */
const wire = Buffer.concat([Buffer.from([1, 9]), Buffer.from('101100011', 'latin1')]);

/**
 * Writes a folder that electron-builder takes for a distribution of Electron for Linux: enough to
 * pack the app where Electron can't be downloaded, and to read back what was packed. It can't be
 * started. `default_app.asar` is left out, as electron-builder would remove it.
 */
export const writeStandIn = (folder: string, electronVersion: string): void => {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'locales'), { recursive: true });
  writeFileSync(join(folder, 'version'), `v${electronVersion}`);
  writeFileSync(join(folder, 'LICENSE'), 'A stand-in for Electron; see build/package/stand-in.ts.\n');
  writeFileSync(join(folder, 'LICENSES.chromium.html'), '');
  writeFileSync(join(folder, 'locales', 'en-US.pak'), '');
  const script =
    '#!/bin/sh\necho "This is a stand-in for Electron: it shows how Curfew is packed and starts nothing." >&2\nexit 1\n';
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from(`${script}# ${sentinel}`, 'latin1'), wire]));
  chmodSync(join(folder, 'electron'), 0o755);
};
