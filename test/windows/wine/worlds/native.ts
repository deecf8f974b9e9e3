// The calls with which a world is set and judged, bound once. Nothing of Curfew's own reading is
// used: what judges it must not make its mistakes.
import { createRequire } from 'node:module';
import type * as Koffi from 'koffi';

/** A function of Windows; handles and addresses are numbers. */
export type Native = (...args: readonly unknown[]) => number;

/** Flags of CreateProcessW. */
export const createFlag = {
  suspended: 0x4,
  noConsole: 0x8,
  newGroup: 0x200,
  unicodeEnvironment: 0x400,
  extendedStartup: 0x80000,
  hiddenConsole: 0x8000000,
} as const;

/** Binds what a world needs. `beside` is a file beside which koffi for Windows is installed. */
export const bindWindows = (beside: string) => {
  const koffi = createRequire(beside)('koffi') as typeof Koffi;
  const kernel = koffi.load('kernel32.dll');
  const out32 = koffi.out(koffi.pointer('uint32'));
  const outHandle = koffi.out(koffi.pointer('int64'));
  const bind = (result: string, name: string, ...parameters: readonly unknown[]): Native =>
    kernel.func('__stdcall', name, result, parameters as never) as Native;
  const bytes = 'void *';
  return {
    address: (buffer: Buffer): bigint => koffi.address(buffer),
    create: bind('int', 'CreateProcessW', bytes, bytes, bytes, bytes, 'int', 'uint32', bytes, bytes, bytes, bytes),
    beginAttributes: bind(
      'int',
      'InitializeProcThreadAttributeList',
      bytes,
      'uint32',
      'uint32',
      koffi.inout(koffi.pointer('uint64')),
    ),
    addAttribute: bind('int', 'UpdateProcThreadAttribute', bytes, 'uint32', 'uint64', bytes, 'uint64', bytes, bytes),
    open: bind('int64', 'OpenProcess', 'uint32', 'int', 'uint32'),
    close: bind('int', 'CloseHandle', 'int64'),
    duplicate: bind('int', 'DuplicateHandle', 'int64', 'int64', 'int64', outHandle, 'uint32', 'int', 'uint32'),
    createFile: bind('int64', 'CreateFileW', 'str16', 'uint32', 'uint32', bytes, 'uint32', 'uint32', 'int64'),
    terminate: bind('int', 'TerminateProcess', 'int64', 'uint32'),
    wait: bind('uint32', 'WaitForSingleObject', 'int64', 'uint32'),
    times: bind('int', 'GetProcessTimes', 'int64', bytes, bytes, bytes, bytes),
    exitStatus: bind('int', 'GetExitCodeProcess', 'int64', out32),
    readMemory: bind('int', 'ReadProcessMemory', 'int64', 'uint64', bytes, 'uint64', bytes),
    writeMemory: bind('int', 'WriteProcessMemory', 'int64', 'uint64', bytes, 'uint64', bytes),
    reserve: bind('uint64', 'VirtualAllocEx', 'int64', 'uint64', 'uint64', 'uint32', 'uint32'),
    release: bind('int', 'VirtualFreeEx', 'int64', 'uint64', 'uint64', 'uint32'),
    remoteThread: bind('int64', 'CreateRemoteThread', 'int64', bytes, 'uint64', 'uint64', 'uint64', 'uint32', out32),
    thread: bind('int64', 'CreateThread', bytes, 'uint64', 'uint64', 'uint64', 'uint32', out32),
    module: bind('int64', 'GetModuleHandleW', 'str16'),
    procedure: bind('uint64', 'GetProcAddress', 'int64', 'str'),
    snapshot: bind('int64', 'CreateToolhelp32Snapshot', 'uint32', 'uint32'),
    firstProcess: bind('int', 'Process32FirstW', 'int64', bytes),
    nextProcess: bind('int', 'Process32NextW', 'int64', bytes),
    lastError: bind('uint32', 'GetLastError'),
  };
};

export type WindowsCalls = ReturnType<typeof bindWindows>;
