import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as layouts from '../../main/os/darwin/kernel/layouts.ts';

/** A struct of Apple's headers, and what its fields are called in C. */
export interface HeaderStruct {
  readonly name: string;
  readonly size: number;
  /** C name of each field, and where it has to lie. */
  readonly fields: readonly (readonly [string, number])[];
  /** A macro that is defined only where the headers have this struct. */
  readonly onlyWith?: string;
}

const at = <Fields extends layouts.Layout['fields']>(
  layout: { readonly size: number; readonly fields: Fields },
  names: { readonly [Name in keyof Fields]?: string },
): HeaderStruct['fields'] =>
  Object.entries(names).map(([ours, theirs]) => [String(theirs), layout.fields[ours]?.[1] ?? -1]);

/** Everything that is read, as far as the headers of a Mac's SDK declare it. */
export const headerStructs: readonly HeaderStruct[] = [
  {
    name: 'struct kinfo_proc',
    size: layouts.processLayout.size,
    fields: [
      ...at(layouts.processLayout, {
        startSeconds: 'kp_proc.p_starttime.tv_sec',
        startMicroseconds: 'kp_proc.p_starttime.tv_usec',
        flags: 'kp_proc.p_flag',
        status: 'kp_proc.p_stat',
        pid: 'kp_proc.p_pid',
        ruid: 'kp_eproc.e_pcred.p_ruid',
        euid: 'kp_eproc.e_ucred.cr_uid',
        ppid: 'kp_eproc.e_ppid',
        pgid: 'kp_eproc.e_pgid',
        terminal: 'kp_eproc.e_tdev',
        sessionFlags: 'kp_eproc.e_flag',
      }),
      ['kp_proc.p_comm', layouts.processName.offset],
    ],
  },
  {
    name: 'struct rusage_info_v4',
    size: layouts.usageLayout.size,
    fields: at(layouts.usageLayout, {
      userTicks: 'ri_user_time',
      systemTicks: 'ri_system_time',
      footprint: 'ri_phys_footprint',
      startTicks: 'ri_proc_start_abstime',
      childrenUserTicks: 'ri_child_user_time',
      childrenSystemTicks: 'ri_child_system_time',
    }),
  },
  {
    name: 'struct proc_taskinfo',
    size: layouts.taskLayout.size,
    fields: at(layouts.taskLayout, {
      userTicks: 'pti_total_user',
      systemTicks: 'pti_total_system',
      faults: 'pti_faults',
      machCalls: 'pti_syscalls_mach',
      unixCalls: 'pti_syscalls_unix',
      switches: 'pti_csw',
    }),
  },
  {
    name: 'struct proc_vnodepathinfo',
    size: layouts.foldersLayout.size,
    fields: [
      ...at(layouts.foldersLayout, {
        links: 'pvi_cdir.vip_vi.vi_stat.vst_nlink',
        inode: 'pvi_cdir.vip_vi.vi_stat.vst_ino',
      }),
      ['pvi_cdir.vip_path', layouts.folderPath.offset],
    ],
  },
  {
    name: 'struct proc_fdinfo',
    size: layouts.descriptorLayout.size,
    fields: at(layouts.descriptorLayout, { fd: 'proc_fd', type: 'proc_fdtype' }),
  },
  {
    name: 'struct vnode_fdinfowithpath',
    size: layouts.fileLayout.size,
    fields: [
      ...at(layouts.fileLayout, {
        openFlags: 'pfi.fi_openflags',
        links: 'pvip.vip_vi.vi_stat.vst_nlink',
        inode: 'pvip.vip_vi.vi_stat.vst_ino',
        vnodeType: 'pvip.vip_vi.vi_type',
      }),
      ['pvip.vip_path', layouts.filePath.offset],
    ],
  },
  {
    name: 'struct socket_fdinfo',
    size: layouts.socketLayout.size,
    fields: [
      ...at(layouts.socketLayout, {
        socket: 'psi.soi_so',
        type: 'psi.soi_type',
        family: 'psi.soi_family',
        state: 'psi.soi_state',
        kind: 'psi.soi_kind',
        foreignPort: 'psi.soi_proto.pri_tcp.tcpsi_ini.insi_fport',
        localPort: 'psi.soi_proto.pri_tcp.tcpsi_ini.insi_lport',
        versionFlags: 'psi.soi_proto.pri_tcp.tcpsi_ini.insi_vflag',
        tcpState: 'psi.soi_proto.pri_tcp.tcpsi_state',
        peer: 'psi.soi_proto.pri_un.unsi_conn_so',
      }),
      ['psi.soi_proto.pri_tcp.tcpsi_ini.insi_faddr', layouts.socketAddresses.foreign],
      ['psi.soi_proto.pri_tcp.tcpsi_ini.insi_laddr', layouts.socketAddresses.local],
      ['psi.soi_proto.pri_un.unsi_addr', layouts.socketNames.own],
      ['psi.soi_proto.pri_un.unsi_caddr', layouts.socketNames.peer],
    ],
  },
  {
    name: 'struct pipe_fdinfo',
    size: layouts.pipeLayout.size,
    fields: at(layouts.pipeLayout, {
      openFlags: 'pfi.fi_openflags',
      handle: 'pipeinfo.pipe_handle',
      peer: 'pipeinfo.pipe_peerhandle',
      status: 'pipeinfo.pipe_status',
    }),
  },
  {
    name: 'struct proc_uniqidentifierinfo',
    size: layouts.uniqueIdsLayout.size,
    fields: at(layouts.uniqueIdsLayout, {
      uniqueId: 'p_uniqueid',
      parentUniqueId: 'p_puniqueid',
      version: 'p_idversion',
    }),
    onlyWith: 'PROC_PIDUNIQIDENTIFIERINFO',
  },
  {
    name: 'struct proc_pidcoalitioninfo',
    size: layouts.coalitionsLayout.size,
    fields: at(layouts.coalitionsLayout, { resource: 'coalition_id[0]', jetsam: 'coalition_id[1]' }),
    onlyWith: 'PROC_PIDCOALITIONINFO',
  },
];

