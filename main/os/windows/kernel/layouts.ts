/**
 * Where the fields of Windows' structs lie, on x64 and arm64 alike: offsets in bytes,
 * little-endian. They were seen under Wine 8 (x64); `selfCheck` proves them on each machine before
 * they are believed.
 */

/** A row of SystemProcessInformation; `next` is the distance to the next row, 0 in the last. */
export const processRow = {
  size: 0x100,
  next: 0x00,
  threads: 0x04,
  created: 0x20,
  user: 0x28,
  kernel: 0x30,
  nameBytes: 0x38,
  name: 0x40,
  pid: 0x50,
  parent: 0x58,
  session: 0x64,
  workingSet: 0x90,
} as const;

/** PROCESS_BASIC_INFORMATION. */
export const basicInformation = { size: 48, peb: 0x08, pid: 0x20, parent: 0x28 } as const;

/** KERNEL_USER_TIMES. */
export const processTimes = { size: 32, created: 0, ended: 8, kernel: 16, user: 24 } as const;

/** PEB: the pointer to the parameters, and a byte that is 1 while a debugger holds the process. */
export const pebParameters = 0x20;
export const pebBeingDebugged = 0x02;

/** RTL_USER_PROCESS_PARAMETERS. A text is a length in bytes (u16) and, at +8, a pointer. */
export const parameters = {
  size: 0x3f8,
  console: 0x10,
  standard: [0x20, 0x28, 0x30],
  folder: 0x38,
  image: 0x60,
  commandLine: 0x70,
  environment: 0x80,
  environmentBytes: 0x3f0,
} as const;

/** UNICODE_STRING. */
export const unicodeString = { size: 16, bytes: 0, pointer: 8 } as const;

/** MIB_TCPROW_OWNER_PID and MIB_TCP6ROW_OWNER_PID; ports are big-endian. */
export const tcpRow = {
  tcp4: { size: 24, state: 0, local: 4, localPort: 8, remote: 12, remotePort: 16, pid: 20, address: 4 },
  tcp6: { size: 56, state: 48, local: 0, localPort: 20, remote: 24, remotePort: 44, pid: 52, address: 16 },
} as const;

/** MIB_UDPROW_OWNER_PID and MIB_UDP6ROW_OWNER_PID. */
export const udpRow = {
  udp4: { size: 12, localPort: 4, pid: 8 },
  udp6: { size: 28, localPort: 20, pid: 24 },
} as const;

/** A SID: revision, count of sub-authorities, then 6 bytes and 4 for each. In TOKEN_USER at 16. */
export const sid = { inTokenUser: 16, count: 1, header: 8, maxCount: 15 } as const;
