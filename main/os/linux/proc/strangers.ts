import { readFileSync } from 'node:fs';
import { loadKoffi } from '../../native/koffi.ts';
import { heldIn } from '../../files/held-readers.ts';
import { filesHere } from '../../files/small-file.ts';

/** Files of /proc/PID whose reader the kernel may hold. */
const heldFiles = ['cmdline', 'environ', 'maps', 'smaps_rollup', 'io', 'syscall'] as const;
type HeldFile = (typeof heldFiles)[number];

/**
 * What stands in the words that a thread shares with its asker: what it is at; which file of which
 * process it is asked for, and how many bytes; how many it has read (-1: none); and its own id.
 */
const word = { state: 0, pid: 1, file: 2, bytes: 3, length: 4, thread: 5 } as const;
const words = 6;
const state = { starting: 0, idle: 1, asked: 2, answered: 3 } as const;

/** Bytes of a file that are read at most; unwritten pages cost nothing. */
const room = 1_048_576;
export const strangersBytes = room;

interface Work {
  readonly shared: SharedArrayBuffer;
  readonly sizes: { readonly words: number; readonly room: number };
  readonly names: {
    readonly word: typeof word;
    readonly state: typeof state;
    readonly files: typeof heldFiles;
  };
}

/** Its text is run as the thread, so it may refer to nothing outside of itself. */
const readForEver = (): void => {
  const { closeSync, openSync, readlinkSync, readSync } = process.getBuiltinModule('node:fs');
  const work: unknown = process.getBuiltinModule('node:worker_threads').workerData;
  const { shared, sizes, names } = work as Work;
  const { word: at, state: is, files } = names;
  const told = new Int32Array(shared, 0, sizes.words);
  const text = new Uint8Array(shared, sizes.words * Int32Array.BYTES_PER_ELEMENT, sizes.room);
  const bytes = Buffer.allocUnsafeSlow(sizes.room);
  const read = (): number => {
    let length = 0;
    try {
      const most = Math.min(Atomics.load(told, at.bytes), sizes.room);
      const fd = openSync(`/proc/${Atomics.load(told, at.pid)}/${files[Atomics.load(told, at.file)] ?? ''}`, 'r');
      try {
        for (let more = -1; more !== 0 && length < most; length += more)
          more = readSync(fd, bytes, length, most - length, null);
      } finally {
        closeSync(fd);
      }
    } catch {
      // It has ended, or is hidden.
      return -1;
    }
    text.set(bytes.subarray(0, length));
    return length;
  };
  const become = (now: number): void => {
    Atomics.store(told, at.state, now);
    Atomics.notify(told, at.state);
  };
  Atomics.store(told, at.thread, Number(readlinkSync('/proc/thread-self').split('/').at(-1)));
  become(is.idle);
  for (;;) {
    const now = Atomics.load(told, at.state);
    if (now !== is.asked) {
      Atomics.wait(told, at.state, now);
      continue;
    }
    Atomics.store(told, at.length, read());
    become(is.answered);
  }
};

/** How long an answer is waited for before it is asked what the thread does, ms. */
const patienceMs = 500;
/** However busy the machine is, ms. */
const maxWaitMs = 10_000;
/** What took longer than this counts against its user, ms: else it takes microseconds. */
const slowMs = 100;
/** A user whose files took this long together is given up for a time, ms. */
const maxSlowMs = 3_000;
const givenUpMs = 600_000;
/** Threads that may be without an answer at once: then nothing is read until one comes. */
const maxThreads = 8;
/** Of these so many for sandboxes of the own user, and so much time for all of them together. */
const own = { key: 'own', maxThreads: 3, maxSlowMs: 3 * maxSlowMs } as const;

/** Whose fault it is that a reading takes long: another user, or a mount namespace of the own. */
type Payer = number | string | null;

const rangesFile = (): string => {
  const file = filesHere.text('/etc/subuid', 0);
  return file.state === 'read' ? file.value : '';
};

