import { createRequire } from 'node:module';
import { type KoffiMissing, loadKoffi } from '../../native/koffi.ts';
import { type AsideCall, type AsideWork, type OwnCall, state, threadText, types, word, words } from './aside-thread.ts';
import { type DarwinKernel, type KernelAnswer, type KernelCall, darwinErrno, flavors, mibs } from './kernel.ts';
import { systemLibrary } from './koffi-kernel.ts';
import { bindWindows, windowsRoom } from './windows.ts';

/** Calls that may never return, made where that holds nothing up. */
export interface AsideCalls {
  /** Null: there is no answer yet, and nothing is known. */
  readonly ask: (name: FileCall, pid: number, flavor: number, arg: number, size: number) => KernelAnswer | null;
  /** The table of all processes. Null: the same. */
  readonly table: (size: number) => KernelAnswer | null;
  /** The owners of windows. Null: the same. */
  readonly windows: (size: number) => KernelAnswer | null;
  /** Processes about which a call has not returned. */
  readonly unanswered: () => readonly number[];
}

/** The calls among which are such that ask a file system. */
export type FileCall = Extract<KernelCall, 'info' | 'file' | 'path'>;

/**
 * Returns the name of a call that asks a file system: of an open file, of a working folder, of a
 * program's file. The first two read attributes (fill_vnodeinfo of xnu-11417), which never come
 * from a network volume that is gone. Null for what is the kernel's own: sockets, pipes, ids, rows.
 */
const fileCall = (name: KernelCall, flavor: number): FileCall | null => {
  if (name === 'path') return name;
  return (name === 'file' && flavor === flavors.file) || (name === 'info' && flavor === flavors.cwd) ? name : null;
};

const noAnswer: KernelAnswer = { bytes: Buffer.alloc(0), errno: darwinErrno.ETIMEDOUT };

/** True for the call that goes through all processes, and waits for each that is inside exec. */
const isTable = (name: readonly number[] | string): boolean =>
  typeof name !== 'string' && name.length === 3 && name.every((one, at) => one === mibs.allProcesses[at]);

/**
 * Returns the same kernel, of which no call about files can hold up Curfew. A call without an
 * answer counts as refused: what it would have told is unknown.
 *
 * Of the calls that wait for a process inside exec only that for the table is made aside. It comes
 * first in each look, and where it does not return there is no look, so none of the others is made.
 * Those are too many for threads: one for each process at each look.
 */
export const asideKernel = (kernel: DarwinKernel, aside: AsideCalls): DarwinKernel => ({
  call: (name, pid, flavor, arg, size) => {
    const asked = fileCall(name, flavor);
    return asked === null
      ? kernel.call(name, pid, flavor, arg, size)
      : (aside.ask(asked, pid, flavor, arg, size) ?? noAnswer);
  },
  sysctl: (name, size) => (isTable(name) ? (aside.table(size) ?? noAnswer) : kernel.sysctl(name, size)),
  windows: (size) => aside.windows(size) ?? noAnswer,
  upSeconds: () => kernel.upSeconds(),
  signalByToken: kernel.signalByToken,
  unanswered: aside.unanswered,
});

/** See `KernelCall`, and libproc.h and sysctl(3) for what each takes. */
const lateCalls = {
  info: { symbol: 'proc_pidinfo', takes: ['pid', 'flavor', 'wideArg', 'room', 'size'] },
  file: { symbol: 'proc_pidfdinfo', takes: ['pid', 'arg', 'flavor', 'room', 'size'] },
  path: { symbol: 'proc_pidpath', takes: ['pid', 'room', 'size'] },
  table: {
    symbol: 'sysctl',
    takes: ['mib', 'mibLength', 'room', 'length', 'nothing', 'none'],
    mib: mibs.allProcesses,
  },
} as const satisfies Readonly<Record<string, AsideCall>>;

const fileCalls = ['info', 'file', 'path'] as const;

/** Bytes that an answer about a file may have: a path of proc_pidpath. */
const fileRoom = 4_096;
/** And of the table: 12,000 processes, more than a Mac has. */
const tableRoom = 8 * 1_048_576;
/** As long as a look may take, see `NativeSource`. */
const tableMs = 2_000;

