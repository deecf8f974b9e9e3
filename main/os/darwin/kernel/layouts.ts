/**
 * Where the fields of the kernel's structs lie, as data: offsets in bytes, little-endian. The
 * numbers come from compiling Apple's headers of macOS 15.4 for arm64 and x86_64, which gave the
 * same; the text of the structs is the same since macOS 11. None of it was seen on a Mac yet:
 * `selfCheck` proves it on each machine before it is believed.
 */

/**
 * `u16be` is big-endian (ports). `address` is 64 bits of which only equality means anything. The
 * other 64-bit fields are numbers, and a value above 2^53 is malformed.
 */
export type FieldKind = 'u8' | 'u16' | 'u16be' | 'u32' | 'i32' | 'i64' | 'u64' | 'address';

export interface Layout {
  readonly size: number;
  readonly fields: Readonly<Record<string, readonly [FieldKind, number]>>;
}

const layout = <const One extends Layout>(one: One): One => one;

/** A row of KERN_PROC (struct kinfo_proc of sys/sysctl.h). */
export const processLayout = layout({
  size: 648,
  fields: {
    startSeconds: ['i64', 0],
    startMicroseconds: ['i32', 8],
    flags: ['u32', 32],
    status: ['u8', 36],
    pid: ['i32', 40],
    ruid: ['u32', 392],
    euid: ['u32', 420],
    ppid: ['i32', 560],
    pgid: ['i32', 564],
    terminal: ['i32', 572],
    sessionFlags: ['u32', 612],
  },
});
/** `p_comm`, of which at most 16 bytes are a name. */
export const processName = { offset: 243, length: 17 } as const;

/** Flavor 17 (struct proc_uniqidentifierinfo). */
export const uniqueIdsLayout = layout({
  size: 56,
  fields: { uniqueId: ['u64', 16], parentUniqueId: ['u64', 24], version: ['u32', 32] },
});

/** Flavor 20 (struct proc_pidcoalitioninfo). */
export const coalitionsLayout = layout({ size: 40, fields: { resource: ['u64', 0], jetsam: ['u64', 8] } });

/** struct rusage_info_v4. Times are mach ticks. */
export const usageLayout = layout({
  size: 296,
  fields: {
    userTicks: ['u64', 16],
    systemTicks: ['u64', 24],
    footprint: ['u64', 72],
    startTicks: ['u64', 80],
    childrenUserTicks: ['u64', 96],
    childrenSystemTicks: ['u64', 104],
  },
});

/** Flavor 4 (struct proc_taskinfo). The counters of 32 bits stop at the largest number. */
export const taskLayout = layout({
  size: 96,
  fields: {
    userTicks: ['u64', 16],
    systemTicks: ['u64', 24],
    faults: ['i32', 52],
    machCalls: ['i32', 72],
    unixCalls: ['i32', 76],
    switches: ['i32', 80],
  },
});

/** Flavor 9 (struct proc_vnodepathinfo): the working folder, then the root folder. */
export const foldersLayout = layout({ size: 2352, fields: { links: ['u16', 6], inode: ['u64', 8] } });
export const folderPath = { offset: 152, length: 1024 } as const;

/** One of flavor 1 (struct proc_fdinfo). */
export const descriptorLayout = layout({ size: 8, fields: { fd: ['i32', 0], type: ['u32', 4] } });

/** Flavor 2 of a descriptor (struct vnode_fdinfowithpath). */
export const fileLayout = layout({
  size: 1200,
  fields: { openFlags: ['u32', 0], links: ['u16', 30], inode: ['u64', 32], vnodeType: ['u32', 160] },
});
export const filePath = { offset: 176, length: 1024 } as const;

/** Flavor 3 of a descriptor (struct socket_fdinfo). */
export const socketLayout = layout({
  size: 792,
  fields: {
    socket: ['address', 160],
    type: ['u32', 176],
    family: ['u32', 184],
    state: ['u16', 192],
    kind: ['u32', 256],
    foreignPort: ['u16be', 264],
    localPort: ['u16be', 268],
    versionFlags: ['u8', 288],
    tcpState: ['u32', 344],
    peer: ['address', 264],
  },
});
/** Of a socket of the internet: the foreign and the local address, 16 bytes each. */
export const socketAddresses = { foreign: 296, local: 312 } as const;
/** Of a local socket: its own sockaddr_un and its peer's. */
export const socketNames = { own: 280, peer: 535, length: 255 } as const;

/** Flavor 6 of a descriptor (struct pipe_fdinfo). */
export const pipeLayout = layout({
  size: 184,
  fields: { openFlags: ['u32', 0], handle: ['address', 160], peer: ['address', 168], status: ['u32', 176] },
});

/** The audit token: eight 32-bit words (bsm/audit.h). */
export const auditTokenLayout = { size: 32, pid: 20, version: 28 } as const;
