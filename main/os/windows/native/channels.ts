import type { ChannelRound, HeldChannel, StandardKind } from '../../../../app/process/channels.ts';
import { asPid, type Pid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { relationsOf } from '../../../../app/process/tree.ts';
import type { FileKind, Handle, WindowsKernel } from '../kernel/kernel.ts';
import type { ProcessParameters } from '../kernel/process-parameters.ts';

/** One standard handle of a process: its number in that process, and what it leads to. */
interface StandardHandle {
  readonly value: bigint;
  readonly kind: StandardKind;
}

type StandardHandles = readonly [StandardHandle, StandardHandle, StandardHandle];

/** A device is a console or NUL: which, is not asked. */
const kinds: Readonly<Record<FileKind, StandardKind>> = {
  disk: 'file',
  pipe: 'pipe',
  device: 'other',
  unknown: 'unknown',
};

/** Reads what the standard handles of a process lead to. */
export const standardHandles = (
  kernel: Pick<WindowsKernel, 'filePath'>,
  handle: Handle,
  standard: ProcessParameters['standard'],
): StandardHandles => {
  const read = (value: bigint): StandardHandle => {
    if (value === 0n) return { value, kind: 'missing' };
    const found = kernel.filePath(handle, value);
    return { value, kind: found === null ? 'unknown' : kinds[found.kind] };
  };
  return [read(standard[0]), read(standard[1]), read(standard[2])];
};

/**
 * The pipes behind standard handles, as far as they can be known without asking the pipes.
 *
 * Windows tells of a pipe whether its other end is closed, but not while the process that holds
 * this end reads from it, as a server does all its life: the question then waits for the next byte,
 * and would hold up Curfew (https://github.com/joyent/libuv/issues/1313). So no far end is asked
 * for. A pipe that a process has under the number that its parent has it under was inherited from
 * that. Any other was made for it, and its parent is presumed to hold the other end: that tells
 * the servers of a living agent, and never that an end is closed.
 */
export const presumedChannels = (
  rows: ReadonlyMap<Pid, ProcessRow>,
  read: (row: ProcessRow) => StandardHandles | null,
): ChannelRound => {
  const tree = relationsOf(rows);
  const known = new Map<number, StandardHandles | null>();
  const handlesOf = (row: ProcessRow): StandardHandles | null => {
    let found = known.get(row.pid);
    if (found === undefined) known.set(row.pid, (found = read(row)));
    return found;
  };
  const hasPipe = (row: ProcessRow, value: bigint): boolean =>
    handlesOf(row)?.some((one) => one.kind === 'pipe' && one.value === value) === true;
  /** The process for which a pipe was made: it, or the one above it that it was inherited from. */
  const firstHolder = (row: ProcessRow, value: bigint): ProcessRow => {
    let first = row;
    for (const above of tree.ancestors(row.pid)) {
      if (!hasPipe(above, value)) break;
      first = above;
    }
    return first;
  };
  const pipesOf = (row: ProcessRow): readonly (HeldChannel & { readonly maker: number })[] =>
    (handlesOf(row) ?? []).flatMap(({ value, kind }, fd) => {
      if (kind !== 'pipe') return [];
      const { pid, startTicks, ppid } = firstHolder(row, value);
      const end = `pipe ${value} of ${pid} ${startTicks}`;
      return [{ fd, kind, end, otherEnd: `other end of ${end}`, far: 'unknown' as const, maker: Number(ppid) }];
    });
  const rowOf = (pid: number): ProcessRow | undefined => rows.get(asPid(pid));
  return {
    farEnds: 'untold',
    of: (pid) => {
      const row = rowOf(pid);
      const handles = row === undefined ? null : handlesOf(row);
      if (row === undefined || handles === null) return null;
      const [input, output, error] = handles.map(({ kind }) => ({ kind, far: 'unknown' as const }));
      if (input === undefined || output === undefined || error === undefined) return null;
      return { standard: [input, output, error], held: pipesOf(row), listens: [], complete: false };
    },
    ends: (pid) => {
      const row = rowOf(pid);
      if (row === undefined || handlesOf(row) === null) return null;
      const made = tree.children(row.pid).flatMap(pipesOf);
      return new Set([
        ...pipesOf(row).map(({ end }) => end),
        ...made.flatMap(({ maker, otherEnd }) => (maker === pid && otherEnd !== null ? [otherEnd] : [])),
      ]);
    },
    ownEnds: () => null,
  };
};
