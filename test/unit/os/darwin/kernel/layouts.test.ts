import { expect, test } from 'vitest';
import * as layouts from '../../../../../main/os/darwin/kernel/layouts.ts';
import * as structs from '../../../../darwin/c-structs.ts';

/** Each struct, and what its fields are called in Apple's headers. */
const pairs: readonly (readonly [string, layouts.Layout, structs.Struct, Readonly<Record<string, string>>])[] = [
  [
    'a row of the process table',
    layouts.processLayout,
    structs.kinfoProc,
    {
      startSeconds: 'start_sec',
      startMicroseconds: 'start_usec',
      flags: 'p_flag',
      status: 'p_stat',
      pid: 'p_pid',
      ruid: 'p_ruid',
      euid: 'cr_uid',
      ppid: 'e_ppid',
      pgid: 'e_pgid',
      terminal: 'e_tdev',
      sessionFlags: 'e_flag',
    },
  ],
  [
    'unique ids',
    layouts.uniqueIdsLayout,
    structs.uniqueIdentifiers,
    { uniqueId: 'p_uniqueid', parentUniqueId: 'p_puniqueid', version: 'p_idversion' },
  ],
  ['coalitions', layouts.coalitionsLayout, structs.coalitionInfo, { resource: 'coalition_id' }],
  [
    'usage',
    layouts.usageLayout,
    structs.resourceUsage,
    {
      userTicks: 'ri_user_time',
      systemTicks: 'ri_system_time',
      footprint: 'ri_phys_footprint',
      childrenUserTicks: 'ri_child_user_time',
      childrenSystemTicks: 'ri_child_system_time',
    },
  ],
  [
    'what it did',
    layouts.taskLayout,
    structs.taskInfo,
    {
      userTicks: 'pti_total_user',
      systemTicks: 'pti_total_system',
      faults: 'pti_faults',
      machCalls: 'pti_syscalls_mach',
      unixCalls: 'pti_syscalls_unix',
      switches: 'pti_csw',
    },
  ],
  [
    'folders',
    layouts.foldersLayout,
    structs.folders,
    { links: 'pvi_cdir.vi_stat.vst_nlink', inode: 'pvi_cdir.vi_stat.vst_ino' },
  ],
  ['a descriptor', layouts.descriptorLayout, structs.descriptor, { fd: 'proc_fd', type: 'proc_fdtype' }],
  [
    'an open file',
    layouts.fileLayout,
    structs.openedFile,
    {
      openFlags: 'pfi.fi_openflags',
      links: 'pvip.vi_stat.vst_nlink',
      inode: 'pvip.vi_stat.vst_ino',
      vnodeType: 'pvip.vi_type',
    },
  ],
  [
    'a local socket',
    layouts.socketLayout,
    structs.openedLocalSocket,
    {
      socket: 'soi_so',
      type: 'soi_type',
      family: 'soi_family',
      state: 'soi_state',
      kind: 'soi_kind',
      peer: 'unsi_conn_so',
    },
  ],
  [
    'a TCP socket',
    layouts.socketLayout,
    structs.openedTcpSocket,
    {
      foreignPort: 'insi_fport',
      localPort: 'insi_lport',
      versionFlags: 'insi_vflag',
      tcpState: 'tcpsi_state',
    },
  ],
  [
    'a pipe',
    layouts.pipeLayout,
    structs.openedPipe,
    { openFlags: 'pfi.fi_openflags', handle: 'pipe_handle', peer: 'pipe_peerhandle', status: 'pipe_status' },
  ],
];

test.each(pairs)('%s has its size and its fields where C puts them', (_what, layout, struct, names) => {
  const { size, at } = structs.layoutOf(struct);
  expect(size).toBe(layout.size);
  const pairsOf = Object.entries(names);
  expect(Object.fromEntries(pairsOf.map(([ours, theirs]) => [ours, at.get(theirs)?.[0]]))).toEqual(
    Object.fromEntries(pairsOf.map(([ours]) => [ours, layout.fields[ours]?.[1]])),
  );
});

test.each([
  ['the name of a process', layouts.processName.offset, structs.kinfoProc, 'p_comm'],
  ['the working folder', layouts.folderPath.offset, structs.folders, 'pvi_cdir.vip_path'],
  ['the path of a file', layouts.filePath.offset, structs.openedFile, 'pvip.vip_path'],
  ['a foreign address', layouts.socketAddresses.foreign, structs.openedTcpSocket, 'insi_faddr'],
  ['a local address', layouts.socketAddresses.local, structs.openedTcpSocket, 'insi_laddr'],
  ['the name of a local socket', layouts.socketNames.own, structs.openedLocalSocket, 'unsi_addr'],
  ['the name of its peer', layouts.socketNames.peer, structs.openedLocalSocket, 'unsi_caddr'],
])('%s lies where C puts it', (_what, offset, struct, name) => {
  expect(structs.layoutOf(struct).at.get(name)?.[0]).toBe(offset);
});
