import { forwardedBy } from '../../agents/signatures.ts';
import type { MemberFacts } from '../../process/facts.ts';
import { asPid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import { parentsOf } from '../../process/tree.ts';
import { isUnseen } from '../../programs/browser.ts';
import { userProgramOf } from '../../programs/classify.ts';
import { loginShellName } from '../../programs/login-shell.ts';
import { programOf } from '../../programs/program.ts';
import { isAdopter } from '../../programs/shared-daemon.ts';
import { showsElsewhere } from '../../programs/viewed-display.ts';
import { type VetoContext, type VetoRule, veto } from '../veto-rule.ts';

/**
 * A multiplexer, terminal, editor or daemon above it, with neither an agent nor a tool shell in
 * between: a tool call opened that program, its markers went on to everything in it, and the user
 * works there. A job of an agent that itself runs in a terminal has the agent in between; one whose
 * agent has ended hangs below process 1 or another adopter.
 *
 * Windows gives no process another parent, so what stands there started it: then the shell in which
 * a user works counts, too, and for a tool shell what started that very shell.
 */
export const livesIn: VetoRule = (row, _facts, { toolShell }, { rows, isAgent }) => {
  const onWindows = row.windows !== undefined;
  if (row.pid === toolShell && !onWindows) return null;
  for (const parent of parentsOf(row, rows)) {
    if (parent.pid === toolShell || isAgent(parent) || (!onWindows && isAdopter(programOf(parent)))) return null;
    const found = userProgramOf(parent, null, rows);
    const kind = found?.kind === 'login-shell' ? (onWindows ? 'terminal' : null) : (found?.kind ?? null);
    if (kind !== null) return veto(kind, row, { name: found?.name ?? '', inside: parent.pid });
    if (row.pid === toolShell) return null;
  }
  return null;
};

const leadersOnTerminals = new WeakMap<VetoContext['rows'], ReadonlyMap<number, readonly ProcessRow[]>>();

/** Returns the children that lead a kernel session on a terminal. Gathered once for each table. */
const leadersBelow = (parent: ProcessRow, { rows }: VetoContext): readonly ProcessRow[] => {
  let byParent = leadersOnTerminals.get(rows);
  if (byParent === undefined) {
    const leaders = [...rows.values()].filter((row) => row.tty !== 0 && Number(row.sid) === Number(row.pid));
    byParent = Map.groupBy(leaders, ({ ppid }) => Number(ppid));
    leadersOnTerminals.set(rows, byParent);
  }
  return byParent.get(parent.pid) ?? [];
};

/**
 * It holds the terminal of a shell in which the user works, whatever its name (ttyd, script, an
 * unknown terminal). When it ends, the terminal closes and the kernel sends HUP to every process in
 * it. https://man7.org/linux/man-pages/man4/tty.4.html
 */
export const holdsTerminal: VetoRule = (row, _facts, _role, context) => {
  const shell = leadersBelow(row, context).find((leader) => loginShellName(leader, programOf(leader)) !== null);
  return shell === undefined ? null : veto('terminal', row, { name: shell.comm, holds: shell.pid });
};

/**
 * An orphan that leads the kernel session of a terminal. The terminal of a program that has ended
 * hangs up, and its processes have none any more; so a process that is not the parent holds this
 * terminal, and the user looks at it: reptyr(1) takes a process to the user's terminal.
 */
export const takenOver: VetoRule = (row, _facts, _role, { rows }) => {
  if (row.tty === 0 || Number(row.sid) !== Number(row.pid)) return null;
  const parent = rows.get(row.ppid);
  const isOrphan = parent !== undefined && (parent.pid === 1 || isAdopter(programOf(parent)));
  return isOrphan ? veto('terminal', row, { name: row.comm, as: 'taken-over' }) : null;
};

/** What a program provides that is gone with it, and can't be had back. */
export const provisions = ['folder', 'network', 'machine', 'input', 'kernels', 'secrets', 'service', 'device'] as const;

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

/** Where agents of keys listen: ssh-agent(1), gpg-agent(1), gnome-keyring, 1Password. */
const secretSocket =
  /\/ssh-[^/]+\/agent\.\d+$|\/S\.[a-z][^/]*$|\/keyring\/[^/]+$|(?:^|\/)[^/]*(?:ssh-agent|agent\.sock)[^/]*$/u;
/** Where programs await clients that come and go: the user's own folder, or a hidden one. */
const meetingPlace = /^\/run\/user\/\d+\/|^\/(?!tmp\/\.).*\/\.[^/]+\//u;

const connectionFile = /\/kernel-[^/]+\.json$/u;
const isConnectionFile = (word: string): boolean => word.endsWith('.json') && connectionFile.test(word);
const isKernel = ({ argv }: ProcessRow): boolean => argv.some(isConnectionFile);

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

/**
 * It is connected to a display, so it shows a window there, or may: a document or picture that an
 * agent opened for the user, in which work may be that was not saved. A display that belongs to the
 * job itself (xvfb-run) or to another leftover is looked at by no user, unless a viewer could reach
 * it. A browser that a program drives shows its windows to the user as any other does, unless it
 * was started without any (headless).
 */
export const window: VetoRule = (row, facts, _role, context) => {
  if (showsElsewhere(programOf(row, facts), facts)) return veto('window', row, { at: row.comm });
  const displays = facts?.displays ?? [];
  const shown = displays.find(({ peer }) => peer === null || context.harmlessSockets?.has(peer) !== true);
  if (shown === undefined || isUnseen(programOf(row, facts))) return null;
  return veto('window', row, { at: shown.at });
};

/**
 * A debugger or tracer holds it: its end would take from the user what is being looked at. A tracer
 * that is a member of the same job doesn't count: an agent that runs `strace -f npm test &` leaves
 * both, and no user sits at either. A process in the tracing stop (state t) whose tracer can't be
 * seen is traced from outside.
 */
export const traced: VetoRule = (row, facts, _role, { rows, jobMembers }) => {
  // Windows does not tell which process it is.
  if (facts?.windows?.debugged === true) return veto('traced', row);
  const tracer = facts?.tracer ?? 0;
  if (tracer === 0) return row.state === 't' ? veto('traced', row) : null;
  if (jobMembers?.has(tracer) === true) return null;
  const by = rows.get(asPid(tracer));
  return veto('traced', row, { tracer, ...(by === undefined ? {} : { name: by.comm }) });
};

/**
 * The proxy of a sandbox may still be in use: the port that it forwards to is answered, or that is
 * unknown. It is useless only when its agent is gone and no process listens there any more.
 */
export const proxyInUse: VetoRule = (row, facts) => {
  const proxy = forwardedBy(row.argv);
  if (proxy === null || facts?.forwards === 'unanswered') return null;
  return veto('proxy-in-use', row, { port: proxy.port });
};

/** An editor, terminal, multiplexer, login shell, browser or shared daemon of the user. */
export const userProgram: VetoRule = (row, facts, _role, { rows }) => {
  const found = userProgramOf(row, facts, rows);
  return found === null ? null : veto(found.kind, row, { name: found.name });
};
