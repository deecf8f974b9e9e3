interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** One group of rolldown's code splitting. */
interface ChunkGroup {
  readonly debugName: string;
  readonly name: (id: string, graph: Graph) => string | null;
  readonly priority: number;
}

/**
 * A group of all modules that `entry` imports before it does anything, and of `entry` itself where
 * that is wanted.
 */
const importedBy = (name: string, entry: string, withEntry: boolean, priority: number): ChunkGroup => {
  let members: ReadonlySet<string> | null = null;
  const reached = (graph: Graph): ReadonlySet<string> => {
    const ids = new Set<string>(withEntry ? [entry] : graph.getModuleInfo(entry)?.importedIds);
    for (const id of ids) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) ids.add(imported);
    return ids;
  };
  return { debugName: name, name: (id, graph) => ((members ??= reached(graph)).has(id) ? name : null), priority };
};

/**
 * A group for rolldown's code splitting: whatever `entry` imports before it does anything, as one
 * file. Without it each module that a command shares with the start becomes a file of its own, and
 * Node resolves, opens and links every one. `entry` itself stays outside: it waits for the command
 * it runs, whose file imports from this one, and two modules that wait for each other never start.
 * Of two such groups a module belongs to the one that is named first.
 */
export const startChunk = (name: string, entry: string): ChunkGroup => importedBy(name, entry, false, 2);

/**
 * The same for a module that many commands share, with that module, as far as it is in no start
 * chunk: one file in place of 35 for `curfew scan`.
 */
export const sharedChunk = (name: string, entry: string): ChunkGroup => importedBy(name, entry, true, 1);
