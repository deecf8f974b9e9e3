import type { SocketProbing } from '../../processes/probing.ts';
import { type Shared, sharersAmong } from '../../processes/sharers.ts';
import { readDescriptors } from '../kernel/descriptors.ts';
import type { DarwinKernel } from '../kernel/kernel.ts';

const slave = /^\/dev\/ttys\d+$/u;

/** Returns the named pipes and terminals that a process has open, by their paths. */
const sharedBy = (kernel: DarwinKernel, pid: number): ReadonlyMap<string, Shared> =>
  new Map(
    (readDescriptors(kernel, pid)?.all ?? []).flatMap((one): readonly [string, Shared][] => {
      if (one.kind !== 'file') return [];
      const by = one.is === 'named-pipe' ? 'pipe' : one.is === 'device' && slave.test(one.path) ? 'terminal' : null;
      return by === null ? [] : [[one.path, { by, at: one.path, writes: true }]];
    }),
  );

/**
 * Returns what each job shares with processes outside of it. Only where it shares anything are the
 * files of others read. Which terminal belongs to an open `/dev/ptmx`, and memory, macOS does not
 * tell.
 * @throws ProcessTableUnreadable
 */
export const sharersOf =
  (kernel: DarwinKernel): NonNullable<SocketProbing['sharers']> =>
  (jobs, all) =>
    sharersAmong(jobs, all, (pid) => sharedBy(kernel, pid)).clients;
