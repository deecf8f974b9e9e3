import type { PossibleClient } from '../../../app/jobs/measure/clients.ts';

/** What processes can share: a name by which two of them are compared, and what users call it. */
export interface Shared {
  readonly by: 'pipe' | 'terminal' | 'memory';
  readonly at: string;
  /** Its holder may change it; only memory that no holder changes tells nothing. */
  readonly writes: boolean;
}

/**
 * Returns what each job shares with processes outside of it, and whether it shares anything that
 * others could hold.
 * @param sharedBy what a process shares, by a name by which two of them are compared
 */
export const sharersAmong = (
  jobs: readonly ReadonlySet<number>[],
  all: readonly number[],
  sharedBy: (pid: number) => ReadonlyMap<string, Shared>,
): { readonly clients: readonly (readonly PossibleClient[])[]; readonly shares: readonly boolean[] } => {
  const own = jobs.map((pids) => {
    const found = new Map<string, Shared>();
    for (const pid of pids)
      for (const [name, shared] of sharedBy(pid))
        found.set(name, { ...shared, writes: shared.writes || found.get(name)?.writes === true });
    return found;
  });
  const wanted = new Set(own.flatMap((found) => [...found.keys()]));
  const shares = own.map(({ size }) => size > 0);
  if (wanted.size === 0) return { clients: jobs.map(() => []), shares };
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
    [...found].flatMap(([name, { by, at, writes }]): readonly PossibleClient[] => {
      const others = holders.get(name);
      const pids = others?.pids.filter((pid) => jobs[index]?.has(pid) !== true) ?? [];
      if (pids.length === 0 || !(writes || others?.writes === true)) return [];
      return [{ by, at, from: null, peers: null, holders: pids }];
    }),
  );
  return { clients, shares };
};