/** The window server answers in milliseconds; where none runs it may never. */
const windowsMs = 500;

/** Opens threads with the first question; null where they can't make the calls. */
const late = (options: AsideOptions): (() => Aside | null) => {
  let opened: Aside | null | undefined;
  return () => (opened === undefined ? (opened = Aside.open(options)) : opened);
};

/**
 * Returns the kernel with the calls that may never return in threads of their own, which begin with
 * the first such call. Where they can't, it is the kernel as it was: then each call is waited for.
 * The table has a thread for itself, so that files which are never told don't hide all processes.
 */
export const withCallsAside = (kernel: DarwinKernel | KoffiMissing): DarwinKernel | KoffiMissing => {
  if ('reason' in kernel) return kernel;
  const library = systemLibrary;
  const files = late({ library, calls: fileCalls.map((one) => lateCalls[one]), room: fileRoom });
  const table = late({ library, calls: [lateCalls.table], room: tableRoom });
  const windows = late({ library, calls: [], room: windowsRoom, own: bindWindows });
  let asked = false;
  return asideKernel(kernel, {
    ask: (name, pid, flavor, arg, size) => {
      asked = true;
      const threads = files();
      if (threads === null) return kernel.call(name, pid, flavor, arg, size);
      return threads.ask({ call: fileCalls.indexOf(name), pid, flavor, arg, size });
    },
    table: (size) => {
      const thread = size > tableRoom ? null : table();
      if (thread === null) return kernel.sysctl(mibs.allProcesses, size);
      return thread.ask({ call: 0, pid: null, flavor: 0, arg: 0, size }, tableMs);
    },
    windows: (size) => {
      const thread = windows();
      if (thread === null) return kernel.windows(size);
      return thread.ask({ call: 0, pid: null, flavor: 0, arg: 0, size }, windowsMs);
    },
    unanswered: () => (asked ? (files()?.unanswered ?? []) : []),
  });
};

export interface AsideQuestion {
  readonly call: number;
  /** Null: it is asked about no one process, and shares its time with no other question. */
  readonly pid: number | null;
  readonly flavor: number;
  readonly arg: number;
  readonly size: number;
}

export interface AsideOptions {
  /** Where the functions are; null: in the program itself. */
  readonly library: string | null;
  readonly calls: readonly AsideCall[];
  /** Bytes that an answer may have. */
  readonly room: number;
  readonly own?: OwnCall;
}

/** A call takes microseconds; calls that take longer than this together wait for something. */
const defaultDeadlineMs = 250;
/** Number of deadlines after which the time for a process counts anew. */
const renewedAfter = 4;
/** How long the start of a thread is waited for, ms. */
const maxStartMs = 5_000;
/** Calls that may be without an answer at once; then nothing is asked until one comes. */
const maxThreads = 3;

class AsideThread {
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  /** What it has not answered yet; null: it is free. */
  waitsFor: Pick<AsideQuestion, 'pid'> | null = null;

