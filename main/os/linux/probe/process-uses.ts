import { readdirSync, readlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { kept } from '../../../../app/format/kept.ts';
import { baseName } from '../../../../app/paths/path.ts';
import { type ProcessRow, hasEnded } from '../../../../app/process/row.ts';
import { type AllUses, couldBeGit, isWithin, type Place, type ProcessUse } from '../../../../app/process/uses.ts';
import { opaque } from './parts-in-use.ts';
import { innerPidsIn } from '../proc/inner-pids.ts';
import { ProcReader, type Refusal, refusalOf } from '../proc/proc-reader.ts';
import { strangersMaps } from '../proc/owner.ts';
import { isStranger, payerOf } from '../proc/strangers.ts';

const textBytes = 16_777_216;
/** Longer ones no process can use (path_resolution(7)). */
const maxPathLength = 4096;
/** Of chains of parents at most this many are followed. */
const maxAbove = 64;

interface Mount {
  readonly point: string;
  /** `major:minor:` and the mounted folder in its file system. */
  readonly root: Place;
  /** The folders that an overlay lies over. */
  readonly layers: readonly string[];
  readonly isIdmapped: boolean;
  readonly isWritten: boolean;
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/gu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/**
 * Returns the mounts in the text of /proc/PID/mountinfo (proc_pid_mountinfo(5): id, parent, device,
 * root, mount point, options), the last first: it covers those before. `idmapped`: a user of its
 * processes is another one on the disk (mount_setattr(2)).
 */
export const mountsIn = (text: string): readonly Mount[] =>
  text
    .split('\n')
    .flatMap((line): Mount[] => {
      const [, , device, root, point, options] = line.split(' ');
      if (device === undefined || root === undefined || point === undefined) return [];
      const has = options?.split(',') ?? [];
      const overlay = / - overlay \S+ (?<options>\S+)$/u.exec(line)?.groups?.['options'] ?? '';
      const layers = [...overlay.matchAll(/(?:^|,)(?:lowerdir\+?|upperdir)=(?<paths>[^,]*)/gu)];
      const [isIdmapped, isWritten] = [has.includes('idmapped'), !has.includes('ro')];
      return [
        {
          point: unescaped(point),
          root: `${device}:${unescaped(root)}`,
          layers: layers.flatMap(({ groups }) => unescaped(groups?.['paths'] ?? '').split(':')),
          isIdmapped,
          isWritten,
        },
      ];
    })
    .toReversed();

/** Mounts one below the other that are looked at for a path. */
const maxOver = 8;

interface OnMount {
  readonly mount: Mount;
  /** The rest of the path. */
  readonly rest: string;
}

const byPoint = new WeakMap<readonly Mount[], ReadonlyMap<string, Mount>>();

/**
 * Returns the mounts on which a path may lie, that on top first; none for what is no path. Any user
 * can have 100,000 mounts, and as many words that look like paths as a command line holds.
 */
const mountsOver = (mounts: readonly Mount[], path: string): readonly OnMount[] => {
  if (!path.startsWith('/') || path.length > maxPathLength) return [];
  const known = kept(byPoint, mounts, () => new Map(mounts.toReversed().map((mount) => [mount.point, mount])));
  const found: OnMount[] = [];
  for (let point = path; ; point = point.slice(0, point.lastIndexOf('/'))) {
    const mount = known.get(point === '' ? '/' : point);
    if (mount !== undefined) found.push({ mount, rest: path.slice(point.length) });
    if (point === '' || found.length === maxOver) return found;
  }
};

const placeOn = ({ mount, rest }: OnMount): Place => {
  const root = mount.root.endsWith('/') ? mount.root.slice(0, -1) : mount.root;
  return rest === '' || rest === '/' ? mount.root : root + rest;
};

/** Returns the place of a path by these mounts; null for what is no path, as a pipe. */
const placeIn = (mounts: readonly Mount[], path: string): Place | null => {
  const [found] = mountsOver(mounts, path);
  return found === undefined ? null : placeOn(found);
};

/**
 * Returns the places that the kernel may mean by a path of what a process uses: also below what was
 * mounted over it since, and of a file that it had from another root as that is seen here.
 */
const placesOf = (path: string, ...views: readonly (readonly Mount[])[]): readonly Place[] =>
  views.flatMap((mounts) => mountsOver(mounts, path).map(placeOn));

/** Returns what of these file systems lies under a path on an overlay. */
const placesUnder = (mounts: readonly Mount[], path: string, own: readonly Mount[]): readonly Place[] => {
  const [on] = mountsOver(mounts, path);
  return (on?.mount.layers ?? []).flatMap((layer) => placeIn(own, layer + (on?.rest ?? '')) ?? []);
};

/**
 * Returns what is mounted and written where the root is another one than here. What holds the home
 * and more is given to services (all of `/home` to those of snap), which work elsewhere.
 */
export const mountedElsewhere = (mounts: readonly Mount[], own: readonly Mount[], home: string): readonly Place[] => {
  if (placeIn(mounts, '/') === placeIn(own, '/')) return [];
  const place = placeIn(own, home) ?? '';
  return mounts
    .filter(({ root, isWritten }) => isWritten && (root === place || !isWithin(place, root)))
    .map(({ root }) => root);
};

/** Options and variables by which git works elsewhere than in its folder (git(1)). */
const elsewhereWord = /^(?:-C|--git-dir|--work-tree|--namespace|--super-prefix)|\.\.(?:\/|$)/u;
const elsewhereVariable = /(?:^|\0)GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY)=/u;

class UsesReader {
  readonly #reader = new ProcReader();
  readonly #mounts = new Map<string, readonly Mount[] | null>();
  /** Bytes that mounts of a user's processes took, by user. */
  readonly #mountBytes = new Map<number | null, number>();
  readonly #mostMountBytes: number;
  #refusal: Refusal | null = null;

  constructor(mostMountBytes: number) {
    this.#mostMountBytes = mostMountBytes;
  }

  /** A refusal counts where the kernel denied it; what ended meanwhile uses nothing. */
  #note(refusal: Refusal): null {
    if (this.#refusal !== 'denied') this.#refusal = refusal;
    return null;
  }

  #wasDenied(): boolean {
    return this.#refusal === 'denied';
  }

  #link(path: string): string | null {
    try {
      return readlinkSync(path).replace(/ \(deleted\)$/u, '');
    } catch (error) {
      return this.#note(refusalOf(error, path));
    }
  }

  #text(path: string): string | null {
    const text = this.#reader.readText(path, textBytes);
    if (text === null) return this.#note(this.#reader.refusal);
    return text.length >= textBytes ? this.#note('denied') : Buffer.from(text, 'latin1').toString('utf8');
  }

  /**
   * The mounts that a process sees, read once for each mount namespace; null: not known. Which
   * namespace another user's process is in can't be read, so of each user but root so much is read.
   */
  mountsOf(pid: number | 'self', uid: number | null): readonly Mount[] | null {
    const namespace = this.#link(`/proc/${pid}/ns/mnt`);
    const known = namespace === null ? undefined : this.#mounts.get(namespace);
    if (known !== undefined) return known;
    const mounts = this.#readMounts(pid, uid === 0 || pid === 'self' ? 0 : payerOf(uid));
    if (namespace !== null) this.#mounts.set(namespace, mounts);
    return mounts;
  }

  #readMounts(pid: number | 'self', payer: number | null): readonly Mount[] | null {
    const spent = this.#mountBytes.get(payer) ?? 0;
    if (payer !== 0 && spent >= this.#mostMountBytes) return this.#note('denied');
    const text = this.#text(`/proc/${pid}/mountinfo`);
    this.#mountBytes.set(payer, spent + (text?.length ?? textBytes));
    return text === null ? null : mountsIn(text);
  }

  /** Only the links are read: a file system may let the reader of a file itself wait for ever. */
  #openFiles(pid: number): readonly string[] {
    const folder = `/proc/${pid}/fd`;
    try {
      return readdirSync(folder).flatMap((number) => this.#link(`${folder}/${number}`) ?? []);
    } catch (error) {
      this.#note(refusalOf(error, folder));
      return [];
    }
  }

  #mapped(pid: number): readonly string[] {
    const text = strangersMaps(pid) ?? this.#text(`/proc/${pid}/maps`) ?? '';
    const paths = [...text.matchAll(/^\S+ \S+ \S+ \S+ \d+ +(?<path>\/.*)$/gmu)].map(({ groups }) =>
      (groups?.['path'] ?? '').replace(/ \(deleted\)$/u, ''),
    );
    return [...new Set(paths)];
  }

  of(row: ProcessRow, startedUs: boolean): ProcessUse {
    this.#refusal = null;
    const { pid } = row;
    // What started Curfew names what Curfew is asked about.
    const argv = startedUs ? row.argv.slice(0, 1) : row.argv;
    const seen = this.mountsOf(pid, row.uid);
    const [mounts, own] = [seen ?? [], this.mountsOf('self', null) ?? []];
    const [cwd, executable] = [this.#link(`/proc/${pid}/cwd`), this.#link(`/proc/${pid}/exe`)];
    const words = argv.flatMap((word) => [word, ...word.split('=').slice(1)]).filter((word) => word.startsWith('/'));
    const names = [row.comm, baseName(argv[0] ?? ''), baseName(executable ?? '')];
    const all = [cwd, executable, ...this.#openFiles(pid), ...this.#mapped(pid), ...words];
    const isElsewhere = couldBeGit({ names }) && this.#pointsElsewhere(row);
    return {
      pid,
      inner: innerPidsIn(this.#text(`/proc/${pid}/status`) ?? ''),
      uid: row.uid,
      names,
      stopped: row.state === 'T' || row.state === 't',
      cwd: cwd === null ? null : placeIn(mounts, cwd),
      places: [
        ...new Set([
          ...all.flatMap((path) => (path === null ? [] : placesOf(path, ...(mounts === own ? [] : [mounts]), own))),
          ...(cwd === null ? [] : placesUnder(mounts, cwd, own)),
        ]),
      ],
      pointsElsewhere: isElsewhere,
      denied: this.#wasDenied() && !opaque.has(row.comm),
      mounted: seen === null ? null : mountedElsewhere(mounts, own, homedir()),
      writesAsOthers: mounts.length === 0 || mounts.some(({ isIdmapped }) => isIdmapped),
    };
  }

  /** Asked only of what could be git. Of the environment only these names are looked for. */
  #pointsElsewhere({ pid, uid, argv }: ProcessRow): boolean {
    if (argv.some((word) => elsewhereWord.test(word))) return true;
    if (isStranger(uid)) return true;
    const environment = this.#text(`/proc/${pid}/environ`);
    return environment === null || elsewhereVariable.test(environment);
  }
}

const aboveUs = (rows: readonly ProcessRow[]): ReadonlySet<number> => {
  const byPid = new Map<number, ProcessRow>(rows.map((row) => [row.pid, row]));
  const above = new Set<number>();
  for (let pid = process.ppid; byPid.has(pid) && above.size < maxAbove && !above.has(pid);) {
    above.add(pid);
    pid = byPid.get(pid)?.ppid ?? 0;
  }
  return above;
};

/**
 * Returns what all living processes use. A process that ends meanwhile is left out of what it no
 * longer uses; one that can't be looked into says so.
 * @throws ProcessTableUnreadable
 */
export const processUses = (rows: Iterable<ProcessRow>, mostMountBytes = textBytes): AllUses => {
  const reader = new UsesReader(mostMountBytes);
  const own = reader.mountsOf('self', null) ?? [];
  const all = [...rows];
  const above = aboveUs(all);
  const living = all.filter((row) => !row.kernelThread && !hasEnded(row) && row.pid !== process.pid);
  return { uses: living.map((row) => reader.of(row, above.has(row.pid))), placeOf: (path) => placeIn(own, path) };
};
