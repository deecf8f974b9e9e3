import type { MemberFacts } from '../../process/facts.ts';
import type { ProcessRow } from '../../process/row.ts';
import { veto, type VetoContext, type VetoRule } from '../veto-rule.ts';

/** What a program provides that is gone with it, and can't be had back. */
export const provisions = ['folder', 'network', 'machine', 'input', 'kernels', 'secrets', 'service', 'device'] as const;

/** See `provisions`. */
export type Provision = (typeof provisions)[number];

/** What a file that is held open tells, by its path. */
const files: readonly (readonly [RegExp, Provision])[] = [
  // https://docs.kernel.org/filesystems/fuse/fuse.html: the file system is gone when its daemon is.
  [/^\/dev\/fuse$/u, 'folder'],
  // https://docs.kernel.org/networking/tuntap.html
  [/^\/dev\/(?:net\/tun|tap\d+|ppp)$/u, 'network'],
  // https://docs.kernel.org/virt/kvm/api.html: TERM is a power cut for its guest.
  [/^\/dev\/(?:kvm|mshv|vboxdrvu?|vmmon|nvmm|vhost-\w+|vfio\/.+)$/u, 'machine'],
  // https://docs.kernel.org/input/uinput.html
  [/^\/dev\/(?:uinput|uhid|hidraw\d+|input\/.+)$/u, 'input'],
  // What could stay half written: disks and chips, boards at a serial line or at USB. To close a
  // watchdog restarts the machine: https://docs.kernel.org/watchdog/watchdog-api.html
  [/^\/dev\/(?:[shv]d[a-z]+\d*|xvd[a-z]+\d*|nvme\d.*|mmcblk\d.*|md\d+|dm-\d+|mapper\/.+|nbd\d+|ublk.*)$/u, 'device'],
  [/^\/dev\/(?:sr\d+|sg\d+|st\d+|mtd.*|tty(?:USB|ACM)\d+|bus\/usb\/.+|i2c-\d+|spidev.+|gpiochip\d+)$/u, 'device'],
  [/^\/dev\/(?:watchdog\d*|cuse)$/u, 'device'],
  // The logs and locks of Gradle's, Bazel's and Watchman's daemons.
  [/\/\.gradle\/daemon\/|\/_bazel_[^/]+\/.*\/server\/|\/watchman\/[^/]+-state\//u, 'service'],
];

/**
 * Where agents of keys and passwords listen: ssh-agent(1), gpg-agent(1), gnome-keyring, 1Password.
 */
const secretSocket =
  /\/ssh-[^/]+\/agent\.\d+$|\/S\.[a-z][^/]*$|\/keyring\/[^/]+$|(?:^|\/)[^/]*(?:ssh-agent|agent\.sock)[^/]*$/u;
/**
 * Where programs listen to which clients come and go: the user's own folder for that, or a hidden
 * one.
 */
const meetingPlace = /^\/run\/user\/\d+\/|^\/(?!tmp\/\.).*\/\.[^/]+\//u;

/** A kernel of Jupyter is started with the path of its connection file. */
const connectionFile = /\/kernel-[^/]+\.json$/u;
const isKernel = ({ argv }: ProcessRow): boolean => argv.some((word) => connectionFile.test(word));

/** A machine that is emulated without the kernel's help holds no device that tells. */
const isEmulator = ({ comm }: ProcessRow): boolean => comm.startsWith('qemu-system-');

const kernelParents = new WeakMap<VetoContext['rows'], ReadonlySet<number>>();

/** Returns the parents of kernels. Gathered once for each table. */
const kernelParentsIn = (rows: VetoContext['rows']): ReadonlySet<number> => {
  let parents = kernelParents.get(rows);
  if (parents === undefined) {
    parents = new Set([...rows.values()].filter(isKernel).map(({ ppid }) => Number(ppid)));
    kernelParents.set(rows, parents);
  }
  return parents;
};

const provisionOf = (row: ProcessRow, facts: MemberFacts | null, rows: VetoContext['rows']): Provision | null => {
  for (const [path, provision] of files)
    if (facts?.openFiles?.some(({ target }) => path.test(target)) === true) return provision;
  if (isEmulator(row)) return 'machine';
  const listens = facts?.listens ?? [];
  if (listens.some((path) => secretSocket.test(path))) return 'secrets';
  if (isKernel(row) || (row.pid !== 1 && kernelParentsIn(rows).has(row.pid))) return 'kernels';
  return listens.some((path) => meetingPlace.test(path)) ? 'service' : null;
};

/**
 * It provides the machine or the user with something that would be gone with it, by what it holds,
 * whatever its name: a mounted folder, a network, a virtual machine, input, a notebook's kernels,
 * keys, a service to which clients come and go; or it works on a device.
 */
export const providesDevice: VetoRule = (row, facts, _role, { rows }) => {
  const provides = provisionOf(row, facts, rows);
  return provides === null ? null : veto('shared-daemon', row, { name: row.comm, provides });
};
