import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import { temporaryFolder } from '../files/owned-place.ts';
import { basename, join } from 'node:path';
import { messageOf } from '../../../app/format/error-message.ts';
import { keepName } from '../../../app/guard/script/keep-assignment.ts';
import { type Pid, asPid } from '../../../app/process/identity.ts';
import { loadKoffi } from '../native/koffi.ts';
import { noWindow } from '../programs/child-window.ts';
import { findProgram } from '../programs/find-program.ts';
import { windowsPath } from '../../../app/paths/path.ts';

/** A pipe of which this process holds both ends. */
interface KnownPipe {
  /** Its descriptors: what is written to the second is read from the first. */
  readonly ends: readonly [reads: number, writes: number];
  readonly closeWriting: () => void;
}

/** A connection of this process to itself, and a pipe. */
export interface KnownEnds {
  readonly port: number;
  /** The descriptor that has connected to the port; null: sockets have none, as on Windows. */
  readonly client: number | null;
  /** Null where no far end of a pipe is told, as on Windows. */
  readonly pipe: KnownPipe | null;
  readonly remove: () => void;
}

const stream = 1;
const internet = 2;
const addressBytes = 16;

/** Returns 127.0.0.1 with a port as a sockaddr_in, which begins with its length on macOS. */
const localAddress = (): Buffer => {
  const address = Buffer.alloc(addressBytes);
  if (process.platform === 'darwin') address.set([addressBytes, internet], 0);
  else address.writeUInt16LE(internet, 0);
  address.set([127, 0, 0, 1], 4);
  return address;
};

/** Opens both at once, as the self-check is one moment and Node's need turns. Or says why not. */
export const openKnownEnds = (): KnownEnds | { readonly problem: string } => {
  const koffi = loadKoffi();
  if ('reason' in koffi) return { problem: koffi.reason };
  const opened = new Set<number>();
  let closeOne: (fd: number) => unknown = closeSync;
  const close = (fd: number): void => {
    if (opened.delete(fd)) closeOne(fd);
  };
  const remove = (): void => {
    for (const fd of opened) close(fd);
  };
  try {
    const onWindows = process.platform === 'win32';
    // Node has started Windows' sockets.
    const system = koffi.load(onWindows ? 'ws2_32.dll' : null);
    if (onWindows) closeOne = system.func('closesocket', 'int', ['intptr_t']) as typeof closeOne;
    const handle = onWindows ? 'intptr_t' : 'int';
    const call = (name: string, gives: string, takes: readonly string[], ...given: readonly unknown[]): number => {
      const returned = Number(system.func(name, gives, [...takes])(...given) as unknown);
      if (!(returned >= 0)) throw new Error(`${name} failed (error ${koffi.errno()})`);
      return returned;
    };
    const kept = (fd: number): number => {
      opened.add(fd);
      return fd;
    };
    const socket = (): number => kept(call('socket', handle, ['int', 'int', 'int'], internet, stream, 0));
    const address = localAddress();
    const listener = socket();
    call('bind', 'int', [handle, 'void *', 'uint'], listener, address, addressBytes);
    call('listen', 'int', [handle, 'int'], listener, 1);
    call('getsockname', 'int', [handle, 'void *', 'void *'], listener, address, new Uint32Array([addressBytes]));
    const client = socket();
    call('connect', 'int', [handle, 'void *', 'uint'], client, address, addressBytes);
    kept(call('accept', handle, [handle, 'void *', 'void *'], listener, null, null));
    const port = address.readUInt16BE(2);
    if (onWindows) return { port, client: null, pipe: null, remove };
    const ends = new Int32Array(2);
    call('pipe', 'int', ['void *'], ends);
    const [reads = -1, writes = -1] = ends;
    kept(reads);
    kept(writes);
    return { port, client, pipe: { ends: [reads, writes], closeWriting: () => close(writes) }, remove };
  } catch (error) {
    remove();
    return { problem: messageOf(error) };
  }
};

