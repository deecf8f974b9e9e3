import type { LaunchFacts, MarkerEnvironment, MemberFacts, OpenFile } from '../../../../app/process/facts.ts';
import type { WindowsShown } from './shown-windows.ts';
import { readDescriptors, readFolder, readProgram, type Descriptor } from '../kernel/descriptors.ts';
import type { DarwinKernel } from '../kernel/kernel.ts';

/** Returns an open file as the rest of Curfew names it. */
export const openFileOf = (one: Descriptor): OpenFile => {
  const { fd } = one;
  switch (one.kind) {
    case 'file':
      return { fd, target: one.path === '' ? 'deleted' : one.path, deleted: one.deleted };
    case 'internet':
    case 'local':
      return { fd, target: one.socket, deleted: false };
    case 'pipe':
      return { fd, target: one.end, deleted: false };
    case 'other':
    case 'unknown':
      return { fd, target: one.kind, deleted: false };
  }
};

/** What is known of a process besides its open files. */
export interface MemberInput {
  readonly environment: MarkerEnvironment | null;
  readonly hidden: NonNullable<MemberFacts['hidden']> | null;
  /** Null: not the user's own. */
  readonly launched: LaunchFacts | 'untold' | null;
  /** Reads what the kernel asks file systems about; null where that is not done now. */
  readonly unlessSlow: <Fact>(read: () => Fact) => Fact | null;
  readonly shown: WindowsShown;
}

/**
 * Reads what a process holds.
 * @throws ProcessTableUnreadable
 */
export const readMemberFacts = (kernel: DarwinKernel, pid: number, input: MemberInput): MemberFacts => {
  const held = input.unlessSlow(() => ({
    found: readDescriptors(kernel, pid)?.all ?? null,
    folder: readFolder(kernel, pid),
  }));
  const { found, folder } = held ?? { found: null, folder: null };
  const sockets = (found ?? []).filter(({ kind }) => kind === 'internet' || kind === 'local');
  const ports = sockets.flatMap((one) => (one.kind === 'internet' && one.state === 'listens' ? [one.localPort] : []));
  return {
    environment: input.environment,
    ...(input.hidden === null ? {} : { hidden: input.hidden }),
    cwd: folder?.path ?? null,
    cwdDeleted: folder?.deleted ?? false,
    executable: readProgram(kernel, pid),
    openFiles: found?.map(openFileOf) ?? null,
    cgroups: null,
    pidNamespace: null,
    ioBytes: null,
    ports: [...new Set(ports)].toSorted((left, right) => left - right),
    sockets: sockets.length - ports.length,
    // macOS shows neither the call in which a process waits nor which files are locked now.
    blockedReading: null,
    locks: [],
    // A list that can't be had may hold a window of each program.
    ...(input.shown === 'unknown' || input.shown.has(pid) ? { displays: [{ at: 'the desktop', peer: null }] } : {}),
    ...(input.launched === null ? {} : { launched: input.launched }),
  };
};
