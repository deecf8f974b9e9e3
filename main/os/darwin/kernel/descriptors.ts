import { say } from '../../../../app/text/say.ts';
import type { FarEnd } from '../../../../app/process/channels.ts';
import { maxOpenFiles } from '../../files/held-file.ts';
import { ProcessTableUnreadable } from '../../processes/source.ts';
import { decode, decodeAt, textAt } from './decode.ts';
import { darwinErrno, flavors, type DarwinKernel } from './kernel.ts';
import {
  descriptorLayout,
  fileLayout,
  filePath,
  folderPath,
  foldersLayout,
  pipeLayout,
  socketAddresses,
  socketLayout,
  socketNames,
} from './layouts.ts';

/** A socket of the internet. Addresses as `127.0.0.1:80` or `[::1]:80`. */
export interface InternetSocket {
  readonly kind: 'internet';
  readonly fd: number;
  readonly socket: string;
  readonly protocol: 'tcp' | 'other';
  readonly state: 'listens' | 'connected' | 'other';
  readonly local: string;
  readonly localPort: number;
  readonly remote: string;
}

/** A socket of this machine. Names are paths; empty for none. */
export interface LocalSocket {
  readonly kind: 'local';
  readonly fd: number;
  readonly socket: string;
  /** The connected socket; null for none. */
  readonly peer: string | null;
  readonly stream: boolean;
  readonly far: FarEnd;
  readonly name: string;
  readonly peerName: string;
}

export interface PipeSide {
  readonly kind: 'pipe';
  readonly fd: number;
  readonly end: string;
  readonly peer: string | null;
  readonly far: FarEnd;
}

/** One open file of a process. `unknown`: it could not be read. */
export type Descriptor =
  | InternetSocket
  | LocalSocket
  | PipeSide
  | {
      readonly kind: 'file';
      readonly fd: number;
      readonly path: string;
      readonly deleted: boolean;
      readonly is: 'device' | 'named-pipe' | 'other';
    }
  | { readonly kind: 'other'; readonly fd: number }
  | { readonly kind: 'unknown'; readonly fd: number };

/** Types of a descriptor (sys/proc_info.h). */
const descriptorType = { file: 1, socket: 2, pipe: 6 } as const;
/** Types of sys/vnode.h: VREG, VDIR, VBLK, VCHR, VLNK, VSOCK, VFIFO. */
const vnodeKinds: Readonly<Record<number, 'device' | 'named-pipe' | 'other'>> = {
  1: 'other',
  2: 'other',
  3: 'device',
  4: 'device',
  5: 'other',
  6: 'other',
  7: 'named-pipe',
};
/** Of a socket's state (sys/socketvar.h): it can't send any more, and was disconnected. */
const disconnected = 0x2000;
/** Of a pipe's status (sys/pipe.h). */
const pipeAtEnd = 0x80;
const family = { local: 1, v4: 2, v6: 30 } as const;
const kindOf = { tcp: 2, local: 3 } as const;
/** The bit of an address that IPv4 put there (INI_IPV4). */
const isV4 = 1;
const tcpState = { listens: 1, connected: [4, 5] } as const;

/** The address of a socket, in the form that `OpenFile.target` has. */
const nameOf = (address: bigint): string => `socket:[${address}]`;

const addressAt = (bytes: Buffer, at: number, v4: boolean): string => {
  if (v4) return [...bytes.subarray(at + 12, at + 16)].join('.');
  const groups: string[] = [];
  for (let i = 0; i < 16; i += 2) groups.push(bytes.readUInt16BE(at + i).toString(16));
  return `[${groups.join(':').replace(/(?:^|:)0(?::0)+(?::|$)/u, '::')}]`;
};

/** Returns the path in the sockaddr_un at `at`: a length, a family, then the path. */
const localName = (bytes: Buffer, at: number): string => {
  if (bytes[at + 1] !== family.local) return '';
  return textAt(bytes, at + 2, socketNames.length - 2) ?? '';
};

const socketIn = (bytes: Buffer, fd: number): Descriptor => {
  const fields = decode(socketLayout, bytes);
  if (fields === null) return { kind: 'unknown', fd };
  const socket = nameOf(fields.socket);
  if (fields.family === family.local && fields.kind === kindOf.local) {
    const far: FarEnd =
      fields.peer !== 0n ? 'open' : (fields.state & disconnected) !== 0 && fields.type === 1 ? 'closed' : 'unknown';
    return {
      kind: 'local',
      fd,
      socket,
      peer: fields.peer === 0n ? null : nameOf(fields.peer),
      stream: fields.type === 1,
      far,
      name: localName(bytes, socketNames.own),
      peerName: localName(bytes, socketNames.peer),
    };
  }
  if (fields.family !== family.v4 && fields.family !== family.v6) return { kind: 'other', fd };
  const v4 = (fields.versionFlags & isV4) !== 0;
  const tcp = fields.kind === kindOf.tcp;
  const [connected, closing] = tcpState.connected;
  const isConnected = tcp ? fields.tcpState === connected || fields.tcpState === closing : fields.foreignPort !== 0;
  const listens = tcp ? fields.tcpState === tcpState.listens : fields.localPort !== 0 && fields.foreignPort === 0;
  return {
    kind: 'internet',
    fd,
    socket,
    protocol: tcp ? 'tcp' : 'other',
    state: listens ? 'listens' : isConnected ? 'connected' : 'other',
    local: `${addressAt(bytes, socketAddresses.local, v4)}:${fields.localPort}`,
    localPort: fields.localPort,
    remote: `${addressAt(bytes, socketAddresses.foreign, v4)}:${fields.foreignPort}`,
  };
};

