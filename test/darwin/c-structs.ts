// The kernel's structs as Apple's headers declare them: names and C types in their order, and
// nothing else. Where a field lies is worked out here by C's rules for 64-bit systems (each field
// aligned to its own size), so that these numbers come about in another way than those of
// main/os/darwin/kernel/layouts.ts.

interface Numbered {
  readonly size: number;
  readonly align: number;
  readonly count: number;
}

type Field = readonly [name: string, type: string | Struct, count?: number];

/** Fields in the order of the declaration. */
export type Struct = readonly Field[];

const scalars: Readonly<Record<string, number>> = { u8: 1, u16: 2, i16: 2, u32: 4, i32: 4, u64: 8, i64: 8, pointer: 8 };

const measured = ([, type, count = 1]: Field): Numbered => {
  if (typeof type !== 'string') {
    const { size, align } = layoutOf(type);
    return { size, align, count };
  }
  const size = scalars[type];
  if (size === undefined) throw new Error(`no type ${type}`);
  return { size, align: size, count };
};

interface CLayout {
  readonly size: number;
  readonly align: number;
  readonly at: ReadonlyMap<string, readonly [number, string]>;
}

const layouts = new WeakMap<Struct, CLayout>();

/** Where each field of a struct lies, inner ones by `outer.inner`, and what the whole takes. */
export const layoutOf = (struct: Struct): CLayout => {
  const known = layouts.get(struct) ?? laidOut(struct);
  layouts.set(struct, known);
  return known;
};

const laidOut = (struct: Struct): CLayout => {
  let offset = 0;
  let largest = 1;
  const at = new Map<string, readonly [number, string]>();
  for (const field of struct) {
    const [name, type] = field;
    const { size, align, count } = measured(field);
    offset = Math.ceil(offset / align) * align;
    largest = Math.max(largest, align);
    if (typeof type === 'string') at.set(name, [offset, type]);
    else for (const [inner, [from, kind]] of layoutOf(type).at) at.set(`${name}.${inner}`, [offset + from, kind]);
    offset += size * count;
  }
  return { size: Math.ceil(offset / largest) * largest, align: largest, at };
};

/** struct vmspace, of which nothing is filled. */
const vmspace: Struct = [
  ['vm_dummy', 'i32'],
  ['vm_dummy2', 'pointer'],
  ['vm_dummy3', 'i32', 5],
  ['vm_dummy4', 'pointer', 3],
];

/** struct kinfo_proc (sys/sysctl.h, sys/proc.h). */
export const kinfoProc: Struct = [
  ['start_sec', 'i64'],
  ['start_usec', 'i32'],
  ['start_pad', 'i32'],
  ['p_vmspace', 'pointer'],
  ['p_sigacts', 'pointer'],
  ['p_flag', 'i32'],
  ['p_stat', 'u8'],
  ['p_pid', 'i32'],
  ['p_oppid', 'i32'],
  ['p_dupfd', 'i32'],
  ['user_stack', 'pointer'],
  ['exit_thread', 'pointer'],
  ['p_debugger', 'i32'],
  ['sigwait', 'i32'],
  ['p_estcpu', 'u32'],
  ['p_cpticks', 'i32'],
  ['p_pctcpu', 'u32'],
  ['p_wchan', 'pointer'],
  ['p_wmesg', 'pointer'],
  ['p_swtime', 'u32'],
  ['p_slptime', 'u32'],
  ['p_realtimer', 'i64', 4],
  ['p_rtime', 'i64', 2],
  ['p_uticks', 'u64'],
  ['p_sticks', 'u64'],
  ['p_iticks', 'u64'],
  ['p_traceflag', 'i32'],
  ['p_tracep', 'pointer'],
  ['p_siglist', 'i32'],
  ['p_textvp', 'pointer'],
  ['p_holdcnt', 'i32'],
  ['p_sigmask', 'u32'],
  ['p_sigignore', 'u32'],
  ['p_sigcatch', 'u32'],
  ['p_priority', 'u8'],
  ['p_usrpri', 'u8'],
  ['p_nice', 'u8'],
  ['p_comm', 'u8', 17],
  ['p_pgrp', 'pointer'],
  ['p_addr', 'pointer'],
  ['p_xstat', 'u16'],
  ['p_acflag', 'u16'],
  ['p_ru', 'pointer'],
  ['e_paddr', 'pointer'],
  ['e_sess', 'pointer'],
  ['pc_lock', 'u8', 72],
  ['pc_ucred', 'pointer'],
  ['p_ruid', 'u32'],
  ['p_svuid', 'u32'],
  ['p_rgid', 'u32'],
  ['p_svgid', 'u32'],
  ['p_refcnt', 'i32'],
  ['pcred_pad', 'u32'],
  ['cr_ref', 'i32'],
  ['cr_uid', 'u32'],
  ['cr_ngroups', 'i16'],
  ['cr_groups', 'u32', 16],
  ['e_vm', vmspace],
  ['e_ppid', 'i32'],
  ['e_pgid', 'i32'],
  ['e_jobc', 'i16'],
  ['e_tdev', 'i32'],
  ['e_tpgid', 'i32'],
  ['e_tsess', 'pointer'],
  ['e_wmesg', 'u8', 8],
  ['e_xsize', 'i32'],
  ['e_xrssize', 'i16'],
  ['e_xccount', 'i16'],
  ['e_xswrss', 'i16'],
  ['e_flag', 'i32'],
  ['e_login', 'u8', 12],
  ['e_spare', 'i32', 4],
];

