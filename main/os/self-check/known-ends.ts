import { closeSync } from 'node:fs';
import { messageOf } from '../../../app/format/error-message.ts';
import { loadKoffi } from '../native/koffi.ts';

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

/**
 * Opens both at once: Node's own need turns of the event loop, and all of the self-check is one
 * moment. Returns why it can't.
 */
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
