import type { MarkerEnvironment } from '../../../../app/process/facts.ts';
import { asGroupId, asKernelSessionId, asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { splitCommandLine } from '../kernel/command-line.ts';
import type { BlockNames } from '../kernel/environment-block.ts';
import { isShielded, readHolder, readTimes, type Holder } from '../kernel/identity.ts';
import { accessRight, ntStatus, type Handle, type WindowsKernel } from '../kernel/kernel.ts';
import { programFile, programPath } from '../kernel/paths.ts';
import type { KernelRow } from '../kernel/process-rows.ts';
import { readCommandLine, readParameters, type ProcessParameters } from '../kernel/process-parameters.ts';

/** A process that was seen. */
interface SeenProcess {
  readonly pid: number;
  readonly startTicks: number;
}

/** What is kept of a living process. */
export interface KnownProcess extends SeenProcess {
  /** This user's, and no more powerful than Curfew: such alone are read further. */
  readonly isOwn: boolean;
  /** Its parent, where that lived when this was seen first. */
  readonly parent: SeenProcess | null;
  /** Windows has no kernel sessions; see `sessionOf`. */
  readonly session: number;
  readonly argv: readonly string[];
  /** Null: it can't be read. */
  readonly environment: MarkerEnvironment | null;
  /** Why `environment` is null, see `MemberFacts`; null where nothing is concluded from it. */
  readonly hidden: 'refused' | null;
  readonly console: boolean | null;
  /** It is read again at the next look: it had only begun, or was not to be read this time. */
  readonly unfinished: boolean;
}

/** What processes are read with. */
export interface KnownProcessesOptions {
  readonly kernel: WindowsKernel;
  readonly names: BlockNames;
  readonly uid: number;
  /** Whose Curfew itself is. */
  readonly self: Holder;
  /** The login session in which Curfew itself runs. */
  readonly session: number;
}

/** The kernel's own process; what it starts is a part of it. */
const kernelPid = 4;

/** A console's host follows the programs in it: it is neither a member of a job nor a survivor. */
const consoleHosts: ReadonlySet<string> = new Set(['conhost', 'openconsole']);

/** Programs that start others on behalf of the user or the system: a session begins below them. */
const openers: ReadonlySet<string> = new Set([
  ...consoleHosts,
  'explorer',
  'services',
  'sihost',
  'svchost',
  'taskhostw',
  'userinit',
  'windowsterminal',
  'wininit',
  'winlogon',
]);

/** The rights to read a process wholly. */
const readingRights = accessRight.limited | accessRight.query | accessRight.readMemory;

/** The rights to learn where its standard handles lead, besides. */
export const fileRights = readingRights | accessRight.duplicateHandle;

const none = { argv: [], environment: null, hidden: 'refused', console: null } as const;

/** Returns argv with the program's path in the form that is compared. */
const argvOf = (commandLine: string | null): readonly string[] => {
  const [first, ...rest] = splitCommandLine(commandLine ?? '');
  return first === undefined ? [] : [programPath(first), ...rest];
};

/** What parameters say of environment and arguments. */
export const factsOf = (
  found: ProcessParameters | null,
): Pick<KnownProcess, 'argv' | 'environment' | 'hidden' | 'console'> => {
  if (found === null) return none;
  const { markers, bare } = found.environment;
  return {
    argv: argvOf(found.commandLine),
    // A program of Git Bash that another started: what it was given stands where Windows does not
    // see it, so nothing is known and nothing concluded.
    environment: bare ? null : markers,
    hidden: bare || markers !== null ? null : 'refused',
    console: found.console,
  };
};

/** What is known of the machine's processes, kept from look to look. */
export class KnownProcesses {
  readonly #options: KnownProcessesOptions;
  #known = new Map<number, KnownProcess>();

  constructor(options: KnownProcessesOptions) {
    this.#options = options;
  }

  get(pid: number, startTicks: number): KnownProcess | undefined {
    const known = this.#known.get(pid);
    return known?.startTicks === startTicks ? known : undefined;
  }

  /**
   * Reads what is new in a whole table. Parents come before their children, because a process
   * starts after its parent.
   */
  look(rows: readonly KernelRow[]): void {
    const now = new Map<number, KnownProcess>();
    const living = new Map(rows.map((row) => [row.pid, row]));
    for (const row of rows.toSorted((left, right) => left.startTicks - right.startTicks)) {
      const before = this.get(row.pid, row.startTicks);
      const isDone = before !== undefined && (!before.unfinished || row.ended);
      now.set(row.pid, isDone ? before : this.#meet(row, before, living, now));
    }
    this.#known = now;
  }

  /** Opens a process and reads while it is held; null where it is gone or another. */
  hold<Result>(pid: number, startTicks: number, access: number, read: (handle: Handle) => Result): Result | null {
    const { kernel } = this.#options;
    const { status, handle } = kernel.open(pid, access);
    if (status !== ntStatus.success) return null;
    try {
      const times = readTimes(kernel, handle);
      return times === null || times.startTicks !== startTicks || times.ended ? null : read(handle);
    } finally {
      kernel.close(handle);
    }
  }

  /** Reads what a process was started with, past every cache. */
  parameters(pid: number, startTicks: number): ProcessParameters | null {
    const { kernel, names } = this.#options;
    return this.hold(pid, startTicks, readingRights, (handle) => readParameters(kernel, handle, names));
  }

  /** Whether it is this user's, in this login session, and no more powerful than Curfew. */
  isOwn(pid: number, startTicks: number, session: number): boolean {
    const { kernel, self } = this.#options;
    if (session !== this.#options.session) return false;
    return (
      this.hold(pid, startTicks, accessRight.limited, (handle) => {
        const holder = readHolder(kernel, handle);
        if (holder === null || holder.user !== self.user) return false;
        if ((holder.elevated && !self.elevated) || holder.integrity > self.integrity) return false;
        return !isShielded(kernel, handle);
      }) === true
    );
  }

  #meet(
    row: KernelRow,
    before: KnownProcess | undefined,
    living: ReadonlyMap<number, KernelRow>,
    known: ReadonlyMap<number, KnownProcess>,
  ): KnownProcess {
    const isOwn = before?.isOwn ?? (!row.ended && this.isOwn(row.pid, row.startTicks, row.session));
    return this.#met(row, before, isOwn, living, known);
  }

  #met(
    row: KernelRow,
    before: KnownProcess | undefined,
    isOwn: boolean,
    living: ReadonlyMap<number, KernelRow>,
    known: ReadonlyMap<number, KnownProcess>,
  ): KnownProcess {
    const { pid, startTicks } = row;
    const above = validParent(row, living);
    const parent = above === null ? null : { pid: above.pid, startTicks: above.startTicks };
    const found = isOwn ? this.parameters(pid, startTicks) : null;
    const facts = isOwn ? factsOf(found) : none;
    const argv = facts.argv.length > 0 || !isOwn ? facts.argv : this.#commandLine(pid, startTicks);
    return {
      pid,
      startTicks,
      isOwn,
      parent: before?.parent ?? parent,
      session: before?.session ?? sessionOf(row, above, facts.console, known),
      ...facts,
      argv,
      unfinished: isOwn && (found === null || found.commandLine === null),
    };
  }

  #commandLine(pid: number, startTicks: number): readonly string[] {
    const { kernel } = this.#options;
    return argvOf(this.hold(pid, startTicks, accessRight.limited, (handle) => readCommandLine(kernel, handle)) ?? null);
  }

  /**
   * Returns the row of a process that was read just now. What is known of it counts where it is
   * still the same; of another the rest is read.
   */
  buildFresh(row: KernelRow, isOwn: boolean, living: ReadonlyMap<number, KernelRow>): ProcessRow {
    const before = this.get(row.pid, row.startTicks);
    const known = before?.isOwn === isOwn ? before : this.#met(row, before, isOwn, living, this.#known);
    return this.build(row, known, living);
  }

  /** Returns the row of a process. */
  build(row: KernelRow, known: KnownProcess, living: ReadonlyMap<number, KernelRow>): ProcessRow {
    const comm = programFile(row.image);
    const above = validParent(row, living);
    const starter = above === null ? known.parent : null;
    return {
      pid: asPid(row.pid),
      ppid: asPid(above?.pid ?? 0),
      pgid: asGroupId(row.pid),
      sid: asKernelSessionId(known.session),
      tty: 0,
      state: row.ended ? 'Z' : 'S',
      startTicks: row.startTicks,
      cpuMs: known.isOwn ? row.cpuMs : 0,
      rssBytes: known.isOwn ? row.rssBytes : 0,
      uid: known.isOwn ? this.#options.uid : null,
      comm,
      argv: row.ended ? [] : known.argv,
      kernelThread: row.pid === kernelPid || row.parent === kernelPid || consoleHosts.has(comm),
      ...(starter === null ? {} : { starter: { pid: starter.pid, startTicks: starter.startTicks } }),
    };
  }
}

/**
 * Returns the row of the parent; null where the process that has its number is younger: Windows
 * never changes a parent id, and hands the number out again.
 */
const validParent = (row: KernelRow, living: ReadonlyMap<number, KernelRow>): KernelRow | null => {
  const parent = living.get(row.parent);
  return parent !== undefined && parent.pid !== row.pid && parent.startTicks <= row.startTicks ? parent : null;
};

/**
 * Stands for the kernel session, which agents give their tool calls on other systems. A process is
 * in its parent's, but for three that lead one: what has no parent any more, what the desktop or a
 * terminal started, and what was started without a console by a program that has one, as agents
 * start their commands (DETACHED_PROCESS).
 */
const sessionOf = (
  row: KernelRow,
  parent: KernelRow | null,
  console: boolean | null,
  known: ReadonlyMap<number, KnownProcess>,
): number => {
  const above = parent === null ? undefined : known.get(parent.pid);
  if (parent === null || above === undefined || openers.has(programFile(parent.image))) return row.pid;
  return console === false && above.console === true ? row.pid : above.session;
};