const program = (includes: readonly string[], structs: readonly HeaderStruct[]): string => {
  const say = (name: string, field: string | null): string =>
    `  printf("%s %s %zu\\n", "${name}", "${field ?? 'size'}", ${field === null ? `sizeof(${name})` : `offsetof(${name}, ${field})`});`;
  const lines = structs.flatMap(({ name, fields, onlyWith }) => [
    ...(onlyWith === undefined ? [] : [`#ifdef ${onlyWith}`]),
    say(name, null),
    ...fields.map(([field]) => say(name, field)),
    ...(onlyWith === undefined ? [] : ['#endif']),
  ]);
  return [
    '#include <stddef.h>',
    '#include <stdio.h>',
    ...includes.map((one) => `#include <${one}>`),
    'int main(void) {',
    ...lines,
    '  return 0;',
    '}',
    '',
  ].join('\n');
};

/** What a compiler says of the structs. */
export interface Compared {
  /** How many sizes and offsets were compared. */
  readonly compared: number;
  /** Each that is not where it should be. */
  readonly wrong: readonly string[];
  /** Structs that these headers do not declare. */
  readonly absent: readonly string[];
}

/**
 * Compiles a program against headers, and compares what it prints with where fields are read.
 * @param options further ones of the compiler
 * @throws with what the compiler or the program says
 */
export const compareWithHeaders = (
  includes: readonly string[],
  structs: readonly HeaderStruct[],
  options: readonly string[] = [],
): Compared => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-headers-'));
  try {
    const [source, binary] = [join(folder, 'offsets.c'), join(folder, 'offsets')];
    writeFileSync(source, program(includes, structs));
    const compiled = spawnSync('cc', [...options, '-o', binary, source], { encoding: 'utf8' });
    if (compiled.status !== 0) throw new Error(`it does not compile: ${compiled.stderr}`);
    const ran = spawnSync(binary, { encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(`the program ended with ${ran.status ?? ran.signal}: ${ran.stderr}`);
    const found = new Map(
      ran.stdout
        .trimEnd()
        .split('\n')
        .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    );
    const wanted = structs.flatMap(({ name, size, fields }) => [
      [`${name} size`, size] as const,
      ...fields.map(([field, offset]) => [`${name} ${field}`, offset] as const),
    ]);
    const known = wanted.filter(([what]) => found.has(what));
    return {
      compared: known.length,
      wrong: known.flatMap(([what, is]) =>
        found.get(what) === is ? [] : [`${what}: ${found.get(what)}, read at ${is}`],
      ),
      absent: structs.filter(({ name }) => !found.has(`${name} size`)).map(({ name }) => name),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
