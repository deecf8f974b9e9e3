import type { DarwinKernel, KernelAnswer, KernelCall } from '../../main/os/darwin/kernel/kernel.ts';
import { argumentArea } from './argument-area.ts';
import * as structs from './c-structs.ts';

/** A file, pipe or socket that a process has open. */
export type Opened =
  | {
      readonly fd: number;
      readonly kind: 'file';
      readonly path: string;
      readonly deleted?: boolean;
      readonly device?: boolean;
      readonly fifo?: boolean;
    }
  | { readonly fd: number; readonly kind: 'pipe'; readonly handle: number; readonly peer: number }
  | {
      readonly fd: number;
      readonly kind: 'local';
      readonly socket: number;
      readonly peer: number;
      readonly name?: string;
    }
  | {
      readonly fd: number;
      readonly kind: 'tcp';
      readonly socket: number;
      readonly local: number;
      readonly foreign: number;
      readonly listens?: boolean;
    };

/** A process of the simulated machine. */
export interface Simulated {
  readonly pid: number;
  ppid: number;
  pgid: number;
  sid: number;
  uid: number;
  tty: number;
  /** p_stat. */
  status: number;
  /** Microseconds since the epoch. */
  readonly start: number;
  /** Seconds awake of the machine before. */
  readonly startUp: number;
  readonly uniqueId: number;
  parentUniqueId: number;
  version: number;
  coalition: number;
  path: string;
  argv: readonly string[];
  env: readonly string[];
  /** Written over its arguments by itself. */
  title?: string;
  cwd: string;
  opened: readonly Opened[];
  cpuTicks: number;
  /** System calls that it has made. */
  calls: number;
  /** A debugger holds it. */
  traced?: boolean;
  /** TERM does not end it. */
  deaf?: boolean;
  /** Called when a signal is about to reach it. */
  onSignal?: () => void;
}

/** What a process is started with; what is left out it has from its parent. */
export type Start = Partial<Pick<Simulated, 'uid' | 'argv' | 'env' | 'path' | 'cwd' | 'opened' | 'tty' | 'title'>> & {
  readonly setsid?: boolean;
  readonly group?: boolean;
};

const ESRCH = 3;
const EPERM = 1;
const ENOMEM = 12;
const EINVAL = 22;
const EBADF = 9;
const zombie = 5;
/** It is no process of the user, and shows the menu bar. */
const windowServer = 99_000;
/** When launchd of the simulated machine starts, 9 s after the boot. */
const bootedMs = 1_790_000_000_000 - 9_000;

const isApple = (path: string): boolean => /^\/(?:bin|sbin|usr\/bin|usr\/sbin|System)\//u.test(path);

/**
 * A Mac as far as Curfew asks of it: processes with unique ids, versions that change with fork and
 * exec, orphans that come to launchd, coalitions, hidden environments of the system's programs, and
 * signals by audit token. Answers with bytes. Written from Apple's sources (xnu-11417); whether a
 * real kernel does the same is what the self-check asks on each machine.
 */
export class SimulatedKernel implements DarwinKernel {
  readonly processes = new Map<number, Simulated>();
  /** Calls by name, to be counted. */
  readonly counts = new Map<string, number>();
  /** Signals that reached a process. */
  readonly signals: { readonly uniqueId: number; readonly signal: number }[] = [];
  /** Runs before each call: what happens to the machine meanwhile. */
  before: (name: string, pid: number) => void = () => undefined;
  /** Changes an answer: what a kernel that is not as described might say. */
  alter: (name: string, answer: KernelAnswer, pid: number) => KernelAnswer = (_name, answer) => answer;
  /** Wall clock, milliseconds. */
  nowMs = 1_790_000_000_000;
  /** By how much the clock gained on the time awake: it was set, or the machine slept. */
  #gainedMs = 0;
  /** The process that asks: each question is a call of its own. */
  asker: Simulated | null = null;
  /** Pids of the owners of windows; the window server always has one. */
  shown: readonly number[] = [];
  /**
   * Whether Curfew is in a session with windows: in the user's, or in none (SSH).
   */
  desktop: 'own' | 'none' = 'own';
  boot = '0F0F0F0F-1111-2222-3333-444444444444';
  signalByToken: DarwinKernel['signalByToken'] = (token, signal) => {
    this.before('signal', token.readUInt32LE(20));
    return this.#signal(token, signal);
  };
  #nextPid = 100;
  #nextId = 1_000;
  #nextVersion = 5_000;
  #nextCoalition = 50;
  readonly #caller: number;

