import type { MarkerEnvironment } from '../../../../app/process/facts.ts';
import { asGroupId, asKernelSessionId, asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { splitCommandLine, programFile } from '../kernel/command-line.ts';
import { windowsProgram } from '../../../../app/paths/path.ts';
import type { BlockNames } from '../kernel/environment-block.ts';
import { type Holder, isShielded, readHolder, readTimes } from '../kernel/identity.ts';
import { type Handle, type WindowsKernel, accessRight, kernelPid, ntStatus } from '../kernel/kernel.ts';
import { type ProcessParameters, readCommandLine, readParameters } from '../kernel/process-parameters.ts';
import type { KernelRow } from '../kernel/process-rows.ts';
import { type LivingRows, type ParentDoubt, type SeenProcess, doubtOf, stillThere, validParent } from './parentage.ts';

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
  known: ReadonlyMap<number, { readonly session: number; readonly console: boolean | null }>,
): number => {
  const above = parent === null ? undefined : known.get(parent.pid);
  if (parent === null || above === undefined || openers.has(programFile(parent.image))) return row.pid;
  return console === false && above.console === true ? row.pid : above.session;
};

/** Sessions of which the leader has ended and its pid was given out again. Pids are smaller. */
const firstRenamed = 2 ** 32;

/** Renumbers sessions whose leader's pid was given to another: two must not pass for one. */
class RenamedSessions {
  #next = firstRenamed;

