import type { MarkerEnvironment } from '../../../../app/process/facts.ts';
import type { Pid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { processArgumentsIn, argumentAreaBytes } from '../kernel/arguments.ts';
import { isRestricted, readUniqueIds, type UniqueIds } from '../kernel/identity.ts';
import { mibs, type DarwinKernel } from '../kernel/kernel.ts';
import type { MarkerNames } from '../../processes/environ.ts';

export interface FirstSeen {
  /** `UniqueIds.version` of the program; another after each exec. */
  readonly version: number;
  readonly argv: readonly string[];
  readonly environment: MarkerEnvironment | null;
  readonly hidden: 'rewritten' | 'refused' | null;
  /**
   * What the kernel did not answer, and is asked again at the next look: the arguments, with the
   * environment, or whether it hides that environment. null: it answered.
   */
  readonly unanswered: 'arguments' | 'signature' | null;
}

export interface KnownProcess {
  readonly startTicks: number;
  readonly uniqueId: number;
  /** Of first sight: an exec of an orphan replaces it by launchd's. */
  readonly parentUniqueId: number;
  /** null: the kernel did not tell it yet. */
  coalition: number | null;
  seen: FirstSeen;
  cpuMs: number;
  rssBytes: number;
  /** See `ProcessRow`; null: not told yet. */
  startUpSeconds: number | null;
}

const nothingSeen = { argv: [], environment: null, hidden: 'refused', unanswered: 'arguments' } as const;

/**
 * Says why an environment that the kernel left out is missing.
 *
 * The system hides the environment of its own programs, and of them alone (psutil#2084): then
 * nothing is known of it and nothing is concluded, as on a system that shows none. Anything else
 * that is missing may carry `CURFEW_KEEP=1`.
 */
const whyHidden = (kernel: DarwinKernel, pid: number): Pick<FirstSeen, 'hidden' | 'unanswered'> => {
  const restricted = isRestricted(kernel, pid);
  return { hidden: restricted === true ? null : 'refused', unanswered: restricted === null ? 'signature' : null };
};

const readFirstSeen = (kernel: DarwinKernel, names: MarkerNames, pid: number, version: number): FirstSeen => {
  const { bytes, errno } = kernel.sysctl(mibs.arguments(pid), argumentAreaBytes);
  const found = errno === 0 ? processArgumentsIn(bytes, names) : null;
  if (found === null) return { version, ...nothingSeen };
  const { argv, environment, gap } = found;
  const why = gap === 'hidden' ? whyHidden(kernel, pid) : { hidden: gap, unanswered: null };
  return { version, argv, environment, ...why };
};

/**
 * Reads what a process was started with, twice if it calls exec meanwhile. null where it has ended.
 * @throws ProcessTableUnreadable
 */
export const readStable = (
  kernel: DarwinKernel,
  names: MarkerNames,
  pid: number,
  ids: UniqueIds,
): { readonly ids: UniqueIds; readonly seen: FirstSeen } | null => {
  let before = ids;
  for (let tries = 0; ; tries++) {
    const seen = readFirstSeen(kernel, names, pid, before.version);
    const after = readUniqueIds(kernel, pid);
    if (after === null) return null;
    if (after.uniqueId === before.uniqueId && after.version === before.version) return { ids: before, seen };
    // It changes faster than it is read: nothing is known of what it runs now.
    if (tries === 1) return { ids: after, seen: { version: after.version, ...nothingSeen } };
    before = after;
  }
};

/**
 * Asks again why the environment of a program is hidden, of which all else is known: arguments of
 * first sight are not read again, because programs overwrite them.
 * @param ids of the process as they were just read
 * @throws ProcessTableUnreadable
 */
export const withSignature = (kernel: DarwinKernel, pid: number, ids: UniqueIds, seen: FirstSeen): FirstSeen => {
  const why = whyHidden(kernel, pid);
  const after = readUniqueIds(kernel, pid);
  return after?.uniqueId === ids.uniqueId && after.version === ids.version ? { ...seen, ...why } : seen;
};

export class ProcessMemory {
  readonly #living = new Map<Pid, KnownProcess>();

  get(pid: Pid, startTicks: number): KnownProcess | undefined {
    const known = this.#living.get(pid);
    return known?.startTicks === startTicks ? known : undefined;
  }

  add(pid: Pid, known: KnownProcess): void {
    this.#living.set(pid, known);
  }

  forget(pid: Pid): void {
    this.#living.delete(pid);
  }

  keepOnly(rows: ReadonlyMap<Pid, ProcessRow>): void {
    for (const pid of this.#living.keys()) if (!rows.has(pid)) this.#living.delete(pid);
  }

  pidOf(uniqueId: number): Pid | null {
    for (const [pid, known] of this.#living) if (known.uniqueId === uniqueId) return pid;
    return null;
  }

  /** The lowest unique id that lives in each coalition. */
  oldestIn(): ReadonlyMap<number, number> {
    const oldest = new Map<number, number>();
    for (const { coalition, uniqueId } of this.#living.values())
      if (coalition !== null) oldest.set(coalition, Math.min(oldest.get(coalition) ?? Infinity, uniqueId));
    return oldest;
  }
}
