import { veto, type VetoRule } from '../veto-rule.ts';

/**
 * Devices that a program holds open while it provides the machine with something: a mounted file
 * system, a network (VPN).
 */
const devices: ReadonlyMap<string, string> = new Map([
  // https://docs.kernel.org/filesystems/fuse/fuse.html: the file system is gone when its daemon is.
  ['/dev/fuse', 'a mounted folder'],
  // https://docs.kernel.org/networking/tuntap.html
  ['/dev/net/tun', 'a network connection'],
]);

/** It provides a mounted folder or a network connection, which would be gone with it. */
export const providesDevice: VetoRule = (row, facts) => {
  const target = facts?.openFiles?.find((file) => devices.has(file.target))?.target;
  return target === undefined
    ? null
    : veto('shared-daemon', row, { name: row.comm, provides: devices.get(target) ?? '' });
};
