/** What one call gave: `bytes` as far as the system filled them, `status` 0 where it succeeded. */
export interface SystemAnswer {
  /** NTSTATUS, as an unsigned number. */
  readonly status: number;
  /** Valid until the next call: decode it before. */
  readonly bytes: Buffer;
  /** Where `bytes` lies in memory: pointers into it are absolute. */
  readonly address: bigint;
}

export type Handle = number;

export interface TopWindow {
  readonly window: number;
  readonly pid: number;
  readonly visible: boolean;
  /** The name of its class; empty where it can't be told. */
  readonly kind: string;
}

/** What a file handle leads to: a file, a pipe or socket, or a device (a console, NUL). */
export type FileKind = 'disk' | 'pipe' | 'device' | 'unknown';

/** What is asked of a TCP or UDP table: `tcp` all connections and listeners, `udp` all ports. */
export type PortTable = 'tcp4' | 'tcp6' | 'udp4' | 'udp6';

/** All that is asked of Windows; narrow, as tests put a simulated kernel of bytes in its place. */
export interface WindowsKernel {
  /** NtQuerySystemInformation. */
  system(informationClass: number, size: number): SystemAnswer;
  /** NtOpenProcess. `handle` means something only where `status` is 0. */
  open(pid: number, access: number): { readonly status: number; readonly handle: Handle };
  close(handle: Handle): void;
  /** NtQueryInformationProcess. */
  process(handle: Handle, informationClass: number, size: number): SystemAnswer;
  /** IsProcessCritical: whether Windows stops with it. Null: untold; undefined: no call there. */
  isCritical(handle: Handle): boolean | null | undefined;
  /** NtReadVirtualMemory: exactly these bytes, or null. */
  memory(handle: Handle, address: bigint, size: number): Buffer | null;
  /** GetTokenInformation of a process' token; null where it is closed to this user. */
  token(handle: Handle, informationClass: number): Buffer | null;
  /** NtTerminateProcess; returns the status. */
  terminate(handle: Handle): number;
  /** WaitForSingleObject with this limit in milliseconds. */
  wait(handle: Handle, ms: number): 'ended' | 'lives' | 'unknown';
  /** GetExtendedTcpTable and GetExtendedUdpTable with owners; null where they can't be read. */
  ports(table: PortTable): Buffer | null;
  /** EnumWindows; null where it fails. */
  windows(): readonly TopWindow[] | null;
  /** Posts WM_CLOSE, if the window still is of that process. Returns whether it was posted. */
  closeWindow(window: number, pid: number): boolean;
  /**
   * What a handle of another process leads to, with the path of a file on a disk and null for all
   * else. Null where it can't be told. A pipe is asked for nothing but its kind: while its holder
   * reads from it, every other question waits for the next byte
   * (https://github.com/libuv/libuv/pull/1273).
   */
  filePath(handle: Handle, file: bigint): { readonly path: string | null; readonly kind: FileKind } | null;
  /** QueryUnbiasedInterruptTime: milliseconds awake since the boot; null where it fails. */
  awakeMs(): number | null;
}

/** The statuses that are told apart (ntstatus.h). */
export const ntStatus = {
  success: 0,
  notImplemented: 0xc0000002,
  noSuchClass: 0xc0000003,
  lengthMismatch: 0xc0000004,
  invalidParameter: 0xc000000d,
  noSuchProcess: 0xc000000b,
  denied: 0xc0000022,
  notSupported: 0xc00000bb,
} as const;

/** Access rights of a process (winnt.h). */
export const accessRight = {
  terminate: 0x1,
  readMemory: 0x10,
  duplicateHandle: 0x40,
  query: 0x400,
  limited: 0x1000,
  wait: 0x100000,
} as const;

/** The kernel's own process, `System`. */
export const kernelPid = 4;

/** Information classes of NtQuerySystemInformation. */
export const systemClass = { processes: 5 } as const;

/** Information classes of NtQueryInformationProcess. */
export const processClass = {
  basic: 0,
  times: 4,
  debugPort: 7,
  session: 24,
  breakOnTermination: 29,
  /** ProcessImageFileNameWin32: `C:\…`. Class 27 gives the kernel's name, `\Device\…`. */
  imageName: 43,
  commandLine: 60,
  protection: 61,
} as const;

/** Information classes of GetTokenInformation. */
export const tokenClass = { user: 1, elevation: 20, integrity: 25 } as const;
