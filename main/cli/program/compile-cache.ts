import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { placesHere } from '../../store/places.ts';
import { keepCodeIn } from '../common/kept-code.ts';
import { isLedByAnother } from '../../os/files/owned-place.ts';
import { hasModes } from '../../os/this-system.ts';

/** Builds whose compiled code is kept: the installed one, the one in work, the next one. */
const maxBuilds = 3;

/** Commands that are called often, each with functions of its own. */
const often = ['scan', 'reap', 'watch'];

/** The names of builds: a time in ms, of 1972 to 2059. Other folders are not Curfew's. */
const buildName = /^[\da-z]{8}$/u;

/** Makes room for a folder of one more build. */
const dropOldest = (cache: string): void => {
  const builds = readdirSync(cache)
    .filter((name) => buildName.test(name))
    .map((name) => join(cache, name))
    .toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  for (const build of builds.slice(maxBuilds - 1)) rmSync(build, { recursive: true, force: true });
};

/**
 * Returns whether a folder belongs to the user alone. Windows's lists of rights are not read; a
 * user's profile is that user's alone.
 */
const isOwn = (folder: string): boolean => {
  if (!hasModes) {
    const profile = (process.env['USERPROFILE'] ?? '').toLowerCase();
    return profile !== '' && folder.toLowerCase().startsWith(`${profile}\\`);
  }
  const { uid, mode } = statSync(folder);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
};

/**
 * Makes Node keep compiled code in Curfew's state folder, and take it from there at the next start
 * (https://nodejs.org/api/module.html#module-compile-cache): compiling was a third of the processor
 * time of `curfew scan`.
 *
 * Compiled code is trusted as the program itself is, so the state folder, or the one of the user's
 * choice, must be there already, and belong to the user alone: with `sudo` and the user's HOME
 * nothing is read or written. Node checks what it reads against the source. A cache that can't be
 * kept is no problem of the command: then code is compiled.
 */
export const keepCompiled = (): void => {
  try {
    const { env: environment, argv } = process;
    if (environment['NODE_DISABLE_COMPILE_CACHE'] !== undefined) return;
    // What os.homedir() looks at first too; its module would cost 2 ms.
    const home = environment['HOME'] ?? process.getBuiltinModule('node:os').homedir();
    // The user's own cache (NODE_COMPILE_CACHE) is used already.
    const parent = getCompileCacheDir() ?? placesHere(home).state;
    if (!isOwn(parent) || isLedByAnother(parent)) return;
    const cache = join(parent, 'compile-cache');
    // Every build is a folder of its own, or the files of old ones would stay for ever. npm sets
    // the time of change of all files to one moment in 1985; the time of the inode is that of the
    // installation.
    const build = join(cache, Math.trunc(statSync(import.meta.filename).ctimeMs).toString(36));
    if (statSync(build, { throwIfNoEntry: false }) === undefined) {
      mkdirSync(cache, { recursive: true, mode: 0o700 });
      dropOldest(cache);
      mkdirSync(build, { mode: 0o700 });
    }
    if (!isOwn(build)) return;
    enableCompileCache(build);
    keepCodeIn(build, often.find((name) => name === argv[2]) ?? 'other');
  } catch {
    // No state folder yet, a full or read-only disk, or another start that makes the same folder.
  }
};
