// The processes of a world under Wine: starts them, ends them, and says of each whether it is still
// the very same and answers.
import { createFlag, type WindowsCalls } from './native.ts';
import { directStart, remoteStart, type StartOrder, type Started } from './remote-start.ts';
import { counterAddress } from './stand-in.ts';

/** A process, by its number and the moment of its creation (FILETIME). */
export interface Process {
  readonly pid: number;
  readonly created: bigint;
}

/** How a process is started; what is left out it has from its parent. */
export interface Start {
  /** Name of its program, without `.exe`, in the folder of the world; or a whole path. */
  readonly file: string;
  /** Its arguments, as they stand in its command line. */
  readonly args?: string;
  readonly environment: readonly string[];
  /** `none`: no console; `own`: a hidden one; `shared`: its parent's. */
  readonly console: 'none' | 'own' | 'shared';
  /** It leads a process group, so that it is deaf to Ctrl-C. */
  readonly deaf?: true;
  readonly suspended?: true;
  /** A file for its standard output and error. */
  readonly output?: string;
}

const every = 0x1fffff;
const limited = 0x101000;
const appendable = 0x4;
const sharedFile = 3;
const createAlways = 4;
const normalFile = 0x80;
const sameAccess = 2;
const closeSource = 1;
const unfinished = 0x102;

/** A Windows on which a world is played. */
export class Machine {
  readonly calls: WindowsCalls;
  readonly folder: string;

  /** @param folder the folder of the programs */
  constructor(calls: WindowsCalls, folder: string) {
    this.calls = calls;
    this.folder = folder;
  }

  /** Does something with a handle of a process; null where it is no longer the same. */
  hold<Result>(one: Process, rights: number, use: (handle: number) => Result): Result | null {
    const handle = this.calls.open(rights, 0, one.pid);
    if (handle === 0) return null;
    try {
      return this.#createdOf(handle) === one.created ? use(handle) : null;
    } finally {
      this.calls.close(handle);
    }
  }

  #createdOf(handle: number): bigint | null {
    const [created, ended, kernel, user] = [0, 0, 0, 0].map(() => Buffer.alloc(8));
    return this.calls.times(handle, created, ended, kernel, user) === 0 ? null : (created?.readBigUInt64LE() ?? null);
  }

  /** The process that has a number; null: none. */
  find(pid: number): Process | null {
    const handle = this.calls.open(limited, 0, pid);
    if (handle === 0) return null;
    const created = this.#createdOf(handle);
    const lives = this.calls.wait(handle, 0) === unfinished;
    this.calls.close(handle);
    return created === null || !lives ? null : { pid, created };
  }

  pathOf(file: string): string {
    return file.includes('\\') ? file : `${this.folder}\\${file}.exe`;
  }

  #order({ file, args, environment, console, deaf, suspended }: Start, output: number | null): StartOrder {
    const path = this.pathOf(file);
    return {
      file: path,
      line: args === undefined ? `"${path}"` : `"${path}" ${args}`,
      folder: this.folder,
      environment,
      flags:
        (console === 'none' ? createFlag.noConsole : console === 'own' ? createFlag.hiddenConsole : 0) |
        (deaf === true ? createFlag.newGroup : 0) |
        (suspended === true ? createFlag.suspended : 0),
      output,
    };
  }

  #met(what: string, started: Started): Process {
    if (!started.ok) throw new Error(`${what} was not started: error ${started.error}`);
    const one = this.find(started.pid);
    if (one === null) throw new Error(`${what} ended at once`);
    return one;
  }

  /**
   * A stand-in starts a process.
   * @throws where it is not started, or does not live
   */
  start(parent: Process, start: Start): Process {
    const found = this.hold(parent, every, (handle) => {
      const output = start.output === undefined ? null : this.#give(start.output, handle);
      const started = remoteStart(this.calls, handle, this.#order(start, output));
      if (output !== null) this.calls.duplicate(handle, output, 0, [0], 0, 0, closeSource);
      return started;
    });
    if (found === null) throw new Error(`what was to start ${start.file} has ended`);
    return this.#met(start.file, found);
  }

  /** Starts a process below any other, or below the stage itself. */
  startBelow(parent: Process | null, start: Start): Process {
    const order = this.#order(start, null);
    const started =
      parent === null
        ? directStart(this.calls, null, order)
        : this.hold(parent, every, (handle) => directStart(this.calls, handle, order));
    if (started === null) throw new Error(`what was to start ${start.file} has ended`);
    return this.#met(start.file, started);
  }

  /** Opens a file for another process, which can hand it on. */
  #give(path: string, to: number): number {
    const file = this.calls.createFile(path, appendable, sharedFile, null, createAlways, normalFile, 0);
    if (file === -1) throw new Error(`${path} can't be written: error ${this.calls.lastError()}`);
    const copy = [0];
    const given = this.calls.duplicate(-1, file, to, copy, 0, 1, sameAccess);
    this.calls.close(file);
    if (given === 0) throw new Error(`${path} can't be handed on: error ${this.calls.lastError()}`);
    return copy[0] ?? 0;
  }

  /** It ends, as by itself. */
  end(one: Process): void {
    this.hold(one, every, (handle) => {
      this.calls.terminate(handle, 0);
      this.calls.wait(handle, 10_000);
    });
  }

  lives(one: Process): boolean {
    return this.hold(one, limited, (handle) => this.calls.wait(handle, 0) === unfinished) === true;
  }

  /** How often a stand-in has counted; null: it is none, or has ended. */
  count(one: Process): number | null {
    return this.hold(one, every, (handle) => {
      const bytes = Buffer.alloc(4);
      return this.calls.readMemory(handle, counterAddress, bytes, 4, null) === 0 ? null : bytes.readUInt32LE();
    });
  }

  /** Every process of this Windows, with the name of its program. */
  all(): readonly (Process & { readonly name: string })[] {
    const found: (Process & { readonly name: string })[] = [];
    const list = this.calls.snapshot(2, 0);
    const entry = Buffer.alloc(568);
    entry.writeUInt32LE(entry.length, 0);
    for (let more = this.calls.firstProcess(list, entry); more !== 0; more = this.calls.nextProcess(list, entry)) {
      const one = this.find(entry.readUInt32LE(8));
      const name = entry.toString('utf16le', 44).split('\0')[0] ?? '';
      if (one !== null) found.push({ ...one, name });
    }
    this.calls.close(list);
    return found;
  }
}