  /** @param ownUid the user as whom Curfew asks */
  constructor(ownUid = 501) {
    this.#caller = ownUid;
    const launchd = this.#add({
      pid: 1,
      ppid: 0,
      parentUniqueId: 0,
      uid: 0,
      path: '/sbin/launchd',
      argv: ['/sbin/launchd'],
    });
    launchd.coalition = 1;
    this.#add({ pid: 0, ppid: 0, parentUniqueId: 0, uid: 0, path: '/kernel', argv: [] });
  }

  /** A process forks and the child calls exec. */
  start(parent: Simulated, how: Start): Simulated {
    const pid = this.#freePid();
    const child = this.#add({
      pid,
      ppid: parent.pid,
      parentUniqueId: parent.uniqueId,
      uid: how.uid ?? parent.uid,
      path: how.path ?? how.argv?.[0] ?? parent.path,
      argv: how.argv ?? parent.argv,
    });
    child.env = how.env ?? parent.env;
    child.cwd = how.cwd ?? parent.cwd;
    child.opened = how.opened ?? parent.opened;
    child.coalition = parent.coalition;
    child.tty = how.tty ?? (how.setsid === true ? 0 : parent.tty);
    child.sid = how.setsid === true ? pid : parent.sid;
    child.pgid = how.setsid === true || how.group === true ? pid : parent.pgid;
    if (how.title !== undefined) child.title = how.title;
    return child;
  }

  /** launchd starts an app or a job: it gets a coalition of its own. */
  launch(how: Start): Simulated {
    const launched = this.start(this.launchd, { uid: this.#caller, setsid: true, ...how });
    launched.coalition = this.#nextCoalition++;
    return launched;
  }

  /** The unique id that the next process gets. */
  get nextUniqueId(): number {
    return this.#nextId;
  }

  get launchd(): Simulated {
    return this.processes.get(1) as Simulated;
  }

  /** A process calls exec: another version, and since macOS 13 the parent of this moment. */
  exec(process: Simulated, how: Pick<Start, 'argv' | 'path' | 'env'>): void {
    process.argv = how.argv ?? process.argv;
    process.path = how.path ?? how.argv?.[0] ?? process.path;
    process.env = how.env ?? process.env;
    delete process.title;
    process.version = this.#nextVersion++;
    process.parentUniqueId = this.processes.get(process.ppid)?.uniqueId ?? this.launchd.uniqueId;
  }

  /** A process ends; its children go to launchd, which also removes it. */
  end(process: Simulated): void {
    for (const one of this.processes.values()) if (one.ppid === process.pid && one !== process) one.ppid = 1;
    this.processes.delete(process.pid);
  }

  /** A process ends and stays a zombie. */
  die(process: Simulated): void {
    for (const one of this.processes.values()) if (one.ppid === process.pid && one !== process) one.ppid = 1;
    process.status = zombie;
  }

  /** Gives a pid that is free to the next process. */
  reuse(pid: number): void {
    this.#nextPid = pid;
  }

  call(name: KernelCall, pid: number, flavor: number, arg: number, size: number): KernelAnswer {
    const key = name === 'info' || name === 'file' ? `${name} ${flavor}` : name;
    return this.#asked(key, pid, () => this.#call(name, pid, flavor, arg, size));
  }

  sysctl(name: readonly number[] | string, size: number): KernelAnswer {
    const key = typeof name === 'string' ? name : name[1] === 49 ? 'arguments' : name[2] === 0 ? 'table' : 'row';
    return this.#asked(key, typeof name === 'string' ? 0 : (name[name.length - 1] ?? 0), () => {
      if (name === 'kern.bootsessionuuid') return ok(Buffer.from(`${this.boot}\0`));
      if (name === 'hw.tbfrequency') return ok(Buffer.from([0, 0x36, 0x6e, 1, 0, 0, 0, 0]));
      if (typeof name === 'string') return failed(2);
      if (name[1] === 49) return this.#arguments(name[2] ?? 0, size);
      const wanted = name[2] === 0 ? [...this.processes.values()] : [this.processes.get(name[3] ?? 0)];
      const bytes = Buffer.concat(wanted.flatMap((one) => (one === undefined ? [] : [this.#row(one)])));
      return bytes.length > size ? failed(ENOMEM) : ok(bytes);
    });
  }

  windows(size: number): KernelAnswer {
    return this.#asked('windows', -1, () => {
      const own = this.desktop === 'own';
      const words = own ? [1, windowServer, ...this.shown.filter((pid) => this.processes.has(pid))] : [0];
      const bytes = Buffer.alloc(4 * words.length);
      words.forEach((word, index) => bytes.writeInt32LE(word, 4 * index));
      return bytes.length > size ? failed(-1) : ok(bytes);
    });
  }

  upSeconds(): number | null {
    return (this.nowMs - this.#gainedMs - bootedMs) / 1_000;
  }

  /**
   * The clock goes by so many seconds while the time awake stands still: it was set, forward or
   * back, or the machine slept, or the host of this guest.
   */
  setClock(seconds: number): void {
    this.nowMs += seconds * 1_000;
    this.#gainedMs += seconds * 1_000;
  }

  #asked(key: string, pid: number, answer: () => KernelAnswer): KernelAnswer {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    if (this.asker !== null) this.asker.calls += 1;
    this.before(key, pid);
    return this.alter(key, answer(), pid);
  }

  #call(name: KernelCall, pid: number, flavor: number, arg: number, size: number): KernelAnswer {
    const process = this.processes.get(pid);
    if (process === undefined || (process.status === zombie && name !== 'session')) return failed(ESRCH);
    const isOwn = process.uid === this.#caller;
    switch (name) {
      case 'session': {
        const bytes = Buffer.alloc(4);
        bytes.writeInt32LE(process.sid, 0);
        return ok(bytes);
      }
      case 'path':
        return ok(Buffer.from(process.path));
      case 'signature': {
        const bytes = Buffer.alloc(4);
        bytes.writeUInt32LE(isApple(process.path) ? 0x800 : 0x10000, 0);
        return ok(bytes);
      }
      case 'usage':
        return isOwn
          ? ok(
              structs.encode(structs.resourceUsage, {
                ri_user_time: process.cpuTicks,
                ri_phys_footprint: 4_096,
                ri_proc_start_abstime: Math.round(process.startUp * 24_000_000),
              }),
            )
          : failed(EPERM);
      case 'file':
        return isOwn ? openedBytes(process, arg, flavor) : failed(EPERM);
      case 'info':
        return this.#info(process, flavor, size, isOwn);
    }
  }

  #info(process: Simulated, flavor: number, size: number, isOwn: boolean): KernelAnswer {
    const whole = (bytes: Buffer): KernelAnswer => (bytes.length > size ? failed(ENOMEM) : ok(bytes));
    if (flavor === 17)
      return whole(
        structs.encode(structs.uniqueIdentifiers, {
          p_uniqueid: process.uniqueId,
          p_puniqueid: process.parentUniqueId,
          p_idversion: process.version,
        }),
      );
    if (flavor === 20) return whole(structs.encode(structs.coalitionInfo, { coalition_id: process.coalition }));
    if (!isOwn) return failed(EPERM);
    if (flavor === 9)
      return whole(
        structs.encode(structs.folders, { 'pvi_cdir.vip_path': process.cwd, 'pvi_cdir.vi_stat.vst_nlink': 2 }),
      );
    if (flavor === 4) return whole(structs.encode(structs.taskInfo, { pti_syscalls_unix: process.calls }));
    if (flavor !== 1) return failed(EINVAL);
    const list = process.opened.map(({ fd, kind }) =>
      structs.encode(structs.descriptor, { proc_fd: fd, proc_fdtype: kind === 'file' ? 1 : kind === 'pipe' ? 6 : 2 }),
    );
    return ok(Buffer.concat(list).subarray(0, size - (size % 8)));
  }

  #arguments(pid: number, size: number): KernelAnswer {
    const process = this.processes.get(pid);
    if (process === undefined || process.status === zombie || process.uid !== this.#caller) return failed(EINVAL);
    const bytes = argumentArea(process, isApple(process.path), process.title);
    // Too little room: the end of the area, as a success.
    return ok(bytes.length > size ? bytes.subarray(bytes.length - size) : bytes);
  }

  #row(process: Simulated): Buffer {
    return structs.encode(structs.kinfoProc, {
      start_sec: Math.floor(process.start / 1_000_000),
      start_usec: process.start % 1_000_000,
      p_flag: process.pid === 0 ? 0x200 : process.traced === true ? 0x804 : 0x4,
      p_stat: process.status,
      p_pid: process.pid,
      p_comm: Buffer.from(process.path.slice(process.path.lastIndexOf('/') + 1)).subarray(0, 16),
      p_ruid: process.uid,
      cr_uid: process.uid,
      e_ppid: process.ppid,
      e_pgid: process.pgid,
      e_tdev: process.tty === 0 ? -1 : process.tty,
      e_flag: process.sid === process.pid ? 2 : 0,
    });
  }

  #signal(token: Buffer, signal: number): number {
    const process = this.processes.get(token.readUInt32LE(20));
    if (process === undefined || process.status === zombie) return ESRCH;
    if (process.version !== token.readUInt32LE(28)) return ESRCH;
    if (process.uid !== this.#caller) return EPERM;
    this.deliver(process, signal);
    return 0;
  }

  /** A signal arrives: TERM and KILL end the process. */
  deliver(process: Simulated, signal: number): void {
    this.signals.push({ uniqueId: process.uniqueId, signal });
    process.onSignal?.();
    if (signal === 9 || (signal === 15 && process.deaf !== true)) this.end(process);
  }

  /** A number that names a living process, group or session is not given again (xnu: forkproc). */
  #isTaken(pid: number): boolean {
    return [...this.processes.values()].some((one) => one.pid === pid || one.pgid === pid || one.sid === pid);
  }

  #freePid(): number {
    while (this.#isTaken(this.#nextPid)) this.#nextPid += 1;
    return this.#nextPid++;
  }

  #add(one: Pick<Simulated, 'pid' | 'ppid' | 'parentUniqueId' | 'uid' | 'path' | 'argv'>): Simulated {
    const process: Simulated = {
      ...one,
      pgid: one.pid,
      sid: one.pid,
      tty: 0,
      status: 2,
      start: this.nowMs * 1_000 + (this.#nextId % 1_000),
      startUp: this.upSeconds() ?? 0,
      uniqueId: this.#nextId++,
      version: this.#nextVersion++,
      coalition: 1,
      env: [],
      cwd: '/',
      opened: [],
      cpuTicks: 0,
      calls: 0,
    };
    this.processes.set(one.pid, process);
    return process;
  }
}