  /**
   * Returns the new numbers by the old ones.
   * @param sessionOfKnown the session of a process that was seen before; undefined for a new one
   */
  renamed(
    rows: readonly KernelRow[],
    sessionOfKnown: (row: KernelRow) => number | undefined,
  ): ReadonlyMap<number, number> {
    const sessions = new Set<number>();
    const begun: number[] = [];
    for (const row of rows) {
      const session = sessionOfKnown(row);
      if (session === undefined) begun.push(row.pid);
      else sessions.add(session);
    }
    return new Map(begun.filter((pid) => sessions.has(pid)).map((pid) => [pid, this.#next++]));
  }
}

export interface KnownProcess extends SeenProcess {
  /** This user's, and no more powerful than Curfew: such alone are read further. */
  readonly isOwn: boolean;
  /** Its parent, where that lived when this was seen first; it never becomes another. */
  readonly parent: SeenProcess | null;
  /** Whether its parent is known for certain, or why not. */
  readonly doubt: ParentDoubt;
  /** Windows has no kernel sessions; see `sessionOf`. */
  readonly session: number;
  readonly argv: readonly string[];
  /** Null: it can't be read. */
  readonly environment: MarkerEnvironment | null;
  /** Why `environment` is null, see `MemberFacts`; null where it is not. */
  readonly hidden: 'refused' | null;
  readonly console: boolean | null;
  /** It is read again at the next look: it had only begun, or was not to be read this time. */
  readonly unfinished: boolean;
  /** Whose it is was asked: not of a process that had no thread yet. */
  readonly asked: boolean;
}

export interface KnownProcessesOptions {
  readonly kernel: WindowsKernel;
  readonly names: BlockNames;
  readonly uid: number;
  /** Whose Curfew itself is. */
  readonly self: Holder;
  /** The login session in which Curfew itself runs. */
  readonly session: number;
}

const readingRights = accessRight.limited | accessRight.query | accessRight.readMemory;

/** The rights to learn where its standard handles lead, besides. */
export const fileRights = readingRights | accessRight.duplicateHandle;

const none = { argv: [], environment: null, hidden: 'refused', console: null } as const;

/** Returns argv with the program's path in the form that is compared. */
const argvOf = (commandLine: string | null): readonly string[] => {
  const [first, ...rest] = splitCommandLine(commandLine ?? '');
  return first === undefined ? [] : [windowsProgram(first), ...rest];
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
    // see it. It may carry `CURFEW_KEEP=1`, as what can't be read at all.
    environment: bare ? null : markers,
    hidden: bare || markers === null ? 'refused' : null,
    console: found.console,
  };
};

export class KnownProcesses {
  readonly #options: KnownProcessesOptions;
  #known = new Map<number, KnownProcess>();
  /** The latest look that listed all processes. */
  #whole: LivingRows | null = null;
  readonly #sessions = new RenamedSessions();

  constructor(options: KnownProcessesOptions) {
    this.#options = options;
  }

  get(pid: number, startTicks: number): KnownProcess | undefined {
    const known = this.#known.get(pid);
    return known?.startTicks === startTicks ? known : undefined;
  }

  /** Reads what is new in a whole table, parents first: a process starts after its parent. */
  look(living: LivingRows): void {
    const now = new Map<number, KnownProcess>();
    const rows = [...living.rows.values()].toSorted((left, right) => left.startTicks - right.startTicks);
    const renamed = this.#sessions.renamed(rows, (row) => this.get(row.pid, row.startTicks)?.session);
    for (const row of rows) {
      const found = this.get(row.pid, row.startTicks);
      const session = found === undefined ? undefined : renamed.get(found.session);
      const before = found === undefined || session === undefined ? found : { ...found, session };
      const isOpen = before === undefined || before.unfinished || !before.asked || before.doubt === 'unread';
      const isDone = before !== undefined && (!isOpen || row.ended);
      now.set(row.pid, isDone ? before : this.#identify(row, before, living, now));
    }
    this.#known = now;
    this.#whole = living.complete ? living : null;
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

  #identify(
    row: KernelRow,
    before: KnownProcess | undefined,
    living: LivingRows,
    known: ReadonlyMap<number, KnownProcess>,
  ): KnownProcess {
    const isOwn =
      before?.asked === true ? before.isOwn : !row.ended && this.isOwn(row.pid, row.startTicks, row.session);
    return this.#describe(row, before, isOwn, living, known);
  }

  #describe(
    row: KernelRow,
    before: KnownProcess | undefined,
    isOwn: boolean,
    living: LivingRows,
    known: ReadonlyMap<number, KnownProcess>,
  ): KnownProcess {
    const { pid, startTicks } = row;
    const isDecided = before !== undefined && before.doubt !== 'unread';
    const above = isDecided ? stillThere(before.parent, living) : validParent(row, living);
    const parent = above === null ? null : { pid: above.pid, startTicks: above.startTicks };
    const found = isOwn ? this.parameters(pid, startTicks) : null;
    const facts = isOwn ? factsOf(found) : none;
    const argv = facts.argv.length > 0 || !isOwn ? facts.argv : this.#commandLine(pid, startTicks);
    return {
      pid,
      startTicks,
      isOwn,
      parent: isDecided ? before.parent : parent,
      doubt: isDecided ? before.doubt : doubtOf(row, above, living, before === undefined ? this.#whole : null),
      session: before?.session ?? sessionOf(row, above, facts.console, known),
      ...facts,
      argv,
      unfinished: isOwn && (found === null || found.commandLine === null),
      asked: before?.asked === true || !row.ended,
    };
  }

  #commandLine(pid: number, startTicks: number): readonly string[] {
    const { kernel } = this.#options;
    return argvOf(this.hold(pid, startTicks, accessRight.limited, (handle) => readCommandLine(kernel, handle)) ?? null);
  }

  /** Returns a fresh process's row: what is known counts if still the same; else it is read. */
  buildFresh(row: KernelRow, isOwn: boolean, living: LivingRows): ProcessRow {
    const before = this.get(row.pid, row.startTicks);
    const known = before?.isOwn === isOwn ? before : this.#describe(row, before, isOwn, living, this.#known);
    return this.build(row, known, living);
  }

  build(row: KernelRow, known: KnownProcess, living: LivingRows): ProcessRow {
    const comm = programFile(row.image);
    const above = stillThere(known.parent, living);
    const starter = above === null ? known.parent : null;
    // A parent that is not listed has ended only where all are listed.
    const unsureParent = known.doubt !== 'none' || (starter !== null && !living.complete);
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
      // What the kernel's own process starts is a part of it.
      kernelThread: row.pid === kernelPid || row.parent === kernelPid || consoleHosts.has(comm),
      windows: { console: known.isOwn ? known.console : null, unsureParent },
      ...(starter === null ? {} : { starter: { pid: starter.pid, startTicks: starter.startTicks } }),
    };
  }
}
