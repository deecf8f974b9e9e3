import { messageOf } from '../../../../app/format/error-message.ts';
import { loadKoffi, type KoffiMissing } from '../../native/koffi.ts';
import {
  ntStatus,
  type FileKind,
  type Handle,
  type PortTable,
  type SystemAnswer,
  type TopWindow,
  type WindowsKernel,
} from './kernel.ts';
import { isProcessId } from './process-rows.ts';

type Native = (...args: readonly unknown[]) => number;

const ownProcess = -1;
const tokenQuery = 8;
const duplicateSameAccess = 2;
const closeMessage = 0x10;
const ended = 0;
const timedOut = 0x102;
const noMoreRoom = 122;
const maxPortBytes = 1 << 24;
const maxPathUnits = 32_768;
/** The longest name of a class of windows, with its end. */
const maxClassUnits = 257;

/** Table class and address family of the tables with owners: all of TCP, and UDP. */
const portTables: Readonly<Record<PortTable, readonly [protocol: 'tcp' | 'udp', family: number, kind: number]>> = {
  tcp4: ['tcp', 2, 5],
  tcp6: ['tcp', 23, 5],
  udp4: ['udp', 2, 1],
  udp6: ['udp', 23, 1],
};

/** Answers of GetFileType. */
const fileKinds: readonly FileKind[] = ['unknown', 'disk', 'device', 'pipe'];

const unsigned = (status: number): number => status >>> 0;