const pipeIn = (bytes: Buffer, fd: number): Descriptor => {
  const fields = decode(pipeLayout, bytes);
  if (fields === null || fields.handle === 0n) return { kind: 'unknown', fd };
  return {
    kind: 'pipe',
    fd,
    end: `pipe:[${fields.handle}]`,
    peer: fields.peer === 0n ? null : `pipe:[${fields.peer}]`,
    far: fields.peer !== 0n ? 'open' : (fields.status & pipeAtEnd) !== 0 ? 'closed' : 'unknown',
  };
};

const fileIn = (bytes: Buffer, fd: number): Descriptor => {
  const fields = decode(fileLayout, bytes);
  const path = textAt(bytes, filePath.offset, filePath.length);
  const is = fields === null ? undefined : vnodeKinds[fields.vnodeType];
  // Nothing in /dev is a plain file: where it is told so, this is no type.
  if (fields === null || path === null || is === undefined || (is === 'other' && path === '/dev/null'))
    return { kind: 'unknown', fd };
  return { kind: 'file', fd, path, deleted: fields.links === 0, is };
};

/** How each type is read. */
const readers: Readonly<Record<number, readonly [flavor: number, size: number, read: typeof fileIn]>> = {
  [descriptorType.file]: [flavors.file, fileLayout.size, fileIn],
  [descriptorType.socket]: [flavors.socket, socketLayout.size, socketIn],
  [descriptorType.pipe]: [flavors.pipe, pipeLayout.size, pipeIn],
};

/**
 * Returns what one descriptor of a process is; null where it is closed.
 * @param type as the list of descriptors gives it
 */
const readDescriptor = (kernel: DarwinKernel, pid: number, fd: number, type: number): Descriptor | null => {
  const reader = readers[type];
  if (reader === undefined) return { kind: 'other', fd };
  const [flavor, size, read] = reader;
  const { bytes, errno } = kernel.call('file', pid, flavor, fd, size);
  if (errno === darwinErrno.EBADF || errno === darwinErrno.ENOTSOCK) return null;
  return errno === 0 ? read(bytes, fd) : { kind: 'unknown', fd };
};

export interface Descriptors {
  readonly all: readonly Descriptor[];
  /** False where there are more than are looked at. */
  readonly complete: boolean;
}

/**
 * Reads the open files of a process; null where it is gone or may not be asked.
 * @param wanted reads only these numbers; all if left out
 * @throws ProcessTableUnreadable for an answer of another form
 */
export const readDescriptors = (
  kernel: DarwinKernel,
  pid: number,
  wanted?: (fd: number) => boolean,
): Descriptors | null => {
  const room = (maxOpenFiles + 1) * descriptorLayout.size;
  const { bytes, errno } = kernel.call('info', pid, flavors.files, 0, room);
  if (errno === darwinErrno.ESRCH || errno === darwinErrno.EPERM) return null;
  if (errno !== 0 || bytes.length % descriptorLayout.size !== 0)
    throw new ProcessTableUnreadable(
      say("The kernel's list of open files of process {pid} has another form ({bytes} bytes, error {errno}).", {
        pid,
        bytes: bytes.length,
        errno,
      }),
    );
  const all: Descriptor[] = [];
  const count = Math.min(maxOpenFiles, bytes.length / descriptorLayout.size);
  // The bytes are the kernel's room for answers, which the next call fills anew.
  const list = Array.from({ length: count }, (_, index) =>
    decodeAt(descriptorLayout, bytes, index * descriptorLayout.size),
  );
  for (const one of list) {
    if (one === null || one.fd < 0) continue;
    if (wanted !== undefined && !wanted(one.fd)) continue;
    const descriptor = readDescriptor(kernel, pid, one.fd, one.type);
    if (descriptor !== null) all.push(descriptor);
  }
  return { all, complete: bytes.length < room };
};

/** The working folder of a process; null where it is not told. */
export const readFolder = (
  kernel: DarwinKernel,
  pid: number,
): { readonly path: string; readonly deleted: boolean } | null => {
  const { bytes, errno } = kernel.call('info', pid, flavors.cwd, 0, foldersLayout.size);
  const fields = errno === 0 ? decode(foldersLayout, bytes) : null;
  const path = fields === null ? null : textAt(bytes, folderPath.offset, folderPath.length);
  return fields === null || path === null || path === '' ? null : { path, deleted: fields.links === 0 };
};

/** The longest path that proc_pidpath takes. */
const maxPath = 4_096;

/** The program file of a process; null where it is not told: also where that file was deleted. */
export const readProgram = (kernel: DarwinKernel, pid: number): string | null => {
  const { bytes, errno } = kernel.call('path', pid, 0, 0, maxPath);
  if (errno !== 0 || bytes.length === 0 || bytes.length > maxPath) return null;
  const path = bytes.toString('utf8');
  return path.startsWith('/') && !path.includes('\0') ? path : null;
};
