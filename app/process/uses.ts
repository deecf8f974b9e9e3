/**
 * A file or folder by its file system and its path in that: the same wherever it is mounted, also
 * in another mount namespace. `8:1:/home/me/shop`.
 */
export type Place = string;

/** What one living process uses of the file systems. */
export interface ProcessUse {
  readonly pid: number;
  /** Its pids in namespaces of its own (a container): what runs there names it so. */
  readonly inner: readonly number[];
  readonly uid: number | null;
  /** What it may be called: the kernel's name, its program file, its first word. */
  readonly names: readonly string[];
  /** Stopped by a signal or a tracer. */
  readonly stopped: boolean;
  /** Its working folder; null: it could not be read. */
  readonly cwd: Place | null;
  /** Its folder, program, open and mapped files, and absolute paths in its command line. */
  readonly places: readonly Place[];
  /** Its words or environment say that it works elsewhere than in its folder, or may. */
  readonly pointsElsewhere: boolean;
  /** A part of it could not be read. */
  readonly denied: boolean;
  /** It has a file system on which it writes as another user, or may: of a container. */
  readonly writesAsOthers: boolean;
  /**
   * What is mounted for it and written, where it sees another root than Curfew, as a container;
   * null: not known.
   */
  readonly mounted: readonly Place[] | null;
}

/** What all processes that can be seen use. */
export interface AllUses {
  readonly uses: readonly ProcessUse[];
  /** Returns the place of a path as this process sees it; null: not known. */
  readonly placeOf: (path: string) => Place | null;
}

/** Returns whether a place is a folder's own or lies below it. */
export const isWithin = (place: Place, folder: Place): boolean =>
  place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** Programs that lock or start git: git by any name, and others that write to its folder. */
const gitNames = /^(?:\.?git.*|scalar|jj|gix|ein|lazygit|tig)$/u;

/**
 * Programs that may have a git inside which closes a lock and keeps it: GitPython does so with
 * `config.lock` (`LockFile` in git/util.py), JGit with each.
 */
const insideNames = /^(?:python|pypy|java|eclipse)/u;

/** Returns whether a process may have a git inside and uses something in these folders. */
export const mayLockInside = ({ names, places }: ProcessUse, roots: readonly Place[]): boolean =>
  names.some((name) => insideNames.test(name)) && places.some((place) => roots.some((root) => isWithin(place, root)));

/** Returns whether a process could be git, by any of its names. */
export const couldBeGit = ({ names }: Pick<ProcessUse, 'names'>): boolean => names.some((name) => gitNames.test(name));

/**
 * Returns whether a process may be at work in a repository or below these folders: also one that
 * can't be looked into, or whose words lead it elsewhere.
 */
export const mayWorkIn = ({ cwd, places, denied, pointsElsewhere }: ProcessUse, roots: readonly Place[]): boolean =>
  denied ||
  cwd === null ||
  pointsElsewhere ||
  roots.some((root) => isWithin(root, cwd) || places.some((place) => isWithin(place, root)));

/** Returns whether a container that can't be looked into has a folder, or a part, to write in. */
export const mayBeMounted = ({ uses }: AllUses, folder: Place): boolean =>
  uses.some(
    ({ denied, mounted }) => denied && (mounted?.some((one) => isWithin(one, folder) || isWithin(folder, one)) ?? true),
  );

/** Returns the processes that use a folder or anything in it. */
export const usersOf = ({ uses }: AllUses, folder: Place): readonly number[] =>
  uses.filter(({ places }) => places.some((place) => isWithin(place, folder))).map(({ pid }) => pid);
