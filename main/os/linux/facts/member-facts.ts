import { type BigIntStats, lstatSync, readlinkSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type {
  ControlGroups,
  IoCounts,
  MarkerEnvironment,
  MemberFacts,
  OpenFile,
} from '../../../../app/process/facts.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { mayHoldFile } from '../../files/held-readers.ts';
import { pidNamespaceOf } from '../proc/boot.ts';
import { livingThreadOf, threadsOf } from '../proc/living-thread.ts';
import { accessIn, openFilesOf, readLink } from '../proc/open-files.ts';
import { type ProcReader, statusField, unlessRefused } from '../proc/proc-reader.ts';
import type { DisplayReader } from '../sockets/displays.ts';
import type { SocketWorld } from '../sockets/socket-world.ts';
import { SocketTables, socketInode } from '../sockets/sockets.ts';
import { type BuildProcess, isDevice, isPipeOfBuild } from './shared-by-name.ts';

/**
 * Facts that others can change while the process itself does not run (its control group, its
 * tracer, a file that is removed) are read again within this number of scans: 90 seconds at 5
 * seconds between scans. Until then only what is shown can be old: whatever is announced or ended
 * is judged by fresh facts. With 6 scans a fifth of the processor time of an idle supervisor among
 * 50 jobs was this reading.
 */
const maxScans = 18;

interface Kept {
  readonly startTicks: number;
  /** See `RunMarks`, of a moment before the facts were read. */
  readonly mark: string;
  readonly scan: number;
  readonly fact: MemberFacts;
}

/** The facts about processes that have not run since they were read. */
export class KeptFacts {
  #kept: ReadonlyMap<number, Kept> = new Map();
  #next = new Map<number, Kept>();
  #scan = -1;

  /**
   * Returns the facts about a process of this scan; null where they must be read.
   * @param mark of the process now; null: not known
   */
  find({ pid, startTicks, state }: ProcessRow, mark: string | null, scan: number): MemberFacts | null {
    this.#turn(scan);
    const kept = this.#kept.get(pid);
    if (kept === undefined || mark === null || state === 'R') return null;
    if (kept.startTicks !== startTicks || kept.mark !== mark) return null;
    // Not all in the same scan.
    if (scan - kept.scan >= maxScans - (pid % 9)) return null;
    this.#next.set(pid, kept);
    return kept.fact;
  }

  /** Keeps facts that were read after the mark. */
  keep({ pid, startTicks }: ProcessRow, mark: string | null, scan: number, fact: MemberFacts): void {
    this.#turn(scan);
    if (mark !== null) this.#next.set(pid, { startTicks, mark, scan, fact });
  }

  /** With the first question of a scan, what the scan before did not ask for is forgotten. */
  #turn(scan: number): void {
    if (scan === this.#scan) return;
    this.#kept = this.#next;
    this.#next = new Map();
    this.#scan = scan;
  }
}

const same = (left: BigIntStats, right: BigIntStats): boolean => left.dev === right.dev && left.ino === right.ino;

const statOf = (path: string): BigIntStats | null => {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return null;
  }
};

/** The bit of a link in /proc/PID/fd that stands for a file opened for writing. proc_pid_fd(5) */
const opensForWriting = 0o200n;

const isOf = ({ uid }: BigIntStats, row: ProcessRow): boolean => row.uid !== null && uid === BigInt(row.uid);

const isWritten = (link: string): boolean => (lstatSync(link, { bigint: true }).mode & opensForWriting) !== 0n;

const holds = (row: ProcessRow, fd: number, path: string): boolean => {
  const link = `/proc/${row.pid}/fd/${fd}`;
  try {
    if (readlinkSync(link) !== path) return false;
    if (mayHoldFile(row.pid, fd)) return false;
    const named = lstatSync(path, { bigint: true });
    return named.isFile() && isOf(named, row) && isWritten(link) && same(statSync(link, { bigint: true }), named);
  } catch {
    return false;
  }
};

/**
 * The same of a file that was removed since (Claude Code removes that of a command in the
 * foreground). No path leads to it any more, so what holds it has inherited it. The kernel says
 * which entry of which folder it was, the device that it is that very folder.
 */
