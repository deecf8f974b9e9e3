import type * as Koffi from 'koffi';

export const word = { state: 0, call: 1, pid: 2, flavor: 3, arg: 4, size: 5, length: 6, errno: 7 } as const;
export const words = 8;

/**
 * What a thread is at. `idle`: it waits for a question. `asked`: it makes the call. `answered`: the
 * answer stands in the shared memory. `failed`: it could not begin.
 */
export const state = { starting: 0, idle: 1, asked: 2, answered: 3, failed: 4 } as const;

/** A C function, and in which order it takes what a question consists of. */
export interface AsideCall {
  readonly symbol: string;
  readonly takes: readonly (keyof typeof types)[];
  /** Numbers of 32 bits that it takes a pointer to. */
  readonly mib?: readonly number[];
}

/**
 * The C types of what a question consists of. `room`: where the answer goes. `length`: a pointer to
 * the size, in which a function that returns 0 leaves how much it has filled; one without it
 * returns that. `nothing`, `none`: what a function takes and gets nothing for.
 */
export const types = {
  pid: 'int',
  flavor: 'int',
  arg: 'int',
  wideArg: 'uint64_t',
  room: 'void *',
  size: 'int',
  mib: 'void *',
  mibLength: 'uint',
  length: 'void *',
  nothing: 'void *',
  none: 'size_t',
} as const;

/**
 * Binds a call that is made of several, and is the only one of its thread. Its text is run there,
 * so it may refer to nothing outside of itself. Returns how many bytes of the room it has filled,
 * -1 for none.
 */
export type OwnCall = (koffi: typeof Koffi) => (room: Buffer) => number;

export interface AsideWork {
  readonly koffi: string;
  readonly library: string | null;
  readonly calls: readonly AsideCall[];
  readonly shared: SharedArrayBuffer;
  /** Bytes that an answer may have. */
  readonly room: number;
  readonly names: {
    readonly word: typeof word;
    readonly words: number;
    readonly state: typeof state;
    readonly types: typeof types;
  };
}

/** Answers questions in turn, for ever. Run as the thread's text: it may refer to nothing else. */
const answerQuestions = (own: OwnCall | null): void => {
  const work: unknown = process.getBuiltinModule('node:worker_threads').workerData;
  const { koffi: file, library, calls, shared, room, names } = work as AsideWork;
  const { word: at, words: count, state: is, types: typeOf } = names;
  const told = new Int32Array(shared, 0, count);
  const answer = new Uint8Array(shared, count * Int32Array.BYTES_PER_ELEMENT, room);
  const become = (now: number): void => {
    Atomics.store(told, at.state, now);
    Atomics.notify(told, at.state);
  };
  try {
    const koffi = process.getBuiltinModule('node:module').createRequire(file)(file) as typeof Koffi;
    const system = koffi.load(library);
    const several = own === null ? null : own(koffi);
    const bound = calls.map(({ symbol, takes }) =>
      system.func(
        symbol,
        'int',
        takes.map((one) => typeOf[one]),
      ),
    );
    const bytes = Buffer.alloc(room);
    become(is.idle);
    for (;;) {
      const now = Atomics.load(told, at.state);
      if (now !== is.asked) {
        Atomics.wait(told, at.state, now);
        continue;
      }
      const index = Atomics.load(told, at.call);
      const { takes = [], mib = [] } = calls[index] ?? {};
      const size = Atomics.load(told, at.size);
      const length = new BigUint64Array([BigInt(size)]);
      const asked = {
        pid: Atomics.load(told, at.pid),
        flavor: Atomics.load(told, at.flavor),
        arg: Atomics.load(told, at.arg),
        wideArg: Atomics.load(told, at.arg),
        size,
        room: bytes,
        mib: new Int32Array(mib),
        mibLength: mib.length,
        length,
        nothing: null,
        none: 0,
      };
      koffi.errno(0);
      const returned: unknown = several === null ? bound[index]?.(...takes.map((one) => asked[one])) : several(bytes);
      const errno = koffi.errno();
      const given = returned === 0 && takes.includes('length') ? Number(length[0]) : returned;
      const filled = typeof given === 'number' ? given : -1;
      answer.set(bytes.subarray(0, Math.max(0, Math.min(filled, room))));
      Atomics.store(told, at.length, filled);
      Atomics.store(told, at.errno, errno);
      become(is.answered);
    }
  } catch {
    become(is.failed);
  }
};

/** Returns what runs as the thread. */
export const threadText = (own: OwnCall | null): string => `(${String(answerQuestions)})(${String(own)})`;