const ok = (bytes: Buffer): KernelAnswer => ({ bytes, errno: 0 });
const failed = (errno: number): KernelAnswer => ({ bytes: Buffer.alloc(0), errno });

const named = (path: string): Buffer =>
  Buffer.concat([Buffer.from([path.length + 2, 1]), Buffer.from(path), Buffer.from([0])]);

const portBytes = (port: number): Buffer => Buffer.from([port >> 8, port & 0xff, 0, 0]);

const openedBytes = (process: Simulated, fd: number, flavor: number): KernelAnswer => {
  const one = process.opened.find((opened) => opened.fd === fd);
  if (one === undefined) return failed(EBADF);
  switch (one.kind) {
    case 'file':
      return flavor !== 2
        ? failed(EBADF)
        : ok(
            structs.encode(structs.openedFile, {
              'pvip.vip_path': one.path,
              'pvip.vi_type': one.device === true ? 4 : one.fifo === true ? 7 : 1,
              'pvip.vi_stat.vst_nlink': one.deleted === true ? 0 : 1,
            }),
          );
    case 'pipe':
      return flavor !== 6
        ? failed(EBADF)
        : ok(
            structs.encode(structs.openedPipe, {
              pipe_handle: one.handle,
              pipe_peerhandle: one.peer,
              pipe_status: one.peer === 0 ? 0x80 : 0,
            }),
          );
    case 'local':
      return flavor !== 3
        ? failed(38)
        : ok(
            structs.encode(structs.openedLocalSocket, {
              soi_so: one.socket,
              soi_type: 1,
              soi_family: 1,
              soi_kind: 3,
              soi_state: one.peer === 0 && one.name === undefined ? 0x2030 : 2,
              unsi_conn_so: one.peer,
              ...(one.name === undefined ? {} : { unsi_addr: named(one.name) }),
            }),
          );
    case 'tcp':
      return flavor !== 3
        ? failed(38)
        : ok(
            structs.encode(structs.openedTcpSocket, {
              soi_so: one.socket,
              soi_type: 1,
              soi_family: 2,
              soi_kind: 2,
              insi_vflag: 1,
              insi_lport: portBytes(one.local).readInt32LE(0),
              insi_fport: portBytes(one.foreign).readInt32LE(0),
              insi_laddr: Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 127, 0, 0, 1]),
              insi_faddr: Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 127, 0, 0, 1]),
              tcpsi_state: one.listens === true ? 1 : 4,
            }),
          );
  }
};
