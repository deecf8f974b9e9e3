import { hasEnded } from '../process/row.ts';
import type { ProcessTable } from '../process/table.ts';

/** A limit, and how much of it is used; process ids or bytes. */
export interface Ceiling {
  readonly used: number;
  readonly max: number;
}

/** The limits of a container, or of what else has its own. null: none, or not known. */
export interface MachineCeilings {
  readonly pids: Ceiling | null;
  readonly memory: Ceiling | null;
  /** The share of the last ten seconds in which some process of it waited for memory. */
  readonly stalledPercent: number | null;
  readonly sharedMemory: Ceiling | null;
}

export const noCeilings: MachineCeilings = { pids: null, memory: null, stalledPercent: null, sharedMemory: null };

/** What is short on a machine, or soon will be, whatever the jobs do. */
export type Shortage =
  | { readonly code: 'unwaited-zombies'; readonly first: string; readonly zombies: number }
  | {
      readonly code: 'few-pids' | 'little-memory' | 'little-shared-memory';
      readonly used: number;
      readonly max: number;
    }
  | { readonly code: 'memory-stalls'; readonly percent: number };

/** Zombies from which on process 1 does not wait for children: where it does, none lasts. */
const minZombies = 10;
/** The share of a limit from which on it is told. */
const nearlyAll = 0.8;
/** systemd-oomd's limit for a user's session, percent: https://manpages.debian.org/oomd.conf.5 */
const minStalledPercent = 50;

const short = (code: Extract<Shortage, { used: number }>['code'], ceiling: Ceiling | null): readonly Shortage[] =>
  ceiling === null || ceiling.max === 0 || ceiling.used < ceiling.max * nearlyAll ? [] : [{ code, ...ceiling }];

/** Returns what is short: process ids, memory, or a process 1 that waits for its children. Pure. */
export const shortagesOf = (rows: ProcessTable['rows'], ceilings: MachineCeilings): readonly Shortage[] => {
  const zombies = [...rows.values()].filter((row) => Number(row.ppid) === 1 && hasEnded(row)).length;
  const first = [...rows.values()].find((row) => Number(row.pid) === 1)?.comm ?? 'process 1';
  const { stalledPercent } = ceilings;
  return [
    ...(zombies < minZombies ? [] : [{ code: 'unwaited-zombies' as const, first, zombies }]),
    ...short('few-pids', ceilings.pids),
    ...short('little-memory', ceilings.memory),
    ...(stalledPercent === null || stalledPercent < minStalledPercent
      ? []
      : [{ code: 'memory-stalls' as const, percent: stalledPercent }]),
    ...short('little-shared-memory', ceilings.sharedMemory),
  ];
};
