import { lstatSync, statSync } from 'node:fs';
import type { IoCounts, MarkerEnvironment, MemberFacts, OpenFile } from '../../../../app/process/facts.ts';
import { pidNamespaceOf } from '../proc/boot.ts';
import { controlGroupsOf } from './control-groups.ts';
import { locksOf } from './locks.ts';
import { livingThreadOf, threadsOf } from '../proc/living-thread.ts';
import { openFilesOf, readLink } from '../proc/open-files.ts';
import type { DisplayReader } from '../sockets/displays.ts';
import type { SocketWorld } from '../sockets/socket-world.ts';
import { type ProcReader, refusalOf } from '../proc/proc-reader.ts';
import { socketInode, SocketTables } from '../sockets/sockets.ts';

/** Returns the bytes written through system calls (wchar) in the text of /proc/PID/io, or null. */
export const writtenBytesIn = (text: string): number | null => {
  const written = /^wchar: (\d+)$/m.exec(text)?.[1];
  return written === undefined ? null : Number(written);
};

/**
 * Returns the bytes read and written through system calls (rchar, wchar) in the text of
 * /proc/PID/io, or null.
 */
export const ioBytesIn = (text: string): number | null => {
  const read = /^rchar: (\d+)$/m.exec(text)?.[1];
  const written = writtenBytesIn(text);
  return read === undefined || written === null ? null : Number(read) + written;
};

/** Returns the counters of reads and writes in the text of /proc/PID/io, or null. */
export const ioCountsIn = (text: string): IoCounts | null => {
  const count = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  const [readBytes, writtenBytes, reads, writes] = [count('rchar'), count('wchar'), count('syscr'), count('syscw')];
  return Number.isNaN(readBytes + writtenBytes + reads + writes) ? null : { readBytes, writtenBytes, reads, writes };
};

/** The number of read(2): asm/unistd_64.h of x86, asm-generic/unistd.h of arm64. */
const readCall: Readonly<Partial<Record<NodeJS.Architecture, number>>> = { x64: 0, arm64: 63 };

/**
 * Returns the file descriptor that a process is blocked reading, from /proc/PID/syscall (number of
 * the system call and its arguments, `running` for none: proc_pid_syscall(5)); null if it waits for
 * something else or the text is missing.
 */
export const blockedReadingIn = (text: string | null, architecture: NodeJS.Architecture): number | null => {
  const [, call, fd] = /^(\d+) 0x([0-9a-f]{1,8}) /u.exec(text ?? '') ?? [];
  return call !== undefined && fd !== undefined && Number(call) === readCall[architecture]
    ? Number.parseInt(fd, 16)
    : null;
};

/**
 * Returns the tracer in the text of /proc/PID/status: none for `TracerPid: 0` or an unreadable
 * text. proc_pid_status(5)
 */
export const tracerIn = (text: string | null): Pick<MemberFacts, 'tracer'> => {
  const told = /^TracerPid:\s(\d+)$/mu.exec(text ?? '')?.[1];
  return told === undefined || told === '0' ? {} : { tracer: Number(told) };
};

/** Threads beyond these are not asked for their tracer. */
const maxThreads = 512;

/**
 * Returns the tracer of a process: a debugger may hold any one of its threads.
 * @throws ProcessTableUnreadable
 */
const tracerOf = (reader: ProcReader, pid: number): Pick<MemberFacts, 'tracer'> => {
  for (const thread of threadsOf(pid).slice(0, maxThreads)) {
    const found = tracerIn(reader.readText(`/proc/${pid}/task/${thread}/status`, 4_096));
    if (found.tracer !== undefined) return found;
  }
  return {};
};

/** Returns the ports on which a process listens, and how many other sockets it has. */
export const countSockets = (
  files: readonly OpenFile[],
  listening: () => ReadonlyMap<string, number>,
): Pick<MemberFacts, 'ports' | 'sockets'> => {
  const inodes = new Set(files.map(({ target }) => socketInode(target)).filter((inode) => inode !== null));
  if (inodes.size === 0) return { ports: [], sockets: 0 };
  const table = listening();
  const ports = [...inodes].map((inode) => table.get(inode)).filter((port) => port !== undefined);
  return { ports: [...new Set(ports)].toSorted((a, b) => a - b), sockets: inodes.size - ports.length };
};

