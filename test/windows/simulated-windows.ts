import { accessRight, ntStatus, processClass, systemClass, tokenClass } from '../../main/os/windows/kernel/kernel.ts';
import type {
  FileKind,
  PortTable,
  SystemAnswer,
  TopWindow,
  WindowsKernel,
} from '../../main/os/windows/kernel/kernel.ts';

/** A process of the simulated machine. */
export interface Simulated {
  readonly pid: number;
  readonly parent: number;
  /** FILETIME. */
  readonly created: bigint;
  image: string;
  commandLine: string;
  environment: readonly string[];
  folder: string;
  /**
   * Paths of standard input, output and error; null: none. `pipe` and `pipe:NAME` are pipes, which
   * have the same number in every process that holds that name.
   */
  standard: readonly (string | null)[];
  console: boolean;
  user: number;
  session: number;
  elevated: boolean;
  integrity: number;
  critical: boolean;
  /** Its memory may not be read, as of elevated processes. */
  closed: boolean;
  /** A debugger holds it. */
  debugged: boolean;
  /** Only KILL ends it; see `askConsole`. */
  deaf: boolean;
  /** Called when it is asked to end. */
  onAsked: (() => void) | null;
  /** Which console it is in, where it has one. */
  consoleId: number;
  ended: boolean;
  /** 100 ns. */
  cpu: bigint;
  workingSet: bigint;
}

/** What a process is started with; what is left out it has from its parent or by default. */
export type Start = Partial<Omit<Simulated, 'pid' | 'parent' | 'created'>> & {
  readonly pid?: number;
  readonly parent?: number;
};

/** One row of TCP. */
export interface SimulatedTcp {
  readonly listens?: boolean;
  readonly local: number;
  readonly remote?: number;
  readonly pid: number;
}

const start2026 = 134_117_280_000_000_000n;
const bootedMs = Number((start2026 - 116_444_736_000_000_000n) / 10_000n);
const tableAddress = 0x7ff0_0000_0000n;
const pebOf = (pid: number): bigint => 0x1_0000_0000n + BigInt(pid) * 0x100_0000n;

/** Fields of the structs as ntdll's headers and Wine's winternl.h have them. */
const unicode = (bytes: Buffer, at: number, text: string, address: bigint): void => {
  bytes.writeUInt16LE(text.length * 2, at);
  bytes.writeUInt16LE(text.length * 2 + 2, at + 2);
  bytes.writeBigUInt64LE(address, at + 8);
};

const sidOf = (...parts: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(8 + 4 * parts.length);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt8(parts.length, 1);
  bytes.writeUInt8(5, 7);
  parts.forEach((part, index) => bytes.writeUInt32LE(part >>> 0, 8 + 4 * index));
  return bytes;
};

const tokenSid = (sid: Buffer): Buffer => Buffer.concat([Buffer.alloc(16), sid]);

/**
 * A Windows as far as Curfew asks of it: processes that keep their parents' ids, ids that are given
 * out again, memory with parameters and environment, tokens, handles. Answers with bytes. What a
 * real Windows does is what the self-check asks on each machine.
 */
export class SimulatedWindows implements WindowsKernel {
  readonly processes = new Map<number, Simulated>();
  readonly counts = new Map<string, number>();
  readonly handles = new Map<number, Simulated>();
  readonly memoryOf = new Map<number, Map<bigint, Buffer>>();
  tcp: readonly SimulatedTcp[] = [];
  /** The taskbar is always there. */
  shown: readonly TopWindow[] = [{ window: 1, pid: 12, visible: true, kind: 'Shell_TrayWnd' }];
  closed: number[] = [];
  nowMs = Date.UTC(2026, 0, 1, 1);
  /** Calls that fail, by their names and classes: `memory`, `process 7`. */
  refused: ReadonlySet<string> = new Set();
  /** Changes a struct before it is told: what a Windows that is not as described might say. */
  alter: (struct: string, bytes: Buffer) => Buffer = (_struct, bytes) => bytes;
  /** Everything that was sent, in its order. */
  readonly sent: { readonly to: Simulated; readonly what: 'terminate' | 'close' | 'console' }[] = [];
  /** By how much the clock gained on the time awake: it was set, or the machine slept. */
  #gainedMs = 0;
  #nextPid = 100;
  #nextHandle = 8;
  readonly #pipes: string[] = [];
  #created = start2026;

  constructor() {
    this.start(null, { pid: 4, parent: 0, image: 'System', user: 0, session: 0 });
    this.start(null, { pid: 8, parent: 4, image: 'services.exe', user: 0, session: 0 });
    this.start(null, { pid: 12, parent: 996, image: 'explorer.exe', commandLine: 'C:\\Windows\\explorer.exe' });
  }