/** struct proc_uniqidentifierinfo (sys/proc_info.h). */
export const uniqueIdentifiers: Struct = [
  ['p_uuid', 'u8', 16],
  ['p_uniqueid', 'u64'],
  ['p_puniqueid', 'u64'],
  ['p_idversion', 'i32'],
  ['p_orig_ppidversion', 'i32'],
  ['p_reserve2', 'u64'],
  ['p_reserve3', 'u64'],
];

/** struct proc_pidcoalitioninfo. */
export const coalitionInfo: Struct = [
  ['coalition_id', 'u64', 2],
  ['reserved1', 'u64'],
  ['reserved2', 'u64'],
  ['reserved3', 'u64'],
];

/** struct proc_taskinfo (sys/proc_info.h). */
export const taskInfo: Struct = [
  ['pti_virtual_size', 'u64'],
  ['pti_resident_size', 'u64'],
  ['pti_total_user', 'u64'],
  ['pti_total_system', 'u64'],
  ['pti_threads_user', 'u64'],
  ['pti_threads_system', 'u64'],
  ['pti_policy', 'i32'],
  ['pti_faults', 'i32'],
  ['pti_pageins', 'i32'],
  ['pti_cow_faults', 'i32'],
  ['pti_messages_sent', 'i32'],
  ['pti_messages_received', 'i32'],
  ['pti_syscalls_mach', 'i32'],
  ['pti_syscalls_unix', 'i32'],
  ['pti_csw', 'i32'],
  ['pti_threadnum', 'i32'],
  ['pti_numrunning', 'i32'],
  ['pti_priority', 'i32'],
];

/** struct rusage_info_v4 (sys/resource.h). */
export const resourceUsage: Struct = [
  ['ri_uuid', 'u8', 16],
  ...[
    'ri_user_time',
    'ri_system_time',
    'ri_pkg_idle_wkups',
    'ri_interrupt_wkups',
    'ri_pageins',
    'ri_wired_size',
    'ri_resident_size',
    'ri_phys_footprint',
    'ri_proc_start_abstime',
    'ri_proc_exit_abstime',
    'ri_child_user_time',
    'ri_child_system_time',
    'ri_child_pkg_idle_wkups',
    'ri_child_interrupt_wkups',
    'ri_child_pageins',
    'ri_child_elapsed_abstime',
    'ri_diskio_bytesread',
    'ri_diskio_byteswritten',
    'ri_cpu_time_qos_default',
    'ri_cpu_time_qos_maintenance',
    'ri_cpu_time_qos_background',
    'ri_cpu_time_qos_utility',
    'ri_cpu_time_qos_legacy',
    'ri_cpu_time_qos_user_initiated',
    'ri_cpu_time_qos_user_interactive',
    'ri_billed_system_time',
    'ri_serviced_system_time',
    'ri_logical_writes',
    'ri_lifetime_max_phys_footprint',
    'ri_instructions',
    'ri_cycles',
    'ri_billed_energy',
    'ri_serviced_energy',
    'ri_interval_max_phys_footprint',
    'ri_runnable_time',
  ].map((name): Field => [name, 'u64']),
];

/** struct vinfo_stat. */
const fileStatus: Struct = [
  ['vst_dev', 'u32'],
  ['vst_mode', 'u16'],
  ['vst_nlink', 'u16'],
  ['vst_ino', 'u64'],
  ['vst_uid', 'u32'],
  ['vst_gid', 'u32'],
  ['vst_times', 'i64', 8],
  ['vst_size', 'i64'],
  ['vst_blocks', 'i64'],
  ['vst_blksize', 'i32'],
  ['vst_flags', 'u32'],
  ['vst_gen', 'u32'],
  ['vst_rdev', 'u32'],
  ['vst_qspare', 'i64', 2],
];
/** struct vnode_info_path. */
const filePath: Struct = [
  ['vi_stat', fileStatus],
  ['vi_type', 'i32'],
  ['vi_pad', 'i32'],
  ['vi_fsid', 'i32', 2],
  ['vip_path', 'u8', 1024],
];
/** struct proc_fileinfo. */
const openFile: Struct = [
  ['fi_openflags', 'u32'],
  ['fi_status', 'u32'],
  ['fi_offset', 'i64'],
  ['fi_type', 'i32'],
  ['fi_guardflags', 'u32'],
];