/** Returns the paths on which a process listens. */
export const listensOf = (
  files: readonly OpenFile[],
  paths: () => ReadonlyMap<string, string>,
): Pick<MemberFacts, 'listens'> => {
  const inodes = files.flatMap(({ target }) => socketInode(target) ?? []);
  const found = inodes.length === 0 ? [] : inodes.flatMap((inode) => paths().get(inode) ?? []);
  return found.length === 0 ? {} : { listens: found };
};

/** Open files of a process that are looked at for named pipes. */
const maxAsPipes = 64;
/** The link of a descriptor has the rights that the file was opened with. proc_pid_fd(5) */
const mayRead = 0o400;

/** The parts of one build count their work by it. https://www.gnu.org/software/make (jobserver) */
const buildPipe = /\/GMfifo\d+$/u;

/** Returns the named pipes from which a process reads: any program may write to them. */
const readPipesOf = (pid: number, files: readonly OpenFile[]): readonly string[] =>
  files
    .filter(({ fd, target }) => fd !== 1 && fd !== 2 && target.startsWith('/') && !target.startsWith('/dev/'))
    .filter(({ target }) => !buildPipe.test(target))
    .slice(0, maxAsPipes)
    .flatMap(({ fd, target }) => {
      const path = `/proc/${pid}/fd/${fd}`;
      try {
        return statSync(path).isFIFO() && (lstatSync(path).mode & mayRead) !== 0 ? [target] : [];
      } catch (error) {
        // It has closed it, or has ended.
        refusalOf(error, path);
        return [];
      }
    });

/**
 * Reads facts about single processes during one scan; tables of the machine are read at most once.
 */
export class MemberFactsReader {
  readonly #reader: ProcReader;
  readonly #sockets: SocketTables;
  readonly #displays: { readonly reader: DisplayReader; readonly world: SocketWorld };

  /** @param displays finds the displays a process is connected to; the world is this scan's */
  constructor(reader: ProcReader, displays: { readonly reader: DisplayReader; readonly world: SocketWorld }) {
    this.#reader = reader;
    this.#sockets = new SocketTables(reader);
    this.#displays = displays;
  }

  /**
   * Reads everything about one process but its environment, which the caller has. `forwardsTo` is
   * the port to which it forwards according to its command line, or null.
   * @throws ProcessTableUnreadable
   */
  read(pid: number, environment: MarkerEnvironment | null, forwardsTo: number | null = null): MemberFacts {
    const files = openFilesOf(pid);
    const executable = readLink(`/proc/${pid}/exe`)?.target ?? null;
    // A first thread that has ended has no program any more; the others have.
    const folder = (executable === null ? livingThreadOf(pid) : null) ?? `/proc/${pid}`;
    const cwd = readLink(`${folder}/cwd`);
    const io = this.#reader.readText(`/proc/${pid}/io`, 4_096);
    const ioCounts = io === null ? null : ioCountsIn(io);
    return {
      environment,
      cwd: cwd?.target ?? null,
      cwdDeleted: cwd?.deleted ?? false,
      executable: executable ?? readLink(`${folder}/exe`)?.target ?? null,
      openFiles: files,
      cgroups: controlGroupsOf(this.#reader, pid),
      pidNamespace: pidNamespaceOf(pid),
      ioBytes: io === null ? null : ioBytesIn(io),
      ...(ioCounts === null ? {} : { ioCounts }),
      ...countSockets(files ?? [], () => this.#sockets.listening(pid)),
      ...this.#listens(pid, files ?? []),
      blockedReading: blockedReadingIn(this.#reader.readText(`/proc/${pid}/syscall`, 256), process.arch),
      locks: locksOf(this.#reader, pid, files ?? []),
      displays: this.#displays.reader.read(pid, files ?? [], this.#displays.world),
      ...this.#forwards(pid, forwardsTo),
      ...tracerOf(this.#reader, pid),
    };
  }

  #listens(pid: number, files: readonly OpenFile[]): Pick<MemberFacts, 'listens'> {
    const { listens = [] } = listensOf(files, () => this.#displays.world.listeningPaths(pid));
    const all = [...listens, ...readPipesOf(pid, files)];
    return all.length === 0 ? {} : { listens: all };
  }

  #forwards(pid: number, port: number | null): Pick<MemberFacts, 'forwards'> {
    // An unreadable table looks empty and proves nothing.
    if (port === null || this.#reader.readText(`/proc/${pid}/net/tcp`, 1) === null) return {};
    const isAnswered = [...this.#sockets.listening(pid).values()].includes(port);
    return { forwards: isAnswered ? 'answered' : 'unanswered' };
  }
}
