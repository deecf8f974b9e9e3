// The package has no types: https://github.com/bcoe/v8-coverage/blob/master/src/lib/merge.js
declare module '@bcoe/v8-coverage' {
  import type { Profiler } from 'node:inspector';

  /** Merges one script's counts of several processes; undefined for none. */
  export const mergeScriptCovs: (scripts: readonly Profiler.ScriptCoverage[]) => Profiler.ScriptCoverage | undefined;
}
