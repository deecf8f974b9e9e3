import { isScarce, type MemoryState } from '../../app/judge/scarce-memory.ts';

/**
 * Between two readings, milliseconds: the kernel averages over 10 s. A trigger of the kernel (poll
 * on the open file) can't be waited for by Node.
 */
const betweenMs = 2000;

/** Watches the machine's memory between looks. */
export class MemoryWatch {
  readonly #read: () => MemoryState | null;
  #scarce: MemoryState | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** @param read reads the state of the memory; null: unknown. Must not throw */
  constructor(read: () => MemoryState | null) {
    this.#read = read;
  }

  /** Returns the state of the memory while it is scarce; null else. */
  get scarce(): MemoryState | null {
    return this.#scarce;
  }

  /** Begins to watch; calls when memory has become scarce. */
  begin(becameScarce: () => void): void {
    this.#timer ??= setInterval(() => {
      const before = this.#scarce;
      const state = this.#read();
      this.#scarce = state !== null && isScarce(state) ? state : null;
      if (before === null && this.#scarce !== null) becameScarce();
    }, betweenMs).unref();
  }

  /** Ends the watch. */
  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#scarce = null;
  }
}