/** struct proc_vnodepathinfo. */
export const folders: Struct = [
  ['pvi_cdir', filePath],
  ['pvi_rdir', filePath],
];
/** struct proc_fdinfo. */
export const descriptor: Struct = [
  ['proc_fd', 'i32'],
  ['proc_fdtype', 'u32'],
];
/** struct vnode_fdinfowithpath. */
export const openedFile: Struct = [
  ['pfi', openFile],
  ['pvip', filePath],
];
/** struct pipe_fdinfo. */
export const openedPipe: Struct = [
  ['pfi', openFile],
  ['pipe_stat', fileStatus],
  ['pipe_handle', 'u64'],
  ['pipe_peerhandle', 'u64'],
  ['pipe_status', 'i32'],
  ['rfu_1', 'i32'],
];
/** struct sockbuf_info. */
const buffered: Struct = [
  ['sbi_cc', 'u32'],
  ['sbi_hiwat', 'u32'],
  ['sbi_mbcnt', 'u32'],
  ['sbi_mbmax', 'u32'],
  ['sbi_lowat', 'u32'],
  ['sbi_flags', 'i16'],
  ['sbi_timeo', 'i16'],
];
const socketHead: Struct = [
  ['pfi', openFile],
  ['soi_stat', fileStatus],
  ['soi_so', 'u64'],
  ['soi_pcb', 'u64'],
  ['soi_type', 'i32'],
  ['soi_protocol', 'i32'],
  ['soi_family', 'i32'],
  ['soi_options', 'i16'],
  ['soi_linger', 'i16'],
  ['soi_state', 'i16'],
  ['soi_qlen', 'i16'],
  ['soi_incqlen', 'i16'],
  ['soi_qlimit', 'i16'],
  ['soi_timeo', 'i16'],
  ['soi_error', 'u16'],
  ['soi_oobmark', 'u32'],
  ['soi_rcv', buffered],
  ['soi_snd', buffered],
  ['soi_kind', 'i32'],
  ['rfu_1', 'u32'],
];
/** The size of the union in which each protocol tells its own. */
const protocolBytes = 528;

/** struct socket_fdinfo of a local socket (struct un_sockinfo). */
export const openedLocalSocket: Struct = [
  ...socketHead,
  ['unsi_conn_so', 'u64'],
  ['unsi_conn_pcb', 'u64'],
  ['unsi_addr', 'u8', 255],
  ['unsi_caddr', 'u8', 255],
  ['rest', 'u8', protocolBytes - 526],
];
const insiV6: Struct = [
  ['in6_hlim', 'u8'],
  ['in6_cksum', 'i32'],
  ['in6_ifindex', 'u16'],
  ['in6_hops', 'i16'],
];

/** struct socket_fdinfo of a TCP socket (struct tcp_sockinfo). */
export const openedTcpSocket: Struct = [
  ...socketHead,
  ['insi_fport', 'i32'],
  ['insi_lport', 'i32'],
  ['insi_gencnt', 'u64'],
  ['insi_flags', 'u32'],
  ['insi_flow', 'u32'],
  ['insi_vflag', 'u8'],
  ['insi_ip_ttl', 'u8'],
  ['insi_rfu_1', 'u32'],
  ['insi_faddr', 'u8', 16],
  ['insi_laddr', 'u8', 16],
  ['in4_tos', 'u8'],
  ['insi_v6', insiV6],
  ['tcpsi_state', 'i32'],
  ['rest', 'u8', protocolBytes - 84],
];

/** Returns the bytes of a struct in which these fields have these values; the others are 0. */
export const encode = (
  struct: Struct,
  values: Readonly<Record<string, number | bigint | string | Uint8Array>>,
): Buffer => {
  const { size, at } = layoutOf(struct);
  const bytes = Buffer.alloc(size);
  for (const [name, value] of Object.entries(values)) {
    const found = at.get(name);
    if (found === undefined) throw new Error(`no field ${name}`);
    const [offset, type] = found;
    if (typeof value === 'string') bytes.write(value, offset, 'utf8');
    else if (value instanceof Uint8Array) bytes.set(value, offset);
    else {
      const width = scalars[type] ?? 1;
      let rest = BigInt.asUintN(8 * width, BigInt(value));
      for (let i = 0; i < width; i++, rest >>= 8n) bytes[offset + i] = Number(rest & 0xffn);
    }
  }
  return bytes;
};