/** Binds the calls, or says why not. Only seen in Wine 8; `selfCheck` proves it on each machine. */
export const openKoffiKernel = (): WindowsKernel | KoffiMissing => {
  if (process.platform !== 'win32') return { reason: 'only used on Windows' };
  const koffi = loadKoffi();
  if ('reason' in koffi) return koffi;
  try {
    const libraries = new Map<string, ReturnType<typeof koffi.load>>();
    const bind = (library: string, result: string, name: string, ...parameters: readonly unknown[]): Native => {
      let loaded = libraries.get(library);
      if (loaded === undefined) libraries.set(library, (loaded = koffi.load(`${library}.dll`)));
      return loaded.func('__stdcall', name, result, parameters as never) as Native;
    };
    const bytes = 'void *';
    const out32 = koffi.out(koffi.pointer('uint32'));
    const out64 = koffi.out(koffi.pointer('uint64'));
    const outHandle = koffi.out(koffi.pointer('int64'));
    const inout32 = koffi.inout(koffi.pointer('uint32'));
    const querySystem = bind('ntdll', 'int32', 'NtQuerySystemInformation', 'int32', bytes, 'uint32', out32);
    const queryProcess = bind('ntdll', 'int32', 'NtQueryInformationProcess', 'int64', 'int32', bytes, 'uint32', out32);
    const openProcess = bind('ntdll', 'int32', 'NtOpenProcess', outHandle, 'uint32', bytes, bytes);
    const readMemory = bind('ntdll', 'int32', 'NtReadVirtualMemory', 'int64', 'uint64', bytes, 'uint64', out64);
    const terminate = bind('ntdll', 'int32', 'NtTerminateProcess', 'int64', 'int32');
    const close = bind('kernel32', 'int', 'CloseHandle', 'int64');
    const wait = bind('kernel32', 'uint32', 'WaitForSingleObject', 'int64', 'uint32');
    const duplicate = bind(
      'kernel32',
      'int',
      'DuplicateHandle',
      'int64',
      'int64',
      'int64',
      outHandle,
      'uint32',
      'int',
      'uint32',
    );
    const fileType = bind('kernel32', 'uint32', 'GetFileType', 'int64');
    const finalPath = bind('kernel32', 'uint32', 'GetFinalPathNameByHandleW', 'int64', bytes, 'uint32', 'uint32');
    const openToken = bind('advapi32', 'int', 'OpenProcessToken', 'int64', 'uint32', outHandle);
    const queryToken = bind('advapi32', 'int', 'GetTokenInformation', 'int64', 'int32', bytes, 'uint32', out32);
    const portsOf = (name: string) =>
      bind('iphlpapi', 'uint32', name, bytes, inout32, 'int', 'uint32', 'int', 'uint32');
    const tcpTable = portsOf('GetExtendedTcpTable');
    const udpTable = portsOf('GetExtendedUdpTable');
    const unbiased = bind('kernel32', 'int', 'QueryUnbiasedInterruptTime', out64);
    const each = koffi.proto('int __stdcall CurfewEachWindow(int64 window, int64 more)');
    const enumerate = bind('user32', 'int', 'EnumWindows', koffi.pointer(each), 'int64');
    const ownerOf = bind('user32', 'uint32', 'GetWindowThreadProcessId', 'int64', out32);
    const isVisible = bind('user32', 'int', 'IsWindowVisible', 'int64');
    const classOf = bind('user32', 'int', 'GetClassNameW', 'int64', bytes, 'int');
    const post = bind('user32', 'int', 'PostMessageW', 'int64', 'uint32', 'uint64', 'int64');

    const className = Buffer.alloc(maxClassUnits * 2);
    const pidOf = (window: number): number => {
      const pid = [0];
      return ownerOf(window, pid) === 0 ? 0 : (pid[0] ?? 0);
    };

    let room = Buffer.allocUnsafeSlow(1 << 19);
    const roomFor = (size: number): Buffer => {
      if (room.length < size) room = Buffer.allocUnsafeSlow(size);
      return room;
    };
    const answer = (status: number, length: number): SystemAnswer => ({
      status: unsigned(status),
      bytes: room.subarray(0, unsigned(status) === ntStatus.success ? Math.min(length, room.length) : 0),
      address: koffi.address(room),
    });
    const filled = [0];
    const critical = ((): Native | null => {
      try {
        return bind('kernel32', 'int', 'IsProcessCritical', 'int64', out32);
      } catch {
        return null;
      }
    })();
    const withToken = <Result>(handle: Handle, use: (token: number) => Result): Result | null => {
      const token = [0];
      if (openToken(handle, tokenQuery, token) === 0) return null;
      try {
        return use(token[0] ?? 0);
      } finally {
        close(token[0]);
      }
    };

    return {
      system: (informationClass, size) =>
        answer(querySystem(informationClass, roomFor(size), size, filled), filled[0] ?? 0),
      open: (pid, access) => {
        if (!isProcessId(pid)) return { status: ntStatus.invalidParameter, handle: 0 };
        const handle = [0];
        const attributes = Buffer.alloc(48);
        attributes.writeUInt32LE(attributes.length, 0);
        const client = Buffer.alloc(16);
        client.writeBigUInt64LE(BigInt(pid), 0);
        const status = unsigned(openProcess(handle, access, attributes, client));
        return { status, handle: handle[0] ?? 0 };
      },
      close: (handle) => void close(handle),
      process: (handle, informationClass, size) => {
        filled[0] = 0;
        const status = queryProcess(handle, informationClass, roomFor(size), size, filled);
        return answer(status, filled[0] === 0 ? size : (filled[0] ?? size));
      },
      isCritical: (handle) => {
        const flag = [0];
        if (critical === null) return undefined;
        return critical(handle, flag) === 0 ? null : flag[0] !== 0;
      },
      memory: (handle, address, size) => {
        const found = Buffer.alloc(size);
        const got = [0];
        const status = unsigned(readMemory(handle, address, found, size, got));
        return status === ntStatus.success && Number(got[0]) === size ? found : null;
      },
      token: (handle, informationClass) =>
        withToken(handle, (token) => {
          const found = Buffer.alloc(256);
          const got = [0];
          return queryToken(token, informationClass, found, found.length, got) === 0
            ? null
            : found.subarray(0, got[0] ?? 0);
        }),
      terminate: (handle) => unsigned(terminate(handle, 1)),
      wait: (handle, ms) => {
        const result = wait(handle, ms);
        return result === ended ? 'ended' : result === timedOut ? 'lives' : 'unknown';
      },
      ports: (table) => {
        const [protocol, family, kind] = portTables[table];
        const call = protocol === 'tcp' ? tcpTable : udpTable;
        const size = [1 << 16];
        // The table may grow between two calls.
        for (let tries = 0; tries < 8; tries += 1) {
          const found = Buffer.alloc(Math.min(size[0] ?? 0, maxPortBytes));
          size[0] = found.length;
          const error = call(found, size, 0, family, kind, 0);
          if (error === 0) return found;
          if (error !== noMoreRoom || (size[0] ?? 0) > maxPortBytes) return null;
          size[0] = (size[0] ?? 0) + 4_096;
        }
        return null;
      },
      windows: () => {
        const found: TopWindow[] = [];
        const callback = koffi.register((window: number) => {
          const length = classOf(window, className, maxClassUnits);
          const kind = length > 0 ? className.toString('utf16le', 0, length * 2) : '';
          found.push({ window, pid: pidOf(window), visible: isVisible(window) !== 0, kind });
          return 1;
        }, koffi.pointer(each));
        try {
          return enumerate(callback, 0) === 0 && found.length === 0 ? null : found;
        } finally {
          koffi.unregister(callback);
        }
      },
      closeWindow: (window, pid) => pidOf(window) === pid && post(window, closeMessage, 0, 0) !== 0,
      filePath: (handle, file) => {
        const copy = [0];
        if (duplicate(handle, Number(BigInt.asIntN(64, file)), ownProcess, copy, 0, 0, duplicateSameAccess) === 0)
          return null;
        try {
          const kind = fileKinds[fileType(copy[0])] ?? 'unknown';
          if (kind !== 'disk') return { path: null, kind };
          const found = Buffer.alloc(maxPathUnits * 2);
          const length = finalPath(copy[0], found, maxPathUnits, 0);
          return length === 0 || length > maxPathUnits
            ? null
            : { path: found.toString('utf16le', 0, length * 2), kind };
        } finally {
          close(copy[0]);
        }
      },
      awakeMs: () => {
        const awake = [0];
        return unbiased(awake) === 0 ? null : Number(awake[0]) / 10_000;
      },
    };
  } catch (error) {
    return { reason: messageOf(error) };
  }
};
