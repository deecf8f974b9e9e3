import type { PossibleClient } from '../../../app/jobs/measure/clients.ts';

/** What processes can share: a name by which two of them are compared, and what users call it. */
export interface Shared {
  readonly by: 'pipe' | 'terminal' | 'memory';
  readonly at: string;
  /** Its holder may change it; only memory that no holder changes tells nothing. */
  readonly writes: boolean;
  /**
   * It has no name. Where a process that is older than its holder in the job has it, both have it
   * from what started them, and none is a client by that. Else the job made it, and what has it
   * outside was given it, or took it by way of /proc.
   */
  readonly nameless?: true;
}

/**
 * Returns what each job shares with processes outside of it, and the names of all that it holds and
 * that others could hold, too.
 * @param sharedBy what a process shares, by a name by which two of them are compared
 * @param began when a process began, in any unit; null: not known
 */
export const sharersAmong = (
  jobs: readonly ReadonlySet<number>[],
  all: readonly number[],
  sharedBy: (pid: number) => ReadonlyMap<string, Shared>,
  began: (pid: number) => number | null = () => null,
): { readonly clients: readonly (readonly PossibleClient[])[]; readonly names: readonly (readonly string[])[] } => {
  const own = jobs.map((pids) => {
    const found = new Map<string, Shared & { readonly since: number }>();
    for (const pid of pids)
      for (const [name, shared] of sharedBy(pid)) {
        const known = found.get(name);
        const since = shared.nameless === true ? Math.min(began(pid) ?? 0, known?.since ?? Infinity) : 0;
        found.set(name, { ...shared, writes: shared.writes || known?.writes === true, since });
      }
    return found;
  });
  const wanted = new Set(own.flatMap((found) => [...found.keys()]));
  const names = own.map((found) => [...found.keys()]);
  if (wanted.size === 0) return { clients: jobs.map(() => []), names };
  const holders = new Map<string, { readonly pids: number[]; writes: boolean }>();
  for (const pid of all)
    for (const [name, { writes }] of sharedBy(pid)) {
      if (!wanted.has(name)) continue;
      const known = holders.get(name) ?? { pids: [], writes: false };
      known.pids.push(pid);
      known.writes ||= writes;
      holders.set(name, known);
    }
  const clients = own.map((found, index) =>
    [...found].flatMap(([name, { by, at, writes, since }]): readonly PossibleClient[] => {
      const others = holders.get(name);
      const outside = others?.pids.filter((pid) => jobs[index]?.has(pid) !== true) ?? [];
      const pids = outside.some((pid) => (began(pid) ?? Infinity) < since) ? [] : outside;
      if (pids.length === 0 || !(writes || others?.writes === true)) return [];
      return [{ by, at, from: null, peers: null, holders: pids }];
    }),
  );
  return { clients, names };
};
