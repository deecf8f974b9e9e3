import type { Veto } from './verdict.ts';

/** What the judge must know besides the job and the settings. */
export interface JudgeContext {
  /** Wall clock, milliseconds since the epoch. */
  readonly nowMs: number;
  /** All vetoes of the job's members, see `vetoesOf`. Any of them protects the whole job. */
  readonly vetoes: readonly Veto[];
  /** Instead of the setting, for one pass (`curfew reap --max-age`). Seconds. */
  readonly orphanGraceSeconds?: number;
}
