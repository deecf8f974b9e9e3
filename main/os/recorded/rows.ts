import { utf8Of } from './utf8.ts';
import type { ControlGroups, MarkerEnvironment, MemberFacts, OpenFile } from '../../../app/process/facts.ts';
import { asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { RemoteHead } from '../../../app/remote/head.ts';
import { argumentsOf, commandLineBytes } from '../linux/proc/command-texts.ts';
import {
  blockedReadingIn,
  controlGroupsIn,
  countSockets,
  holdsLock,
  ioBytesIn,
  ioCountsIn,
  readsPipeIn,
} from '../linux/facts/member-facts.ts';
import type { BuildProcess } from '../linux/facts/shared-by-name.ts';
import { inodeOf } from '../linux/proc/boot.ts';
import { imageName, rowOfStat } from '../linux/proc/row-reader.ts';
import { readStat, StatFields } from '../linux/proc/stat.ts';
import { maxOpenFiles } from '../files/held-file.ts';
import type { ObservedProcess } from './observed-process.ts';
import { psRow, psStartTicksIn } from './ps-way.ts';

/** Start ticks from a stat file's text, or from what ps prints for `lstart`; null: none. */
export const startTicksIn = (stat: string): number | null => {
  const told = psStartTicksIn(stat);
  if (told !== null) return told;
  const bytes = Buffer.from(stat, 'latin1');
  const fields = new StatFields();
  return readStat(bytes, bytes.length, fields) ? fields.startTicks : null;
};

/** The row of a process as its own machine described it; null when that is no process. */
export const remoteRow = (process: ObservedProcess, head: RemoteHead): ProcessRow | null => {
  if (head.way === 'ps') return psRow(process);
  const bytes = Buffer.from(process.stat ?? '', 'latin1');
  const fields = new StatFields();
  if (!readStat(bytes, bytes.length, fields)) return null;
  if (!String(process.stat).startsWith(`${process.pid} (`)) return null;
  const text = process.arguments.map((argument) => `${argument}\0`).join('');
  const cut = text.length > commandLineBytes;
  const ended = fields.state === 'Z' || fields.state === 'X';
  const comm = bytes.toString('utf8', fields.nameStart, fields.nameEnd);
  const argv = ended ? [] : argumentsOf(utf8Of(cut ? text.slice(0, commandLineBytes) : text), cut);
  const units = { ticksPerSecond: head.ticks, pageBytes: head.page };
  return rowOfStat(fields, units, { pid: asPid(process.pid), uid: process.uid, comm, argv });
};

/** A value longer than this is no marker. */
const maxValueLength = 4_096;

/**
 * The allow-listed variables of a process; null when its environment could not be read or was
 * written over. The first of a name counts, as for getenv.
 */
export const remoteEnvironment = (process: ObservedProcess, names: ReadonlySet<string>): MarkerEnvironment | null => {
  if (!process.environmentReadable || process.rewritten) return null;
  const found: Record<string, string> = {};
  for (const entry of process.environment) {
    const at = entry.indexOf('=');
    const name = entry.slice(0, at);
    if (at <= 0 || !names.has(name) || Object.hasOwn(found, name) || entry.length - at > maxValueLength) continue;
    found[name] = utf8Of(entry.slice(at + 1));
  }
  return found;
};

/** Its open files, in order of number; null when none could be seen, which proves nothing. */
export const remoteFiles = (process: ObservedProcess): readonly OpenFile[] | null => {
  const files: OpenFile[] = [];
  for (const [name, link] of process.links)
    if (name.startsWith('fd/')) files.push({ fd: Number(name.slice(3)), ...link });
  return files.length === 0 ? null : files.toSorted((one, other) => one.fd - other.fd).slice(0, maxOpenFiles);
};

/** What stat line and environment say of its image, see `MemberFacts`. ps tells neither. */
const imageFacts = (process: ObservedProcess, head: RemoteHead): Pick<MemberFacts, 'hidden' | 'image'> => {
  const bytes = Buffer.from(process.stat ?? '', 'latin1');
  const fields = new StatFields();
  if (head.way === 'ps' || !readStat(bytes, bytes.length, fields)) return {};
  const image = imageName(fields);
  // Without memory it has ended.
  if (fields.rssPages === 0) return {};
  if (!process.environmentReadable) return { hidden: 'refused', ...(image === null ? {} : { image }) };
  // In the middle of an exec there is no environment yet.
  if (image === null) return { hidden: 'rewritten' };
  return process.rewritten ? { hidden: 'rewritten', image } : { image };
};

const architectures: Readonly<Partial<Record<string, NodeJS.Architecture>>> = { x86_64: 'x64', aarch64: 'arm64' };

/** Returns the control groups of a process; null: not told. */
export const remoteControlGroups = (process: ObservedProcess | null): ControlGroups | null =>
  process === null || process.cgroup === null ? null : controlGroupsIn(utf8Of(process.cgroup));

/** What an answer tells of the machine, for the facts of one process. */
export interface RemoteSurroundings {
  readonly head: RemoteHead;
  /** Ports by inode of the socket. */
  readonly listening: ReadonlyMap<string, number>;
  /** The allow-list of environment variables. */
  readonly names: ReadonlySet<string>;
  /** The process and those above it, see `readsPipeIn`. */
  readonly above: () => Iterable<BuildProcess>;
}

/** What is known of a member of a job. */
export const remoteFacts = (
  process: ObservedProcess,
  { head, listening, names, above }: RemoteSurroundings,
): MemberFacts => {
  const files = remoteFiles(process);
  const locked = (files ?? []).filter(({ fd }) => holdsLock(process.locks.get(fd) ?? ''));
  const cwd = process.links.get('cwd');
  const architecture = architectures[head.machine];
  const ioCounts = process.io === null ? null : ioCountsIn(process.io);
  return {
    environment: remoteEnvironment(process, names),
    cwd: cwd?.target ?? null,
    cwdDeleted: cwd?.deleted ?? false,
    executable: process.links.get('exe')?.target ?? null,
    openFiles: files,
    cgroups: remoteControlGroups(process),
    pidNamespace: inodeOf(process.links.get('ns/pid')?.target ?? ''),
    ioBytes: process.io === null ? null : ioBytesIn(process.io),
    ...(ioCounts === null ? {} : { ioCounts }),
    ...countSockets(files ?? [], () => listening),
    ...readsPipeIn(
      process.wchan,
      files ?? [],
      ({ fd }) => process.pipes.has(fd) && process.access.get(fd) !== 'write',
      above,
    ),
    blockedReading: architecture === undefined ? null : blockedReadingIn(process.syscall, architecture),
    ...imageFacts(process, head),
    ...(process.tracer === null ? {} : { tracer: process.tracer }),
    locks: [...new Set(locked.map(({ target }) => target))].filter((path) => path.startsWith('/')),
  };
};
