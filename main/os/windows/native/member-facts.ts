import { type MemberFacts, type OpenFile, unknownFacts } from '../../../../app/process/facts.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import type { UnreadPart } from '../../../../app/process/windows.ts';
import { readDebugged, readImage } from '../kernel/identity.ts';
import type { Handle, WindowsKernel } from '../kernel/kernel.ts';
import { windowsPath, windowsProgram } from '../../../../app/paths/path.ts';
import type { Ports } from '../kernel/ports.ts';
import type { ProcessParameters } from '../kernel/process-parameters.ts';
import { factsOf, type KnownProcess } from './known-processes.ts';
import { portsOf, socketNamesOf } from './sockets.ts';

/** Which processes show a window: `unknown` where the windows can't be listed. */
export type WindowsShown = ReadonlySet<number> | 'unknown';

/**
 * Returns the processes with a visible top-level window. Where a desktop runs and no window at all
 * is listed, this is not the desktop of which the windows are listed.
 * @param ofDesktop processes that are the desktop
 */
export const windowsShown = (
  kernel: Pick<WindowsKernel, 'windows'>,
  ofDesktop: ReadonlySet<number> = new Set(),
): WindowsShown => {
  const found = kernel.windows();
  if (found === null || (found.length === 0 && ofDesktop.size > 0)) return 'unknown';
  return new Set(found.filter(({ visible }) => visible).map(({ pid }) => pid));
};

const desktopProgram = 'explorer';

/** Returns the living processes of this user that have windows on every desktop there is. */
export const desktopsIn = (rows: Iterable<ProcessRow>, uid: number): ReadonlySet<number> =>
  new Set([...rows].flatMap((row) => (row.uid === uid && row.comm === desktopProgram ? [Number(row.pid)] : [])));

/** Of a process that belongs to this user and shows nothing of itself. */
export const unreadFacts: MemberFacts = {
  ...unknownFacts,
  hidden: 'refused',
  displays: [{ at: 'the desktop', peer: null }],
  windows: { debugged: false, unread: ['memory'] },
};

/** Returns where handles 0 to 2 lead; what is no file on a disk is named by its kind. */
export const outputFiles = (
  kernel: Pick<WindowsKernel, 'filePath'>,
  handle: Handle,
  standard: ProcessParameters['standard'],
  wanted: readonly (0 | 1 | 2)[],
): readonly OpenFile[] =>
  wanted.flatMap((fd) => {
    const value = standard[fd];
    if (value === 0n) return [];
    const file = kernel.filePath(handle, value);
    const target = file === null ? 'unknown' : file.path === null ? 'other' : windowsPath(file.path);
    return [{ fd, target, deleted: false }];
  });

/** Returns a folder without its last slash, but for the root of a drive. */
const folderPath = (path: string): string => windowsPath(path).replace(/(?<=[^:/])\/+$/u, '');

export interface MemberInput {
  readonly handle: Handle;
  readonly pid: number;
  readonly found: ProcessParameters;
  readonly known: KnownProcess | undefined;
  readonly ports: Ports | null;
  readonly shown: WindowsShown;
}

export const readMemberFacts = (kernel: WindowsKernel, input: MemberInput): MemberFacts => {
  const { handle, pid, found, known, ports, shown } = input;
  const now = factsOf(found);
  const image = readImage(kernel, handle);
  const isShowing = shown === 'unknown' || shown.has(pid);
  const debugged = readDebugged(kernel, handle);
  const unread: UnreadPart[] = [
    ...(found.commandLine === null ? (['memory'] as const) : []),
    ...(image === null ? (['program'] as const) : []),
    ...(debugged === null ? (['debugger'] as const) : []),
  ];
  // What it was seen with first counts where its memory can't be read any more.
  const environment = now.environment ?? (now.hidden === null ? null : (known?.environment ?? null));
  return {
    environment,
    ...(environment === null && now.hidden !== null ? { hidden: now.hidden } : {}),
    cwd: found.folder === null || found.folder === '' ? null : folderPath(found.folder),
    cwdDeleted: false,
    executable: image === null ? null : windowsProgram(image),
    openFiles: [
      ...outputFiles(kernel, handle, found.standard, [0, 1, 2]),
      ...(ports === null ? [] : socketNamesOf(ports, pid)),
    ],
    furtherFiles: true,
    cgroups: null,
    pidNamespace: null,
    // Other programs' input and output is not counted under every Windows, so none is silent.
    ioBytes: null,
    ports: ports === null ? [] : portsOf(ports, pid),
    sockets: ports === null ? 0 : ports.tcp.filter((one) => one.pid === pid && one.state === 'connected').length,
    blockedReading: null,
    locks: [],
    ...(isShowing ? { displays: [{ at: 'the desktop', peer: null }] } : {}),
    // No known fact proves either of the two, so each is enough.
    windows: { debugged: debugged === true || found.beingDebugged, unread },
  };
};
