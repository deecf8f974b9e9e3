import type { PipeEnd } from '../../../../app/diagnose/probe.ts';
import type { OpenFile } from '../../../../app/process/facts.ts';

/** Under /dev, too, are memory and files of programs: shm_overview(7). */
const memoryFolders = /^\/dev\/(?:shm|hugepages[^/]*)\//u;

/** Returns whether a path is that of a device, by which no process speaks with another one. */
export const isDevice = (path: string): boolean => path.startsWith('/dev/') && !memoryFolders.test(path);

/** A process that may have made the pipe of a build. */
export interface BuildProcess {
  /** Its comm: another process can't change it. */
  readonly name: string;
  readonly files: readonly OpenFile[];
  readonly access: (fd: number) => PipeEnd['access'] | null;
}

/** The parts of one build count their work by it. https://www.gnu.org/software/make (jobserver) */
const buildPipe = /\/GMfifo\d+$/u;
const makers: readonly string[] = ['make', 'gmake'];

/**
 * Returns whether a file is the pipe by which the parts of a build count their work. Any process of
 * the user can give a pipe its name; so a make has to be among the holder and those above it which
 * holds the same one, opened once for each direction, as make does (posixos.c, jobserver_setup).
 */
export const isPipeOfBuild = ({ target, deleted }: OpenFile, above: () => Iterable<BuildProcess>): boolean => {
  if (deleted || !buildPipe.test(target)) return false;
  for (const { name, files, access } of above()) {
    if (!makers.includes(name)) continue;
    const opened = files.filter((one) => one.target === target && !one.deleted).map(({ fd }) => access(fd));
    if (opened.includes('read') && opened.includes('write')) return true;
  }
  return false;
};

/**
 * The locks that all clients of podman share: none of them uses another by it.
 * https://github.com/containers/podman (libpod, DefaultSHMLockPath)
 */
const engineLocks = /^\/dev\/shm\/libpod(?:_rootless)?_lock(?:_\d+)?$/u;

/**
 * Returns whether memory holds the locks of podman. Any process of the user can give memory its
 * name; so its holder has to be podman, by its name and first argument, which it alone can change.
 * Without root it runs itself again as /proc/self/exe, which makes its name "exe".
 */
export const isEngineLock = (
  path: string,
  holder: () => { readonly comm: string; readonly argv: readonly string[] },
): boolean => {
  if (!engineLocks.test(path)) return false;
  const { comm, argv } = holder();
  return comm === 'podman' || (comm === 'exe' && /^(?:.*\/)?podman$/su.test(argv[0] ?? ''));
};
