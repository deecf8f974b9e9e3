import { endianness } from 'node:os';
import { messageOf } from '../../../app/format/error-message.ts';
import { loadKoffi } from '../native/koffi.ts';

/**
 * What holds the processes of one run: a control group (version 2), or a job object of Windows.
 * Every process started in it stays in it, however it forks, and all can be killed at once.
 */
export interface Enclosure {
  readonly path: string;
  /** How records name it; left out: a control group with its path. */
  readonly what?: string;
  /**
   * Moves this process in, runs `work`, and moves it out again, so that what `work` starts begins
   * inside. If it can't get in, `work` runs all the same.
   */
  during<Result>(work: () => Result): Result;
  /** Returns all pids inside, including sub-groups; null when it can't be read. */
  pids(): readonly number[] | null;
  /**
   * Kills all processes inside at once, faster than any fork (Linux 5.14). False when the kernel
   * refused.
   */
  kill(): boolean;
  /**
   * Whether the kernel ends what is inside when this process ends. Absent where it never does.
   */
  endsWithUs?(ends: boolean): void;
  /** Whether no process may start inside any more. Absent where `kill` outruns every fork. */
  seal?(sealed: boolean): void;
  /**
   * Moves every process inside to the group in which this one was made. A process that the kernel
   * refuses to move stays.
   */
  moveOut(): void;
  /** Removes the group and its sub-groups; false while a process is inside. */
  remove(): boolean;
}

/** Tells the service manager that started this process how it is, see sd_notify(3). */
export interface ServiceManager {
  /** One assignment a line: `READY=1`, `WATCHDOG=1`. False: it could not be told. */
  readonly tell: (state: string) => boolean;
}

export interface NotTold {
  readonly reason: string;
}

const unixFamily = 1;
/** SOCK_DGRAM, SOCK_NONBLOCK, SOCK_CLOEXEC (include/linux/net.h). */
const datagrams = 0o2 | 0o4_000 | 0o2_000_000;
/** MSG_NOSIGNAL. */
const noSignal = 0x40_00;
/** sizeof(sun_path), unix(7). */
const maxPath = 108;

/** Returns a sockaddr_un (unix(7)); an `@` at its beginning stands for the abstract namespace. */
const addressOf = (path: string): Buffer => {
  const name = Buffer.from(path.startsWith('@') ? `\0${path.slice(1)}` : path);
  if (name.length >= maxPath) throw new Error(`the path of its socket is longer than ${maxPath} bytes`);
  const family = Buffer.alloc(2);
  if (endianness() === 'LE') family.writeUInt16LE(unixFamily);
  else family.writeUInt16BE(unixFamily);
  return Buffer.concat([family, name]);
};

/**
 * Opens the way to the service manager that `NOTIFY_SOCKET` names; null where none wants to know.
 * The message comes from this very process, so that the unit needs no more than
 * `NotifyAccess=main`: with `all`, whatever runs in the service's control group could speak for it.
 * No call waits. Never throws.
 */
export const openServiceManager = (
  environment: Readonly<Record<string, string | undefined>>,
): ServiceManager | NotTold | null => {
  const path = environment['NOTIFY_SOCKET'] ?? '';
  if (!/^[/@]/u.test(path)) return null;
  const koffi = loadKoffi();
  if ('reason' in koffi) return koffi;
  try {
    const address = addressOf(path);
    const library = koffi.load(null);
    const open = library.func('socket', 'int', ['int', 'int', 'int']) as (...call: readonly number[]) => number;
    const send = library.func('sendto', 'long', ['int', 'void *', 'ulong', 'int', 'void *', 'uint']) as (
      socket: number,
      text: Buffer,
      length: number,
      flags: number,
      to: Buffer,
      toLength: number,
    ) => number;
    const socket = open(unixFamily, datagrams, 0);
    if (socket === -1) return { reason: `no socket: error ${koffi.errno()}` };
    return {
      tell: (state) => {
        const text = Buffer.from(state);
        return send(socket, text, text.length, noSignal, address, address.length) === text.length;
      },
    };
  } catch (error) {
    return { reason: messageOf(error) };
  }
};
