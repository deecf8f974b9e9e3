import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { loadKoffi } from '../../native/koffi.ts';
import type { KernelAnswer } from './kernel.ts';
import { type AsideCall, type AsideWork, type OwnCall, state, threadText, types, word, words } from './aside-thread.ts';

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
  /** How long the start of a thread is waited for, ms. */
  readonly startMs?: number;
}

/** A call takes microseconds; calls that take longer than this together wait for something. */
const defaultDeadlineMs = 250;
/** After so many deadlines the time for a process counts anew. */
const renewedAfter = 4;
const defaultStartMs = 5_000;
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
    const worker = new Worker(threadText(own), { eval: true, execArgv: [], workerData });
    // What it fails of it says in the shared memory.
    worker.on('error', () => undefined);
    worker.unref();
  }

  /** Waits for its start; false where it can't be asked. */
  begins(startMs: number): boolean {
    Atomics.wait(this.#words, word.state, state.starting, startMs);
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
    const { library, calls, room, own = null, startMs = defaultStartMs } = this.#options;
    const thread = new AsideThread({ koffi: this.#koffi, library, calls, room }, own);
    this.#canStart = thread.begins(startMs);
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