const holdsRemoved = (row: ProcessRow, fd: number, path: string): boolean => {
  const link = `/proc/${row.pid}/fd/${fd}`;
  try {
    if (readlinkSync(link) !== `${path} (deleted)` || mayHoldFile(row.pid, fd)) return false;
    const folder = lstatSync(dirname(path), { bigint: true });
    const file = statSync(link, { bigint: true });
    const isRemoved = file.isFile() && file.nlink === 0n && file.dev === folder.dev;
    return isRemoved && folder.isDirectory() && isOf(folder, row) && isOf(file, row) && isWritten(link);
  } catch {
    return false;
  }
};

/**
 * Returns whether a process has the file at this path open for writing as standard output or error,
 * by device and inode, and whether the path begins at one of the known bases. What can't be read is
 * no proof: false.
 * @param base the folder at which the path begins
 * @param orRemoved counts the file that was at this path and has been removed, too
 */
export const holdsOutput = (row: ProcessRow, path: string, base: string, orRemoved: boolean): boolean => {
  const found = statOf(base);
  if (found === null || !path.startsWith(`${base}/`)) return false;
  const isKnown = ['/tmp', tmpdir(), process.env['CLAUDE_CODE_TMPDIR']].some((one) => {
    const known = one === undefined || one === '' ? null : statOf(one);
    return known !== null && same(known, found);
  });
  return isKnown && [1, 2].some((fd) => holds(row, fd, path) || (orRemoved && holdsRemoved(row, fd, path)));
};

/** At most this many open files of a process are checked for locks. */
const maxFiles = 256;

/**
 * Returns whether the text of /proc/PID/fdinfo/FD reports a lock held through this descriptor:
 * "lock:\t1: FLOCK  ADVISORY  WRITE 359 00:13:11691 0 EOF".
 */
export const holdsLock = (fdinfo: string): boolean => /^lock:\t\d+: (FLOCK|POSIX|OFDLCK)\s/m.test(fdinfo);

/**
 * Returns the files that a process holds a lock on, through flock or fcntl. Reads /proc/PID/fdinfo
 * and not /proc/locks: a lock taken with flock belongs to every process that inherited the
 * descriptor, while /proc/locks names only the process that took it, and omits the lock once that
 * one has ended (seen on 6.18). About 10 microseconds per file. Never opens or stats the files.
 * @throws ProcessTableUnreadable
 */
const locksOf = (reader: ProcReader, pid: number, files: readonly OpenFile[]): readonly string[] => {
  const held = new Set<string>();
  let asked = 0;
  for (const { fd, target } of files) {
    if (!target.startsWith('/') || target.startsWith('/dev/') || held.has(target)) continue;
    if (++asked > maxFiles) break;
    const info = reader.readText(`/proc/${pid}/fdinfo/${fd}`, 4_096);
    if (info !== null && holdsLock(info)) held.add(target);
  }
  return [...held];
};

/**
 * Returns the control groups in the text of /proc/PID/cgroup, path by hierarchy: "0::/user.slice"
 * is the unified one (key ""), "4:memory:/a" the hierarchy "memory", "9:name=systemd:/b" the named
 * one. A path may contain colons. https://man7.org/linux/man-pages/man7/cgroups.7.html
 */
export const controlGroupsIn = (text: string): ControlGroups => {
  const groups: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const match = /^\d+:(?<hierarchy>[^:]*):(?<path>\/.*)$/s.exec(line)?.groups;
    if (match !== undefined) groups[match['hierarchy'] ?? ''] = match['path'] ?? '';
  }
  return groups;
};

/**
 * Returns the control groups of a process; null when they can't be read.
 * @throws ProcessTableUnreadable
 */
export const controlGroupsOf = (reader: ProcReader, pid: number | 'self'): ControlGroups | null => {
  const text = reader.readText(`/proc/${pid}/cgroup`, 65_536);
  return text === null ? null : controlGroupsIn(text);
};

/** Returns the bytes written through system calls (wchar) in the text of /proc/PID/io, or null. */
export const writtenBytesIn = (text: string): number | null => {
  const written = /^wchar: (\d+)$/m.exec(text)?.[1];
  return written === undefined ? null : Number(written);
};

