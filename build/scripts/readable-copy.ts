import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** What tests run or read as another user, from the root of the checkout. */
const parts = [
  'package.json',
  'app',
  'main',
  'build/out/cli',
  'build/out/renderer',
  'test/os',
  'node_modules/koffi',
  'node_modules/@koromix',
  'node_modules/ps-list',
];

const othersRead = 0o004;
const othersEnter = 0o001;

/** True where every user can enter a folder: one in `/root` or made under umask 077 can't be. */
export const canBeEntered = (folder: string): boolean =>
  (statSync(folder).mode & othersEnter) !== 0 && (folder === dirname(folder) || canBeEntered(dirname(folder)));

/** What a shell takes for one word, and leaves room in the 107 bytes of a socket's path. */
const plainName = /^[\w./-]{1,50}$/u;

/**
 * Returns where tests on processes keep their files: the user's TMPDIR, or /tmp where others can't
 * enter that, or its name is too long or too odd for the sockets and the command lines in tests.
 */
export const temporaryFolder = (usual: string): string =>
  plainName.test(usual) && canBeEntered(usual) ? usual : '/tmp';

const canBeRead = (path: string): boolean => canBeEntered(dirname(path)) && (statSync(path).mode & othersRead) !== 0;

const open = (path: string): void => {
  const status = lstatSync(path);
  if (status.isSymbolicLink()) return;
  chmodSync(path, status.mode | 0o444 | (status.isDirectory() || (status.mode & 0o100) !== 0 ? 0o111 : 0));
  if (status.isDirectory()) for (const name of readdirSync(path)) open(join(path, name));
};

/** A copy of the checkout's programs that every user of the machine can read. */
export interface ReadableCopy {
  readonly root: string;
  /** Holds `node`. */
  readonly programs: string;
  readonly remove: () => void;
}

/**
 * Returns a copy of what tests need as another user; null where the checkout itself can be read by
 * every user. It lies in /var/tmp: /tmp is each scene's own, and TMPDIR may be the user's alone.
 */
export const readableCopy = (checkout: string): ReadableCopy | null => {
  const node = join(checkout, 'node_modules/node/bin/node');
  const probes = ['package.json', 'main/cli', 'build/out/cli'].map((part) => join(checkout, part));
  if ([...probes, node].every((path) => !existsSync(path) || canBeRead(path))) return null;
  const root = mkdtempSync('/var/tmp/curfew-readable-');
  for (const part of parts)
    if (existsSync(join(checkout, part))) cpSync(join(checkout, part), join(root, part), { recursive: true });
  const programs = join(root, 'programs');
  mkdirSync(programs);
  cpSync(existsSync(node) ? node : process.execPath, join(programs, 'node'));
  open(root);
  return { root, programs, remove: () => rmSync(root, { recursive: true, force: true }) };
};
