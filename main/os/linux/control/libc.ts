import { loadKoffi, type KoffiMissing } from '../../native/koffi.ts';

/** A C string: bytes ending in NUL. */
export type CText = Uint8Array;

/**
 * The C library calls that starting a command under supervision needs and Node lacks. All are
 * synchronous. Structures are passed as memory of at least their size, because glibc and musl lay
 * them out differently and no caller reads them.
 */
export interface Libc {
  errno(): number;
  /** Sets an attribute of this process; 0 or -1. man7.org/linux/man-pages/man2/prctl.2.html */
  prctl(option: number, value: number): number;
  /** Returns a pid, 0 (no child changed, WNOHANG), or -1 with errno. `status` takes one integer. */
  waitpid(pid: number, status: Int32Array, options: number): number;
  /** Peeks at a child in a group; `found` takes a siginfo_t. Returns 0 or -1. */
  waitid(type: number, id: number, found: Int32Array, options: number): number;
  /** Returns an errno, 0: started. https://man7.org/linux/man-pages/man3/posix_spawn.3.html */
  posixSpawn(
    pid: Int32Array,
    path: CText,
    actions: Uint8Array,
    attributes: Uint8Array,
    argv: readonly (CText | null)[],
    environment: readonly (CText | null)[],
  ): number;
  initActions(actions: Uint8Array): number;
  addDup2(actions: Uint8Array, from: number, to: number): number;
  /** null where the library has no such action (glibc before 2.35, musl). */
  readonly addForeground: ((actions: Uint8Array, terminal: number) => number) | null;
  destroyActions(actions: Uint8Array): number;
  initAttributes(attributes: Uint8Array): number;
  setFlags(attributes: Uint8Array, flags: number): number;
  setGroup(attributes: Uint8Array, group: number): number;
  setDefaultSignals(attributes: Uint8Array, signals: Uint8Array): number;
  setSignalMask(attributes: Uint8Array, signals: Uint8Array): number;
  destroyAttributes(attributes: Uint8Array): number;
  fillSignals(signals: Uint8Array): number;
  emptySignals(signals: Uint8Array): number;
  getpid(): number;
  getpgrp(): number;
  foregroundGroup(terminal: number): number;
  setForegroundGroup(terminal: number, group: number): number;
  /** Sets what a signal does to this process: 0 the default, 1 ignored. */
  setDisposition(signal: number, disposition: 0 | 1): void;
  fileFlags(fd: number): number;
  setFileFlags(fd: number, flags: number): number;
  /** Makes a pipe: what is written to the second descriptor is read from the first. */
  pipe(ends: Int32Array, flags: number): number;
  kill(pid: number, signal: number): number;
  /** Lets a descriptor stay open in what replaces this process. */
  keepOverExec(fd: number): number;
  /** pthread_sigmask: `how` 2 sets all. */
  setMask(how: number, signals: Uint8Array, before: null): number;
  /** Sets the soft and the hard limit of a resource. */
  setLimit(resource: number, limits: BigUint64Array): number;
  /** Returns only if it failed, see `errno`. */
  execve(path: CText, argv: readonly (CText | null)[], environment: readonly (CText | null)[]): number;
  exitAtOnce(status: number): void;
}

let bound: Libc | KoffiMissing | null = null;

const bind = (): Libc | KoffiMissing => {
  const koffi = loadKoffi();
  if ('reason' in koffi) return koffi;
  try {
    const library = koffi.load(null);
    const texts = koffi.pointer('void *');
    // The caller declares the function's type; it can't be checked.
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
    const call = <Call>(
      name: string,
      result: string,
      parameters: readonly (string | ReturnType<typeof koffi.pointer>)[],
    ): Call => library.func(name, result, [...parameters]) as Call;
    const memory = 'void *';
    let addForeground: Libc['addForeground'] = null;
    try {
      addForeground = call('posix_spawn_file_actions_addtcsetpgrp_np', 'int', [memory, 'int']);
    } catch {
      // An older library: the foreground group is set right after the start.
    }
    // Variadic in C. Linux's calling conventions pass integers there as anywhere else.
    const fcntl = call<(fd: number, command: number, value: number) => number>('fcntl', 'int', ['int', 'int', 'int']);
    const prctl = call<(...all: readonly number[]) => number>('prctl', 'int', [
      'int',
      'ulong',
      'ulong',
      'ulong',
      'ulong',
    ]);
    return {
      errno: () => koffi.errno(),
      prctl: (option, value) => prctl(option, value, 0, 0, 0),
      waitpid: call('waitpid', 'int', ['int', memory, 'int']),
      waitid: call('waitid', 'int', ['int', 'int', memory, 'int']),
      posixSpawn: call('posix_spawn', 'int', [memory, memory, memory, memory, texts, texts]),
      initActions: call('posix_spawn_file_actions_init', 'int', [memory]),
      addDup2: call('posix_spawn_file_actions_adddup2', 'int', [memory, 'int', 'int']),
      addForeground,
      destroyActions: call('posix_spawn_file_actions_destroy', 'int', [memory]),
      initAttributes: call('posix_spawnattr_init', 'int', [memory]),
      setFlags: call('posix_spawnattr_setflags', 'int', [memory, 'short']),
      setGroup: call('posix_spawnattr_setpgroup', 'int', [memory, 'int']),
      setDefaultSignals: call('posix_spawnattr_setsigdefault', 'int', [memory, memory]),
      setSignalMask: call('posix_spawnattr_setsigmask', 'int', [memory, memory]),
      destroyAttributes: call('posix_spawnattr_destroy', 'int', [memory]),
      fillSignals: call('sigfillset', 'int', [memory]),
      emptySignals: call('sigemptyset', 'int', [memory]),
      getpid: call('getpid', 'int', []),
      getpgrp: call('getpgrp', 'int', []),
      foregroundGroup: call('tcgetpgrp', 'int', ['int']),
      setForegroundGroup: call('tcsetpgrp', 'int', ['int', 'int']),
      setDisposition: call('signal', 'intptr_t', ['int', 'intptr_t']),
      fileFlags: (fd) => fcntl(fd, 3, 0),
      setFileFlags: (fd, flags) => fcntl(fd, 4, flags),
      pipe: call('pipe2', 'int', [memory, 'int']),
      kill: call('kill', 'int', ['int', 'int']),
      keepOverExec: (fd) => fcntl(fd, 2, 0),
      setMask: call('sigprocmask', 'int', ['int', memory, memory]),
      setLimit: call('setrlimit', 'int', ['int', memory]),
      execve: call('execve', 'int', [memory, texts, texts]),
      exitAtOnce: call('_exit', 'void', ['int']),
    };
  } catch (error) {
    return { reason: error instanceof Error ? error.message.split('\n', 1).join('') : String(error) };
  }
};

/** Binds the calls through koffi, once, or returns why it can't. */
export const openLibc = (): Libc | KoffiMissing =>
  (bound ??= process.platform === 'linux' ? bind() : { reason: 'only used on Linux' });
