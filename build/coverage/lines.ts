import { existsSync, readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { convert } from 'ast-v8-to-istanbul';
import { parseSync } from 'vite';
import { z } from 'zod';

/** How often each line on which a statement begins was run, by the file's path. */
export type Lines = Map<string, Map<number, number>>;

/**
 * The parts used of a report in Istanbul's format
 * (https://github.com/istanbuljs/istanbuljs/tree/main/packages/istanbul-lib-coverage).
 */
const Report = z.record(
  z.string(),
  z.object({
    statementMap: z.record(z.string(), z.object({ start: z.object({ line: z.number() }) })),
    s: z.record(z.string(), z.number()),
  }),
);

const linesOf = (report: unknown): Lines =>
  new Map(
    Object.entries(Report.parse(report)).map(([file, { statementMap, s }]) => {
      const lines = new Map<number, number>();
      for (const [id, { start }] of Object.entries(statementMap)) {
        lines.set(start.line, Math.max(lines.get(start.line) ?? 0, s[id] ?? 0));
      }
      return [file, lines];
    }),
  );

/**
 * Returns what vitest reported of code that its tests called in their own process. It names every
 * line of `app` and `main`, also of files that no test loads.
 */
export const linesOfReport = (file: string): Lines => linesOf(JSON.parse(readFileSync(file, 'utf8')));

/** https://tc39.es/ecma426/#sec-source-map-format */
const SourceMap = z.object({
  version: z.literal(3),
  sources: z.array(z.string().nullable()),
  sourcesContent: z.array(z.string().nullable()),
  mappings: z.string(),
  names: z.array(z.string()),
});

interface Executed {
  readonly code: string;
  readonly map: z.infer<typeof SourceMap> | null;
}

/**
 * Returns what Node ran of a script: its source with blanks instead of types, or the bundle with
 * its map. Null: there is no map.
 */
const executed = (path: string): Executed | null => {
  const code = readFileSync(path, 'utf8');
  if (path.endsWith('.ts')) return { code: stripTypeScriptTypes(code), map: null };
  const map = `${path}.map`;
  return existsSync(map) ? { code, map: SourceMap.parse(JSON.parse(readFileSync(map, 'utf8'))) } : null;
};

/** Returns V8's counts of one script, by the source's lines. Empty for a script without a map. */
export const linesOfScript = async ({ url, functions }: Profiler.ScriptCoverage): Promise<Lines> => {
  const path = fileURLToPath(url);
  const run = executed(path);
  if (run === null) return new Map();
  return linesOf(
    await convert({
      code: run.code,
      ...(run.map === null ? {} : { sourceMap: run.map }),
      ast: parseSync(path.replace(/\.ts$/, '.js'), run.code).program,
      coverage: { url, functions },
    }),
  );
};

/** Adds counts to known lines; lines that only the other report names are left out. */
export const addLines = (known: Lines, more: Lines): void => {
  for (const [file, lines] of more) {
    const here = known.get(file);
    for (const [line, count] of lines) {
      const before = here?.get(line);
      if (before !== undefined) here?.set(line, before + count);
    }
  }
};
