import { say } from '../../../../app/text/say.ts';
import { ProcessTableUnreadable } from '../../processes/source.ts';
import { kernelPid, ntStatus, systemClass, type WindowsKernel } from './kernel.ts';
import { processRow } from './layouts.ts';
import { ticksOf } from '../../processes/file-time.ts';

export interface KernelRow {
  readonly pid: number;
  /** As recorded at its start: Windows never changes it, and hands the number out again. */
  readonly parent: number;
  readonly startTicks: number;
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly session: number;
  /** The file name of its program; empty for parts of the kernel. */
  readonly image: string;
  /** It has no thread any more: it has ended, and is only held open. */
  readonly ended: boolean;
}

export interface KernelRows {
  readonly rows: readonly KernelRow[];
  readonly unread: number;
}

/** Pids are multiples of 4; the kernel rounds others down. */
export const isProcessId = (pid: number): boolean => Number.isSafeInteger(pid) && pid > 0 && pid % 4 === 0;

/** 100 ns in a millisecond. */
const perMs = 10_000n;

/** Returns the row that starts at `at`; null where it can't be one. Never throws. */
const rowAt = (bytes: Buffer, at: number, address: bigint): KernelRow | null => {
  const pid = bytes.readBigUInt64LE(at + processRow.pid);
  const parent = bytes.readBigUInt64LE(at + processRow.parent);
  if (pid > 0xffff_fffcn || parent > 0xffff_ffffn) return null;
  if (!isProcessId(Number(pid))) return null;
  const startTicks = ticksOf(bytes.readBigUInt64LE(at + processRow.created));
  // A part of the kernel has no start on some versions: see `isOfKernel`.
  if (startTicks === null) return null;
  const nameBytes = bytes.readUInt16LE(at + processRow.nameBytes);
  const nameAt = bytes.readBigUInt64LE(at + processRow.name) - address;
  if (nameBytes > 0 && (nameAt < 0n || nameAt + BigInt(nameBytes) > BigInt(bytes.length) || nameBytes % 2 !== 0))
    return null;
  const cpu = bytes.readBigUInt64LE(at + processRow.user) + bytes.readBigUInt64LE(at + processRow.kernel);
  const rssBytes = Number(bytes.readBigUInt64LE(at + processRow.workingSet));
  return {
    pid: Number(pid),
    parent: Number(parent),
    startTicks,
    cpuMs: Number(cpu / perMs),
    rssBytes: Number.isSafeInteger(rssBytes) ? rssBytes : 0,
    session: bytes.readUInt32LE(at + processRow.session),
    image: nameBytes === 0 ? '' : bytes.toString('utf16le', Number(nameAt), Number(nameAt) + nameBytes),
    ended: bytes.readUInt32LE(at + processRow.threads) === 0,
  };
};

/**
 * The idle process, the kernel's own, or a part of it (Secure System, Registry): these have no
 * start on some versions ("The System/PID 4 process has no create time", volatility3).
 */
const isOfKernel = (bytes: Buffer, at: number): boolean => {
  const pid = bytes.readBigUInt64LE(at + processRow.pid);
  if (pid === 0n) return true;
  if (bytes.readBigUInt64LE(at + processRow.created) !== 0n) return false;
  return [pid, bytes.readBigUInt64LE(at + processRow.parent)].includes(BigInt(kernelPid));
};

/**
 * Returns the rows in what SystemProcessInformation gave. A row that can't be one, or a pid that
 * comes twice, is left out and counted; so is a chain that leads out of the bytes. The idle process
 * (pid 0) is no row. Never throws.
 * @param address where the bytes lie in memory
 */
export const rowsIn = (bytes: Buffer, address: bigint): KernelRows => {
  const rows = new Map<number, KernelRow>();
  const twice = new Set<number>();
  let unread = 0;
  for (let at = 0; ;) {
    if (at + processRow.size > bytes.length) {
      unread += 1;
      break;
    }
    const row = rowAt(bytes, at, address);
    if (row !== null && !rows.has(row.pid)) rows.set(row.pid, row);
    else if (row !== null || !isOfKernel(bytes, at)) {
      unread += 1;
      if (row !== null) twice.add(row.pid);
    }
    const next = bytes.readUInt32LE(at + processRow.next);
    if (next === 0) break;
    at += next;
  }
  for (const pid of twice) rows.delete(pid);
  return { rows: [...rows.values()], unread };
};

/** Bytes that a first look has room for, and the most that is ever asked for. */
const firstBytes = 1 << 19;
const maxBytes = 1 << 27;

/** Reads the process table with one call; the room that was enough is kept for the next time. */
export class TableReader {
  readonly #kernel: Pick<WindowsKernel, 'system'>;
  #room = firstBytes;

  constructor(kernel: Pick<WindowsKernel, 'system'>) {
    this.#kernel = kernel;
  }

  /** @throws ProcessTableUnreadable */
  read(): KernelRows {
    for (;;) {
      const { status, bytes, address } = this.#kernel.system(systemClass.processes, this.#room);
      if (status === ntStatus.success) return rowsIn(bytes, address);
      if (status !== ntStatus.lengthMismatch || this.#room >= maxBytes)
        throw new ProcessTableUnreadable(
          say('Windows did not give its process table (0x{status}).', { status: status.toString(16) }),
        );
      this.#room *= 2;
    }
  }
}