  constructor(work: Omit<AsideWork, 'shared' | 'names'>, own: OwnCall | null) {
    const { room } = work;
    const shared = new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT + room);
    this.#words = new Int32Array(shared, 0, words);
    this.#bytes = new Uint8Array(shared, words * Int32Array.BYTES_PER_ELEMENT, room);
    const workerData: AsideWork = { ...work, shared, names: { word, words, state, types } };
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const worker = new Worker(threadText(own), { eval: true, execArgv: [], workerData });
    // What it fails of it says in the shared memory.
    worker.on('error', () => undefined);
    worker.unref();
  }

  /** Waits for its start; false where it can't be asked. */
  begins(): boolean {
    Atomics.wait(this.#words, word.state, state.starting, maxStartMs);
    return Atomics.load(this.#words, word.state) === state.idle;
  }

  /** Notes an answer that came late: it is of no use any more, and the thread is free. */
  settle(): void {
    if (this.waitsFor === null || Atomics.load(this.#words, word.state) !== state.answered) return;
    this.waitsFor = null;
    Atomics.store(this.#words, word.state, state.idle);
  }

  /** Null: no answer within the deadline. */
  ask(question: AsideQuestion, deadlineMs: number): KernelAnswer | null {
    this.waitsFor = question;
    for (const name of ['call', 'pid', 'flavor', 'arg', 'size'] as const)
      Atomics.store(this.#words, word[name], question[name] ?? 0);
    Atomics.store(this.#words, word.state, state.asked);
    Atomics.notify(this.#words, word.state);
    Atomics.wait(this.#words, word.state, state.asked, deadlineMs);
    if (Atomics.load(this.#words, word.state) !== state.answered) return null;
    const length = Atomics.load(this.#words, word.length);
    const errno = Atomics.load(this.#words, word.errno);
    const failed = length < 0 || (length === 0 && errno !== 0);
    const bytes = Buffer.from(this.#bytes.subarray(0, failed ? 0 : length));
    this.settle();
    return { bytes, errno: failed ? errno || -1 : 0 };
  }
}

/**
 * Makes calls that may never return in threads of their own, and waits a short time for what is
 * asked of one process. What is not answered by then is unknown. A process about which a thread
 * still waits is not asked about again, and no more than three threads wait at once: calls never
 * pile up.
 */
export class Aside {
  readonly #options: AsideOptions;
  readonly #koffi: string;
  readonly #exitNow: (code: number) => void;
  readonly #threads: AsideThread[] = [];
  #canStart = true;
  /** What is left of the time for a process that is asked about again and again; null: for none. */
  #patience: { readonly pid: number; readonly sinceMs: number; readonly leftMs: number } | null = null;
  #leaves = false;

  private constructor(options: AsideOptions, koffi: string, exitNow: (code: number) => void) {
    this.#options = options;
    this.#koffi = koffi;
    this.#exitNow = exitNow;
  }

  /** Starts the first thread; null where threads can't make such calls. */
  static open(options: AsideOptions): Aside | null {
    const koffi = loadKoffi();
    if ('reason' in koffi) return null;
    try {
      const exitNow = koffi.load(options.library).func('_exit', 'void', ['int']) as (code: number) => void;
      const aside = new Aside(options, createRequire(import.meta.url).resolve('koffi'), exitNow);
      return aside.#start() === null ? null : aside;
    } catch {
      return null;
    }
  }

  /**
   * Asks; null: there is no answer, and nothing is known.
   * @param deadlineMs how long is waited for the answer, together with others about this process
   *   that were asked for right before
   */
  ask(question: AsideQuestion, deadlineMs = defaultDeadlineMs): KernelAnswer | null {
    const { pid } = question;
    if (this.#waiting().some((waiting) => waiting.pid === pid)) return null;
    const beganMs = performance.now();
    const known = this.#patience;
    const isSame = known !== null && known.pid === pid && beganMs - known.sinceMs < renewedAfter * deadlineMs;
    const { sinceMs, leftMs } = isSame ? known : { sinceMs: beganMs, leftMs: deadlineMs };
    if (leftMs <= 0) return null;
    const free = this.#threads.find(({ waitsFor }) => waitsFor === null) ?? this.#start();
    if (free === null) return null;
    const answer = free.ask(question, leftMs);
    if (pid !== null) this.#patience = { pid, sinceMs, leftMs: leftMs - (performance.now() - beganMs) };
    if (answer === null) this.#leaveAtExit();
    return answer;
  }

  get unanswered(): readonly number[] {
    return this.#waiting().flatMap(({ pid }) => pid ?? []);
  }

  #waiting(): readonly Pick<AsideQuestion, 'pid'>[] {
    for (const thread of this.#threads) thread.settle();
    return this.#threads.flatMap(({ waitsFor }) => waitsFor ?? []);
  }

  #start(): AsideThread | null {
    if (!this.#canStart || this.#threads.length >= maxThreads) return null;
    const { library, calls, room, own = null } = this.#options;
    const thread = new AsideThread({ koffi: this.#koffi, library, calls, room }, own);
    this.#canStart = thread.begins();
    if (this.#canStart) this.#threads.push(thread);
    return this.#canStart ? thread : null;
  }

  /** Node waits at its exit for every thread, and one inside a call can't be told to end. */
  #leaveAtExit(): void {
    if (this.#leaves) return;
    this.#leaves = true;
    process.on('exit', (code) => {
      if (this.#waiting().length > 0) this.#exitNow(code);
    });
  }
}
