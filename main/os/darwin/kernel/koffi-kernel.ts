import { messageOf } from '../../../../app/format/error-message.ts';
import { loadKoffi, type KoffiMissing } from '../../native/koffi.ts';
import { upSeconds } from '../common/clock.ts';
import type { DarwinKernel, KernelAnswer, KernelCall } from './kernel.ts';
import { bindWindows } from './windows.ts';

/** Has every function that is called. */
export const systemLibrary = '/usr/lib/libSystem.B.dylib';

/** The room that answers have at first; a larger one is made when it is asked for. */
const firstRoom = 1_048_580;

type Native = (...args: readonly unknown[]) => number;

/**
 * Binds the calls through koffi; returns why where that can't be. Written from Apple's headers and
 * not run on a Mac yet; `selfCheck` proves it on each machine.
 */
export const openKoffiKernel = (): DarwinKernel | KoffiMissing => {
  if (process.platform !== 'darwin') return { reason: 'only used on macOS' };
  const koffi = loadKoffi();
  if ('reason' in koffi) return koffi;
  try {
    const system = koffi.load(systemLibrary);
    const bind = (name: string, parameters: readonly string[]): Native =>
      system.func(name, 'int', [...parameters]) as Native;
    const pidinfo = bind('proc_pidinfo', ['int', 'int', 'uint64_t', 'void *', 'int']);
    const pidfdinfo = bind('proc_pidfdinfo', ['int', 'int', 'int', 'void *', 'int']);
    const pidpath = bind('proc_pidpath', ['int', 'void *', 'uint32_t']);
    const usage = bind('proc_pid_rusage', ['int', 'int', 'void *']);
    const csops = bind('csops', ['int', 'uint', 'void *', 'size_t']);
    const getsid = bind('getsid', ['int']);
    const sysctl = bind('sysctl', ['void *', 'uint', 'void *', 'void *', 'void *', 'size_t']);
    const byName = bind('sysctlbyname', ['str', 'void *', 'void *', 'void *', 'size_t']);
    let signal: Native | null = null;
    try {
      signal = bind('proc_signal_with_audittoken', ['void *', 'int']);
    } catch {
      // Before macOS 14.2.
    }
    let room = Buffer.allocUnsafeSlow(firstRoom);
    const roomFor = (size: number): Buffer => {
      if (room.length < size) room = Buffer.allocUnsafeSlow(size);
      return room;
    };
    let windows: ReturnType<typeof bindWindows> | null = null;
    const answer = (length: number, failed: boolean): KernelAnswer => ({
      bytes: room.subarray(0, failed ? 0 : length),
      errno: failed ? koffi.errno() || -1 : 0,
    });
    const noErrno = (): void => void koffi.errno(0);
    // A list of open files may rightly be empty: then only errno tells it from a failure.
    const counted = (length: number): KernelAnswer =>
      answer(length, length < 0 || (length === 0 && koffi.errno() !== 0));
    const calls: Readonly<
      Record<KernelCall, (pid: number, flavor: number, arg: number, size: number) => KernelAnswer>
    > = {
      info: (pid, flavor, arg, size) => counted(pidinfo(pid, flavor, arg, room, size)),
      file: (pid, flavor, fd, size) => counted(pidfdinfo(pid, fd, flavor, room, size)),
      path: (pid, _flavor, _arg, size) => counted(pidpath(pid, room, size)),
      usage: (pid, flavor, _arg, size) => answer(size, usage(pid, flavor, room) !== 0),
      signature: (pid, operation, _arg, size) => answer(size, csops(pid, operation, room, size) !== 0),
      session: (pid, _flavor, _arg, size) => {
        const session = getsid(pid);
        if (session >= 0) room.writeInt32LE(session, 0);
        return answer(size, session < 0);
      },
    };
    return {
      call: (name, pid, flavor, arg, size) => {
        roomFor(size);
        noErrno();
        return calls[name](pid, flavor, arg, size);
      },
      sysctl: (name, size) => {
        roomFor(size);
        noErrno();
        const length = new BigUint64Array([BigInt(size)]);
        const failed =
          typeof name === 'string'
            ? byName(name, room, length, null, 0)
            : sysctl(new Int32Array(name), name.length, room, length, null, 0);
        return answer(Number(length[0]), failed !== 0);
      },
      windows: (size) => {
        try {
          windows ??= bindWindows(koffi);
          const length = windows(roomFor(size).subarray(0, size));
          return { bytes: room.subarray(0, Math.max(0, length)), errno: length < 0 ? -1 : 0 };
        } catch {
          // Without the frameworks there is no list, and each program may show a window.
          return { bytes: room.subarray(0, 0), errno: -1 };
        }
      },
      upSeconds,
      signalByToken: signal === null ? null : (token, number) => signal(token, number),
    };
  } catch (error) {
    return { reason: messageOf(error) };
  }
};
