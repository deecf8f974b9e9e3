import type { MarkerEnvironment } from '../../../app/process/facts.ts';
import { loadKoffi } from '../native/koffi.ts';
import type { MarkerNames } from '../processes/environ.ts';
import { markersIn } from '../processes/environ.ts';

/** Arguments and environment of a process as it was started. */
export interface ProcessArguments {
  readonly argv: readonly string[];
  /** Null: hidden. Every process has one. */
  readonly environment: MarkerEnvironment | null;
}

/** sysctl(CTL_KERN, KERN_PROCARGS2, pid): numbers of Apple's sys/sysctl.h. */
const ctlKern = 1;
const kernProcargs2 = 49;

/** ARG_MAX of macOS: the upper bound of what a process can be given. */
const maxAreaBytes = 1_048_576;

/**
 * Parses KERN_PROCARGS2: argc (32 bits), the path of the executable, NULs up to the next text, then
 * argc arguments and the environment, each ended by NUL (adv_cmds/ps/print.c describes it). The
 * kernel leaves out the environment of the system's own programs. Null when the bytes have another
 * form.
 */
export const processArgumentsIn = (bytes: Buffer, length: number, names: MarkerNames): ProcessArguments | null => {
  if (length < 5) return null;
  const count = bytes.readInt32LE(0);
  let at = bytes.indexOf(0, 4);
  if (count < 0 || at === -1 || at >= length) return null;
  while (at < length && bytes[at] === 0) at++;
  const argv: string[] = [];
  for (let i = 0; i < count; i++) {
    const end = bytes.indexOf(0, at);
    if (end === -1 || end >= length) return null;
    argv.push(bytes.toString('utf8', at, end));
    at = end + 1;
  }
  // The environment ends with an empty entry; the kernel's notes to the loader follow.
  let end = at;
  while (end < length && bytes[end] !== 0) {
    const next = bytes.indexOf(0, end);
    end = next === -1 || next >= length ? length : next + 1;
  }
  return { argv, environment: end === at ? null : markersIn(bytes, at, end, names, false) };
};

/** Reads arguments and environment of a process of the same user; null when the kernel refuses. */
export type ReadProcessArguments = (pid: number) => ProcessArguments | null;

/** What only a system call reports; null where it can't be made. */
export interface DarwinCalls {
  readonly readArguments: ReadProcessArguments | null;
  /** Returns the kernel session of a process, or null. */
  readonly sessionOf: ((pid: number) => number | null) | null;
}

/**
 * Binds the calls through koffi. Written from Apple's documentation; `readArguments` has not been
 * run on macOS yet.
 */
export const openDarwinCalls = (names: MarkerNames): DarwinCalls => {
  const koffi = loadKoffi();
  if ('reason' in koffi) return { readArguments: null, sessionOf: null };
  const library = koffi.load(null);
  const getsid = library.func('getsid', 'int', ['int']) as (pid: number) => number;
  const sessionOf = (pid: number): number | null => {
    const session = getsid(pid);
    return session >= 0 ? session : null;
  };
  if (process.platform !== 'darwin') return { readArguments: null, sessionOf };
  const sysctl = library.func('sysctl', 'int', ['void *', 'uint', 'void *', 'void *', 'void *', 'size_t']) as (
    name: Int32Array,
    nameLength: number,
    old: Buffer,
    oldLength: BigUint64Array,
    fresh: null,
    freshLength: number,
  ) => number;
  const area = Buffer.allocUnsafeSlow(maxAreaBytes);
  return {
    sessionOf,
    readArguments: (pid) => {
      const length = new BigUint64Array([BigInt(area.length)]);
      const name = new Int32Array([ctlKern, kernProcargs2, pid]);
      return sysctl(name, name.length, area, length, null, 0) === 0
        ? processArgumentsIn(area, Number(length[0]), names)
        : null;
    },
  };
};
