import { closeSync } from 'node:fs';
import { messageOf } from '../../../app/format/error-message.ts';
import { loadKoffi } from '../native/koffi.ts';

/** A connection of this process to itself, and a pipe of which it holds both ends. */
export interface KnownEnds {
  readonly port: number;
  /** The descriptor that has connected to the port. */
  readonly client: number;
  /** The descriptors of the pipe: what is written to the second is read from the first. */
  readonly pipe: readonly [reads: number, writes: number];
  readonly closeWriting: () => void;
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
  const close = (fd: number): void => {
    if (opened.delete(fd)) closeSync(fd);
  };
  const remove = (): void => {
    for (const fd of opened) close(fd);
  };
  try {
    const system = koffi.load(null);
    const call = (name: string, takes: readonly string[], ...given: readonly unknown[]): number => {
      const returned: unknown = system.func(name, 'int', [...takes])(...given);
      if (typeof returned !== 'number' || returned < 0) throw new Error(`${name} failed (error ${koffi.errno()})`);
      return returned;
    };
    const kept = (fd: number): number => {
      opened.add(fd);
      return fd;
    };
    const socket = (): number => kept(call('socket', ['int', 'int', 'int'], internet, stream, 0));
    const address = localAddress();
    const listener = socket();
    call('bind', ['int', 'void *', 'uint'], listener, address, addressBytes);
    call('listen', ['int', 'int'], listener, 1);
    call('getsockname', ['int', 'void *', 'void *'], listener, address, new Uint32Array([addressBytes]));
    const client = socket();
    call('connect', ['int', 'void *', 'uint'], client, address, addressBytes);
    kept(call('accept', ['int', 'void *', 'void *'], listener, null, null));
    const ends = new Int32Array(2);
    call('pipe', ['void *'], ends);
    const [reads = -1, writes = -1] = ends;
    kept(reads);
    kept(writes);
    return { port: address.readUInt16BE(2), client, pipe: [reads, writes], closeWriting: () => close(writes), remove };
  } catch (error) {
    remove();
    return { problem: messageOf(error) };
  }
};