  get explorer(): Simulated {
    return this.processes.get(12) as Simulated;
  }

  /** Never the pid of this process as Windows rounds it, to which Curfew would send nothing. */
  #freePid(): number {
    this.#nextPid += 4;
    if (this.#nextPid === process.pid - (process.pid % 4)) this.#nextPid += 4;
    return this.#nextPid;
  }

  /** Starts a process. */
  start(parent: Simulated | null, given: Start = {}): Simulated {
    const now = BigInt(this.nowMs) * 10_000n + 116_444_736_000_000_000n;
    this.#created = this.#created + 10_000n > now ? this.#created + 10_000n : now;
    const pid = given.pid ?? this.#freePid();
    const one: Simulated = {
      image: 'node.exe',
      commandLine: given.image ?? 'node.exe',
      environment: parent?.environment ?? ['Path=C:\\Windows', 'USERPROFILE=C:\\Users\\me'],
      folder: parent?.folder ?? 'C:\\work\\',
      standard: [null, null, null],
      console: parent?.console ?? true,
      user: 1001,
      session: 1,
      elevated: false,
      integrity: 0x2000,
      critical: false,
      closed: false,
      debugged: false,
      deaf: false,
      onAsked: null,
      consoleId: parent?.consoleId ?? 0,
      ended: false,
      cpu: 0n,
      workingSet: 4_096n,
      ...given,
      pid,
      parent: given.parent ?? parent?.pid ?? 0,
      created: this.#created,
    };
    this.processes.set(pid, one);
    this.nowMs = Math.max(this.nowMs, Number((this.#created - 116_444_736_000_000_000n) / 10_000n));
    return one;
  }

  /** It has ended; its id is free. */
  end(one: Simulated): void {
    one.ended = true;
    if (this.processes.get(one.pid) === one) this.processes.delete(one.pid);
  }

  #answer(bytes: Buffer, size: number, address = tableAddress): SystemAnswer {
    return bytes.length > size
      ? { status: ntStatus.lengthMismatch, bytes: Buffer.alloc(0), address }
      : { status: 0, bytes, address };
  }

  #failed(status: number): SystemAnswer {
    return { status, bytes: Buffer.alloc(0), address: 0n };
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  system(informationClass: number, size: number): SystemAnswer {
    this.#count('table');
    if (this.refused.has('system')) return this.#failed(ntStatus.denied);
    if (informationClass !== systemClass.processes) return this.#failed(0xc0000003);
    const rows = [...this.processes.values()];
    const chunks: Buffer[] = [];
    let at = 0;
    for (const [index, one] of rows.entries()) {
      const threads = 2;
      const nameAt = 0x100 + threads * 0x50;
      const length = Math.ceil((nameAt + one.image.length * 2) / 8) * 8;
      const bytes = Buffer.alloc(length);
      bytes.writeUInt32LE(index === rows.length - 1 ? 0 : length, 0);
      bytes.writeUInt32LE(one.ended ? 0 : threads, 4);
      bytes.writeBigUInt64LE(one.created, 0x20);
      bytes.writeBigUInt64LE(one.cpu, 0x28);
      unicode(bytes, 0x38, one.image, tableAddress + BigInt(at + nameAt));
      bytes.writeBigUInt64LE(BigInt(one.pid), 0x50);
      bytes.writeBigUInt64LE(BigInt(one.parent), 0x58);
      bytes.writeUInt32LE(one.session, 0x64);
      bytes.writeBigUInt64LE(one.workingSet, 0x90);
      bytes.write(one.image, nameAt, 'utf16le');
      chunks.push(this.alter('row', bytes));
      at += length;
    }
    return this.#answer(Buffer.concat(chunks), size);
  }

  open(pid: number, access: number): { readonly status: number; readonly handle: number } {
    this.#count('open');
    if (this.refused.has('open')) return { status: ntStatus.denied, handle: 0 };
    if (pid <= 0 || pid % 4 !== 0) return { status: ntStatus.invalidParameter, handle: 0 };
    const one = this.processes.get(pid);
    if (one === undefined) return { status: ntStatus.noSuchProcess, handle: 0 };
    const strange = one.user !== 1001 || one.closed;
    if (strange && (access & ~(accessRight.limited | accessRight.wait)) !== 0)
      return { status: ntStatus.denied, handle: 0 };
    this.#nextHandle += 4;
    this.handles.set(this.#nextHandle, one);
    return { status: 0, handle: this.#nextHandle };
  }

  close(handle: number): void {
    this.handles.delete(handle);
  }

  process(handle: number, informationClass: number, size: number): SystemAnswer {
    this.#count(`process ${informationClass}`);
    if (this.refused.has(`process ${informationClass}`)) return this.#failed(ntStatus.denied);
    const one = this.handles.get(handle);
    if (one === undefined) return this.#failed(0xc0000008);
    switch (informationClass) {
      case processClass.basic: {
        const bytes = Buffer.alloc(48);
        bytes.writeBigUInt64LE(pebOf(one.pid), 8);
        bytes.writeBigUInt64LE(BigInt(one.pid), 0x20);
        bytes.writeBigUInt64LE(BigInt(one.parent), 0x28);
        return this.#answer(this.alter('basic', bytes), size);
      }
      case processClass.times: {
        const bytes = Buffer.alloc(32);
        bytes.writeBigUInt64LE(one.created, 0);
        bytes.writeBigUInt64LE(one.ended ? one.created + 1n : 0n, 8);
        bytes.writeBigUInt64LE(one.cpu, 24);
        return this.#answer(this.alter('times', bytes), size);
      }
      case processClass.session: {
        const bytes = Buffer.alloc(4);
        bytes.writeUInt32LE(one.session, 0);
        return this.#answer(this.alter('session', bytes), size);
      }
      case processClass.breakOnTermination: {
        const bytes = Buffer.alloc(4);
        bytes.writeUInt32LE(one.critical ? 1 : 0, 0);
        return this.#answer(this.alter('critical', bytes), size);
      }
      case processClass.debugPort: {
        const bytes = Buffer.alloc(8);
        bytes.writeBigUInt64LE(one.debugged ? 0xffff_ffff_ffff_ffffn : 0n, 0);
        return one.closed ? this.#failed(ntStatus.denied) : this.#answer(this.alter('debug port', bytes), size);
      }
      case processClass.imageName:
        return this.#answer(this.alter('image', this.#text(`C:\\bin\\${one.image}`)), size);
      case processClass.commandLine:
        return one.closed ? this.#answer(this.#text(one.commandLine), size) : this.#failed(0xc0000003);
      default:
        return this.#failed(0xc0000003);
    }
  }

  isCritical(handle: number): boolean | null {
    this.#count('critical');
    const one = this.handles.get(handle);
    if (one === undefined || this.refused.has('critical')) return null;
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(one.critical ? 1 : 0, 0);
    return this.alter('critical answer', bytes).readUInt32LE(0) !== 0;
  }

  #text(text: string): Buffer {
    const bytes = Buffer.alloc(16 + text.length * 2);
    unicode(bytes, 0, text, tableAddress + 16n);
    bytes.write(text, 16, 'utf16le');
    return bytes;
  }

  memory(handle: number, address: bigint, size: number): Buffer | null {
    this.#count('memory');
    if (this.refused.has('memory')) return null;
    const one = this.handles.get(handle);
    if (one === undefined || one.closed || one.user !== 1001 || one.ended) return null;
    for (const [start, bytes] of this.#memory(one))
      if (address >= start && address + BigInt(size) <= start + BigInt(bytes.length))
        return Buffer.from(bytes.subarray(Number(address - start), Number(address - start) + size));
    return null;
  }

  #memory(one: Simulated): ReadonlyMap<bigint, Buffer> {
    const base = pebOf(one.pid);
    const peb = Buffer.alloc(0x400);
    peb.writeUInt8(one.debugged ? 1 : 0, 0x02);
    peb.writeBigUInt64LE(base + 0x1000n, 0x20);
    const parameters = Buffer.alloc(0x400);
    const environment = Buffer.from(`${one.environment.map((entry) => `${entry}\0`).join('')}\0`, 'utf16le');
    parameters.writeBigUInt64LE(one.console ? 0x44n : 0n, 0x10);
    one.standard.forEach((path, fd) =>
      parameters.writeBigUInt64LE(path === null ? 0n : this.#valueOf(path, fd), 0x20 + fd * 8),
    );
    unicode(parameters, 0x38, one.folder, base + 0x2000n);
    unicode(parameters, 0x70, one.commandLine, base + 0x4000n);
    parameters.writeBigUInt64LE(base + 0x20000n, 0x80);
    parameters.writeBigUInt64LE(BigInt(environment.length), 0x3f0);
    return new Map([
      [base, this.alter('peb', peb)],
      [base + 0x1000n, this.alter('parameters', parameters)],
      [base + 0x2000n, Buffer.from(one.folder, 'utf16le')],
      [base + 0x4000n, Buffer.from(one.commandLine, 'utf16le')],
      [base + 0x20000n, environment],
    ]);
  }

  token(handle: number, informationClass: number): Buffer | null {
    this.#count(`token ${informationClass}`);
    if (this.refused.has('token')) return null;
    const one = this.handles.get(handle);
    if (one === undefined || one.user === 0) return null;
    switch (informationClass) {
      case tokenClass.user:
        return this.alter('user', tokenSid(sidOf(21, 1, 2, 3, one.user)));
      case tokenClass.elevation: {
        const bytes = Buffer.alloc(4);
        bytes.writeUInt32LE(one.elevated ? 1 : 0, 0);
        return this.alter('elevation', bytes);
      }
      default:
        return this.alter('integrity', tokenSid(sidOf(one.integrity)));
    }
  }

  terminate(handle: number): number {
    const one = this.handles.get(handle);
    if (one === undefined) return 0xc0000008;
    this.sent.push({ to: one, what: 'terminate' });
    this.end(one);
    return 0;
  }

  /** Living processes in a console. */
  inConsole(consoleId: number): readonly Simulated[] {
    return [...this.processes.values()].filter((one) => one.console && one.consoleId === consoleId);
  }

  /** The event of a console, which reaches everything in it. */
  askConsole(consoleId: number): void {
    for (const one of this.inConsole(consoleId)) this.#ask(one, 'console');
  }

  #ask(one: Simulated, what: 'close' | 'console'): void {
    this.sent.push({ to: one, what });
    one.onAsked?.();
    if (!one.deaf) this.end(one);
  }

  wait(handle: number): 'ended' | 'lives' | 'unknown' {
    const one = this.handles.get(handle);
    if (one === undefined) return 'unknown';
    return one.ended ? 'ended' : 'lives';
  }

  ports(table: PortTable): Buffer | null {
    if (this.refused.has('ports')) return null;
    if (table !== 'tcp4') return Buffer.alloc(4);
    const bytes = Buffer.alloc(4 + 24 * this.tcp.length);
    bytes.writeUInt32LE(this.tcp.length, 0);
    this.tcp.forEach((one, index) => {
      const at = 4 + index * 24;
      bytes.writeUInt32LE(one.listens === true ? 2 : 5, at);
      bytes.writeUInt32BE(0x7f000001, at + 4);
      bytes.writeUInt16BE(one.local, at + 8);
      bytes.writeUInt32BE(0x7f000001, at + 12);
      bytes.writeUInt16BE(one.remote ?? 0, at + 16);
      bytes.writeUInt32LE(one.pid, at + 20);
      this.alter('tcp', bytes.subarray(at, at + 24)).copy(bytes, at);
    });
    return bytes;
  }

  windows(): readonly TopWindow[] | null {
    return this.refused.has('windows') ? null : this.shown;
  }

  closeWindow(window: number, pid: number): boolean {
    if (!this.shown.some((one) => one.window === window && one.pid === pid)) return false;
    this.closed.push(window);
    const one = this.processes.get(pid);
    if (one !== undefined) this.#ask(one, 'close');
    return true;
  }

  /** The number of a standard handle. */
  #valueOf(path: string, fd: number): bigint {
    if (!path.startsWith('pipe:')) return BigInt(0x50 + fd);
    if (!this.#pipes.includes(path)) this.#pipes.push(path);
    return BigInt(0x1000 + 4 * this.#pipes.indexOf(path));
  }

  filePath(handle: number, file: bigint): { readonly path: string | null; readonly kind: FileKind } | null {
    this.#count('file');
    const path = this.handles.get(handle)?.standard.find((one, fd) => one !== null && this.#valueOf(one, fd) === file);
    if (path == null) return null;
    if (path === 'pipe' || path.startsWith('pipe:')) return { path: null, kind: 'pipe' };
    return path === 'NUL' ? { path: null, kind: 'device' } : { path: `\\\\?\\${path}`, kind: 'disk' };
  }

  awakeMs(): number | null {
    return this.refused.has('awake') ? null : this.nowMs - this.#gainedMs - bootedMs;
  }

  /**
   * The clock goes by so many seconds while the time awake stands still: it was set, forward or
   * back, or the machine slept, or the host of this guest.
   */
  setClock(seconds: number): void {
    this.nowMs += seconds * 1_000;
    this.#gainedMs += seconds * 1_000;
    this.#created = BigInt(this.nowMs) * 10_000n + 116_444_736_000_000_000n;
  }
}