/** Start and end of the users that another may take for its processes, by subuid(5). */
export const subordinateRanges = (subuid: string): readonly (readonly [from: number, to: number])[] =>
  [...subuid.matchAll(/^[^:#\n]+:(\d{1,10}):(\d{1,10})$/gmu)].map(([, from, count]) => [
    Number(from),
    Number(from) + Number(count),
  ]);

let ranges: { readonly readMs: number; readonly of: ReturnType<typeof subordinateRanges> } | null = null;

/** The user who may let others wait as this one: all of one range are one user's. */
export const payerOf = (uid: number | null): number | null => {
  if (uid === null) return null;
  if (ranges === null || performance.now() - ranges.readMs > givenUpMs)
    ranges = { readMs: performance.now(), of: subordinateRanges(rangesFile()) };
  return ranges.of.find(([from, to]) => uid >= from && uid < to)?.[0] ?? uid;
};

/** A file of a process of another user. */
export interface Asked {
  readonly pid: number;
  readonly uid: number | null;
  readonly file: HeldFile;
}

/** A thread that reads, and what it has not answered yet. */
class ReadingThread {
  readonly #words: Int32Array;
  readonly #text: Uint8Array;
  /** Whose file it still reads; undefined: it is free. */
  waitsFor: Payer | undefined;

  constructor() {
    const start = words * Int32Array.BYTES_PER_ELEMENT;
    const shared = new SharedArrayBuffer(start + room);
    this.#words = new Int32Array(shared, 0, words);
    this.#text = new Uint8Array(shared, start, room);
    const workerData: Work = { shared, sizes: { words, room }, names: { word, state, files: heldFiles } };
    // Loaded where it is needed: 1 ms of each start.
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const worker = new Worker(`(${String(readForEver)})()`, { eval: true, execArgv: [], workerData });
    // One that fails stays without an answer.
    worker.on('error', () => undefined);
    worker.unref();
  }

  begins(): boolean {
    Atomics.wait(this.#words, word.state, state.starting, maxWaitMs);
    return Atomics.load(this.#words, word.state) === state.idle;
  }

  /** Notes an answer that came late: it is of no use any more. */
  settle(): void {
    if (this.waitsFor !== undefined && Atomics.load(this.#words, word.state) === state.answered) this.#becomeFree();
  }

  /** Returns the number of bytes read into `into`; -1: none; null: the reading never returns. */
  read({ pid, file }: Pick<Asked, 'pid' | 'file'>, payer: Payer, bytes: number, into: Buffer): number | null {
    this.waitsFor = payer;
    Atomics.store(this.#words, word.pid, pid);
    Atomics.store(this.#words, word.file, heldFiles.indexOf(file));
    Atomics.store(this.#words, word.bytes, bytes);
    Atomics.store(this.#words, word.state, state.asked);
    Atomics.notify(this.#words, word.state);
    for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += patienceMs) {
      Atomics.wait(this.#words, word.state, state.asked, patienceMs);
      if (Atomics.load(this.#words, word.state) === state.answered || this.#isHeld()) break;
    }
    if (Atomics.load(this.#words, word.state) !== state.answered) return null;
    const length = Atomics.load(this.#words, word.length);
    into.set(this.#text.subarray(0, Math.max(0, length)));
    this.#becomeFree();
    return length;
  }

  /** Whether the kernel lets it wait; else it only has no processor. */
  #isHeld(): boolean {
    const stat = readFileSync(`/proc/self/task/${Atomics.load(this.#words, word.thread)}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')')).startsWith(') D');
  }

  #becomeFree(): void {
    this.waitsFor = undefined;
    Atomics.store(this.#words, word.state, state.idle);
  }
}

const threads: ReadingThread[] = [];
/** How long each user let it wait, and since when that counts. */
const slow = new Map<Payer, { readonly sinceMs: number; readonly ms: number }>();
let leaves = false;

const startThread = (): ReadingThread | null => {
  if (threads.length >= maxThreads) return null;
  const thread = new ReadingThread();
  if (!thread.begins()) return null;
  threads.push(thread);
  return thread;
};

/** Node waits at its exit for every thread, and one that the kernel holds can't be told to end. */
const leaveAtExit = (): void => {
  if (leaves) return;
  leaves = true;
  const koffi = loadKoffi();
  const exitNow =
    'reason' in koffi ? null : (koffi.load(null).func('_exit', 'void', ['int']) as (code: number) => void);
  process.on('exit', (code) => {
    for (const thread of threads) thread.settle();
    if (threads.every(({ waitsFor }) => waitsFor === undefined)) return;
    if (exitNow === null) process.kill(process.pid, 'SIGKILL');
    else exitNow(code);
  });
};

/** Whether this user is another one; accounts below 1000 (login.defs(5)) are the system's own. */
export const isStranger = (uid: number | null): boolean =>
  uid !== (process.geteuid?.() ?? null) && (uid === null || uid >= 1000);

/** How long a payer has let it wait already. */
const spentBy = (payer: Payer): { readonly sinceMs: number; readonly ms: number } => {
  const nowMs = performance.now();
  const known = slow.get(payer);
  return known !== undefined && nowMs - known.sinceMs < givenUpMs ? known : { sinceMs: nowMs, ms: 0 };
};

const charge = (payer: Payer, tookMs: number): void => {
  const before = spentBy(payer);
  slow.set(payer, { ...before, ms: before.ms + tookMs });
};

const isHeldBy = (payer: Payer): boolean => threads.some(({ waitsFor }) => waitsFor === payer);

const readFor = (payer: Payer, asked: Pick<Asked, 'pid' | 'file'>, bytes: number, into: Buffer): number | null => {
  if (spentBy(payer).ms >= maxSlowMs) return null;
  for (const thread of threads) thread.settle();
  if (isHeldBy(payer)) return null;
  const free = threads.find(({ waitsFor }) => waitsFor === undefined) ?? startThread();
  if (free === null) return null;
  const beganMs = performance.now();
  const length = free.read(asked, payer, bytes, into);
  if (length === null) leaveAtExit();
  const tookMs = performance.now() - beganMs;
  if (tookMs > slowMs) charge(payer, length === null ? maxSlowMs : tookMs);
  if (tookMs > slowMs && typeof payer === 'string') charge(own.key, tookMs);
  return length;
};

/**
 * Reads a file of a stranger's process. A user can make its reader wait for ever, root too:
 * it is the memory of the process, and its lock can be held (a file of FUSE that is never answered
 * for is mapped, and read through /proc/PID/mem while the process asks for more memory). So it is
 * read in a thread that can be given up, and with it that user alone, for a time.
 * Returns how many bytes were read; -1: none; null: it can't be read now.
 */
export const readStrangers = ({ uid, ...asked }: Asked, bytes: number, into: Buffer): number | null => {
  // Of other users' processes only root reads more than the command line.
  if (asked.file !== 'cmdline' && process.geteuid?.() !== 0) return -1;
  return readFor(payerOf(uid), asked, bytes, into);
};

const heldPath = new RegExp(String.raw`^/proc/(\d+)/(?:task/\d+/)?(${heldFiles.join('|')})$`, 'u');
const isHeldFile = (name: string): name is HeldFile => heldFiles.some((one) => one === name);

const unread = new Set<number>();

/**
 * Reads a file of a process in a sandbox of this user in that thread, too, and gives up what shares
 * its mount namespace: it may hold its readers in the same way (`heldIn`).
 * Returns as `readStrangers` does; undefined: its reader can't be held, so it is read as any file.
 */
export const readApart = (path: string, bytes: number, into: Buffer): number | null | undefined => {
  const [, pid, file = ''] = heldPath.exec(path) ?? [];
  if (pid === undefined || !isHeldFile(file)) return undefined;
  const payer = heldIn(Number(pid));
  if (payer === null) return undefined;
  for (const thread of threads) thread.settle();
  const stuck = threads.filter(({ waitsFor }) => typeof waitsFor === 'string').length;
  if (stuck >= own.maxThreads || spentBy(own.key).ms >= own.maxSlowMs || isHeldBy(payer)) return null;
  const length = readFor(payer, { pid: Number(pid), file }, bytes, into);
  if (isHeldBy(payer)) unread.add(Number(pid));
  return length;
};

/** Returns the processes of this user that held a reader since this was asked before. */
export const takeUnread = (): readonly number[] => {
  const found = [...unread];
  unread.clear();
  return found;
};
