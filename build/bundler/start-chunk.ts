interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * Returns a group for rolldown's code splitting: all that `entry` imports before it runs, as one
 * file. Without it each module that a command shares with the start becomes a file of its own, and
 * Node resolves, opens and links every one. `entry` itself stays outside: it waits for the command
 * it runs, whose file imports from this one, and two modules that wait for each other never start.
 */
export const startChunk = (entry: string) => {
  let start: ReadonlySet<string> | null = null;
  const reached = (graph: Graph): ReadonlySet<string> => {
    const ids = new Set<string>(graph.getModuleInfo(entry)?.importedIds);
    for (const id of ids) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) ids.add(imported);
    return ids;
  };
  return {
    debugName: 'start',
    name: (id: string, graph: Graph): string | null => ((start ??= reached(graph)).has(id) ? 'start' : null),
  };
};