/** Returns bytes moved by system calls (rchar, wchar) from the text of /proc/PID/io, or null. */
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

/** Returns a tracer from the text of /proc/PID/status: none for 0, or unreadable. */
export const tracerIn = (text: string | null): Pick<MemberFacts, 'tracer'> => {
  const told = Number(statusField(text ?? '', 'TracerPid'));
  return told > 0 ? { tracer: told } : {};
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

/** Where the opening of a named pipe waits for its other side; seen on 5.10 to 6.18. */
const opensPipe = /^(?:fifo_open|wait_for_partner)/u;

/** Open files of a process that are looked at for named pipes; what has more may read one. */
const maxAsPipes = 1_024;
/** The link of a descriptor has the rights that the file was opened with. proc_pid_fd(5) */
const mayRead = 0o400;

/**
 * Returns whether a process reads a named pipe, to which any program may write.
 * @param place the kernel's function that it sleeps in: a shell that opens the pipe for each line
 *   waits for a writer without holding it (wchan)
 * @param isReadPipe asked of files with a path that are none of its outputs
 * @param above the process, and then each one above it, asked for where a pipe is called as that of
 *   a build
 */
export const readsPipeIn = (
  place: string | null,
  files: readonly OpenFile[],
  isReadPipe: (file: OpenFile) => boolean,
  above: () => Iterable<BuildProcess>,
): Pick<MemberFacts, 'readsPipe'> => {
  const asked = files
    .filter(({ fd, target }) => fd !== 1 && fd !== 2 && target.startsWith('/') && !isDevice(target))
    .filter((file) => !isPipeOfBuild(file, above));
  const isReader = opensPipe.test(place ?? '') || asked.length > maxAsPipes || asked.some(isReadPipe);
  return isReader ? { readsPipe: true } : {};
};

const isReadPipeOf =
  (pid: number) =>
  ({ fd }: OpenFile): boolean => {
    const path = `/proc/${pid}/fd/${fd}`;
    // What can't be looked at may be one. Null: it has closed it, or has ended.
    if (mayHoldFile(pid, fd)) return true;
    return unlessRefused(path, () => statSync(path).isFIFO() && (lstatSync(path).mode & mayRead) !== 0) === true;
  };

/** Parents of a process that are asked for the pipe of a build. */
const maxAbove = 64;

/** A process and those above it, for `readsPipeIn`. */
function* buildProcesses(reader: ProcReader, pid: number): Generator<BuildProcess> {
  for (let at = pid, seen = 0; at > 0 && seen < maxAbove; seen++) {
    const folder = `/proc/${at}`;
    const status = reader.readText(`${folder}/status`, 4_096) ?? '';
    yield {
      name: statusField(status, 'Name') ?? '',
      files: openFilesOf(at) ?? [],
      access: (fd) => accessIn(reader.readText(`${folder}/fdinfo/${fd}`, 4_096) ?? ''),
    };
    at = Number(statusField(status, 'PPid') ?? 0);
  }
}

/** Reads single processes' facts in one scan; tables of the machine are read at most once. */
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
      ...listensOf(files ?? [], () => this.#displays.world.listeningPaths(pid)),
      ...readsPipeIn(this.#reader.readText(`/proc/${pid}/wchan`, 64), files ?? [], isReadPipeOf(pid), () =>
        buildProcesses(this.#reader, pid),
      ),
      blockedReading: blockedReadingIn(this.#reader.readText(`/proc/${pid}/syscall`, 256), process.arch),
      locks: locksOf(this.#reader, pid, files ?? []),
      displays: this.#displays.reader.read(pid, files ?? [], this.#displays.world),
      ...this.#forwards(pid, forwardsTo),
      ...tracerOf(this.#reader, pid),
    };
  }

  #forwards(pid: number, port: number | null): Pick<MemberFacts, 'forwards'> {
    // An unreadable table looks empty and proves nothing.
    if (port === null || this.#reader.readText(`/proc/${pid}/net/tcp`, 1) === null) return {};
    const isAnswered = [...this.#sockets.listening(pid).values()].includes(port);
    return { forwards: isAnswered ? 'answered' : 'unanswered' };
  }
}
