import type { FarEnd } from '../../../app/process/channels.ts';
import type { OpenFile } from '../../../app/process/facts.ts';
import { Round } from '../linux/sockets/channels.ts';
import { endsOf, type FarSideTools } from '../linux/sockets/far-side.ts';
import { socketInode } from '../linux/sockets/sockets.ts';
import type { FarEnds } from './far-ends.ts';
import type { ObservedProcess } from './observed-process.ts';
import type { RemoteWorld } from './world.ts';
import { remoteFiles } from './rows.ts';

export interface ChannelsInput {
  /** Null for a process that was another one before or after. */
  readonly observed: (pid: number) => ObservedProcess | null;
  readonly all: () => Iterable<ObservedProcess>;
  readonly ends: FarEnds;
  readonly world: Pick<RemoteWorld, 'local' | 'network' | 'isNoConnection'>;
}

const filesOf = (process: ObservedProcess | null): readonly OpenFile[] | null =>
  process === null ? null : remoteFiles(process);

const heldEndsIn = (all: Iterable<ObservedProcess>): ReadonlySet<string> =>
  new Set(
    [...all].flatMap((process) => {
      const access = (_pid: number, fd: number): ReturnType<FarSideTools['access']> => process.access.get(fd) ?? null;
      return (remoteFiles(process) ?? []).flatMap((file) => endsOf({ access }, process.pid, file));
    }),
  );

/**
 * What one answer tells of the other sides of open files: of sockets by ss, of pipes by poll(2)
 * through perl. What neither tells is unknown, never closed.
 */
export const recordedFarSides = ({ observed, all, ends, world }: ChannelsInput): FarSideTools => {
  let held: ReadonlySet<string> | null = null;
  const peerOf = (inode: string): { readonly inode: string } | 'closed' | 'none' | 'unknown' => {
    const { peer, shut = null } = ends.sockets?.get(inode) ?? { peer: null };
    if (peer === null) return 'unknown';
    if (peer !== '0') return { inode: peer };
    // Without another end, and not shut: its own connection, which was not accepted yet.
    return shut === null ? 'unknown' : shut ? 'closed' : 'none';
  };
  return {
    socket: (inode) => {
      const socket = world.local(0, inode);
      return socket === null ? null : { ...socket, peer: peerOf(inode) };
    },
    protocolOf: (pid, fd) => {
      const inode = socketInode(observed(pid)?.links.get(`fd/${fd}`)?.target ?? '');
      if (inode === null) return null;
      const isElse = world.network(pid)?.byInode.has(inode) === true || world.isNoConnection(pid, null, inode) !== null;
      return isElse ? 'another' : null;
    },
    access: (pid, fd) => observed(pid)?.access.get(fd) ?? null,
    polled: (pid, fd, target, reads): FarEnd => {
      const polled = ends.pipes.get(`${pid} ${fd}`);
      if (polled !== undefined) return polled;
      // A process that is seen to hold the other end is proof that it is open.
      held ??= heldEndsIn(all());
      return held.has(`${target} ${reads ? 'write' : 'read'}`) ? 'open' : 'unknown';
    },
  };
};

export class RemoteChannels extends Round {
  readonly #observed: ChannelsInput['observed'];

  constructor(tools: FarSideTools, observed: ChannelsInput['observed']) {
    super({ ...tools, files: (pid) => filesOf(observed(pid)), unseenSocket: 'channel' });
    this.#observed = observed;
  }

  /**
   * Returns the sockets and pipes of a process, each with whether its other end is closed, in the
   * form in which confirm.sh reads them again; null where they can't be seen.
   */
  evidence(pid: number): string | null {
    const process = this.#observed(pid);
    const files = filesOf(process);
    const channels = this.of(pid);
    if (process === null || files === null || channels === null) return null;
    const letters: Readonly<Record<string, string>> = { read: 'r-x', write: '-wx', both: 'rwx' };
    return files
      .filter(({ target }) => socketInode(target) !== null || target.startsWith('pipe:'))
      .map(({ fd, target }) => {
        const mode = letters[process.access.get(fd) ?? ''] ?? '';
        return { line: `${fd} ${mode} ${target}`, far: channels.held.find((one) => one.fd === fd)?.far };
      })
      .toSorted((left, right) => (left.line < right.line ? -1 : 1))
      .map(({ line, far }) => `${line} ${far === 'closed' ? 'closed' : 'other'}\u001F`)
      .join('');
  }
}
