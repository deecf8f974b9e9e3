import type { Profiler } from 'node:inspector';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mergeScriptCovs } from '@bcoe/v8-coverage';
import { z } from 'zod';

const Range = z.object({ startOffset: z.number(), endOffset: z.number(), count: z.number() });
const Script = z.object({
  scriptId: z.string(),
  url: z.string(),
  functions: z.array(z.object({ functionName: z.string(), isBlockCoverage: z.boolean(), ranges: z.array(Range) })),
});
const Profile = z.object({ result: z.array(Script) });

const root = join(import.meta.dirname, '../..');
const ours = ['app', 'main', 'build/out/cli', 'build/out/shell'].map(
  (folder) => `${pathToFileURL(join(root, folder)).href}/`,
);

/**
 * V8's counts of the processes that tests started. Node writes a file for each that exits
 * (https://nodejs.org/api/cli.html#node_v8_coveragedir); a process ended with KILL leaves none, or
 * half of one.
 */
export class Profiles {
  readonly #folder: string;
  readonly #scripts = new Map<string, Profiler.ScriptCoverage>();
  /** Number of counted processes. */
  processes = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Reads and removes the files: thousands of processes leave a megabyte each. A half-written file
   * stays for the next time.
   */
  take(): void {
    for (const name of existsSync(this.#folder) ? readdirSync(this.#folder) : []) {
      const file = join(this.#folder, name);
      const profile = this.#read(file);
      if (profile === null) continue;
      for (const script of profile.result) this.#add(script);
      this.processes += 1;
      rmSync(file);
    }
  }

  /** Returns our own scripts, with the counts of all processes. */
  scripts(): readonly Profiler.ScriptCoverage[] {
    return [...this.#scripts.values()];
  }

  #add(script: Profiler.ScriptCoverage): void {
    if (!ours.some((folder) => script.url.startsWith(folder))) return;
    const before = this.#scripts.get(script.url);
    const merged = mergeScriptCovs(before === undefined ? [script] : [before, script]);
    if (merged !== undefined) this.#scripts.set(script.url, merged);
  }

  #read(file: string): z.infer<typeof Profile> | null {
    try {
      return Profile.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      throw error;
    }
  }
}