/** A program of which everything is known, started to be read. */
export interface KnownChild {
  readonly pid: Pid;
  readonly argv: readonly string[];
  readonly name: string;
  readonly folder: string;
  readonly output: string;
  /** Wall clock of its start, milliseconds: not before, and not after. */
  readonly started: readonly [fromMs: number, toMs: number];
  /** Closes this side of its standard input, the only other one. */
  readonly closeInput: () => void;
  /** Ends it, if it lives, and removes its folder. */
  readonly remove: () => void;
}

/** Seconds that the child lives at most, whatever happens to this process. */
const seconds = 30;

/** A program that only waits, and how it is started. */
interface WaitingProgram {
  readonly file: string;
  readonly argv: readonly [name: string, ...args: string[]];
}

/** Windows has no `sleep`; its `cmd` waits for its input, which is this process's to close. */
const waitingProgram = (): WaitingProgram | { readonly problem: string } => {
  if (process.platform === 'win32')
    return {
      file: join(process.env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32', 'cmd.exe'),
      argv: ['cmd', '/d', '/c', 'pause'],
    };
  // NixOS has it in neither of the two.
  const found = findProgram('sleep', `/bin:/usr/bin:${process.env['PATH'] ?? ''}`);
  return 'errno' in found
    ? { problem: `sleep: ${found.errno}` }
    : { file: found.file, argv: ['sleep', String(seconds)] };
};

/** Returns a path as readers name it: Windows' with forward slashes. */
const plainPath = (path: string): string => (process.platform === 'win32' ? windowsPath(path) : path);

/**
 * Starts `sleep` with known arguments, `CURFEW_KEEP=1` in its environment, a known folder, a known
 * file as its output, and a private channel to this process as its input. Returns why it can't.
 */
export const startKnownChild = (): KnownChild | { readonly problem: string } => {
  const program = waitingProgram();
  if ('problem' in program) return program;
  let folder: string;
  try {
    // Of a short name of Windows (`RUNNER~1`) only the native call gives the long one.
    folder = realpathSync.native(mkdtempSync(join(temporaryFolder(), 'curfew-check-')));
  } catch (error) {
    return { problem: messageOf(error) };
  }
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  const output = join(folder, 'output');
  try {
    const fd = openSync(output, 'wx', 0o600);
    const fromMs = Date.now();
    const [name, ...args] = program.argv;
    const child = spawn(program.file, args, {
      argv0: name,
      cwd: folder,
      env: { [keepName]: '1' },
      stdio: ['pipe', fd, 'ignore'],
      // It leads a group and a session of its own. On Windows it would get a console of its own.
      detached: process.platform !== 'win32',
      ...noWindow,
    });
    const toMs = Date.now();
    closeSync(fd);
    child.on('error', () => undefined);
    child.stdin?.on('error', () => undefined);
    child.unref();
    const { pid } = child;
    if (pid === undefined) {
      removeFolder();
      return { problem: `${program.file} did not start` };
    }
    return {
      pid: asPid(pid),
      argv: program.argv,
      name: basename(program.file, '.exe'),
      folder: plainPath(folder),
      output: plainPath(output),
      started: [fromMs, toMs],
      closeInput: () => void child.stdin?.destroy(),
      remove: () => {
        child.stdin?.destroy();
        // Node keeps the pid of a child until it has noticed its end: no other process has it.
        child.kill('SIGKILL');
        removeFolder();
      },
    };
  } catch (error) {
    removeFolder();
    return { problem: messageOf(error) };
  }
};

/** A program whose environment no system hides, with `CURFEW_KEEP=1` in it. */
export type MarkedChild = Pick<KnownChild, 'pid' | 'remove'>;

/**
 * Starts Node's own program with `CURFEW_KEEP=1`, where it is one: macOS hides the environments of
 * its own programs, so that `sleep` proves nothing of them. Null in Electron, whose program is the
 * app.
 */
export const startMarkedChild = (): MarkedChild | null => {
  if (process.versions['electron'] !== undefined) return null;
  const child = spawn(process.execPath, ['-e', `setTimeout(() => 0, ${seconds * 1000})`], {
    env: { [keepName]: '1' },
    stdio: 'ignore',
    ...noWindow,
  });
  child.on('error', () => undefined);
  child.unref();
  return child.pid === undefined ? null : { pid: asPid(child.pid), remove: () => void child.kill('SIGKILL') };
};
