import type { Veto } from './verdict.ts';

/** What the judge must know besides the job and the settings. */
export interface JudgeContext {
  /** Wall clock, milliseconds since the epoch. */
  readonly nowMs: number;
  /** What was remembered of it was lost: never ended automatically. Left out: it was not. */
  readonly isForgotten?: boolean;
  /** All vetoes of the job's members, see `vetoesOf`. Any of them protects the whole job. */
  readonly vetoes: readonly Veto[];
  /** What holds instead of an orphan's grace and the hard cap's notice; left out: nothing. */
  readonly terms?: Terms;
}

/** The two ways in which a job is ended without an announcement. */
export type Terms =
  /** Its session itself said that it ends: what it left gets no grace. */
  | { readonly kind: 'session-said-so' }
  /** `curfew reap`: orphans at least this old, seconds; null: the grace of the settings. */
  | {
      readonly kind: 'command';
      readonly minAgeSeconds: number | null;
      /** It names servers, so they are ended also where the settings only show them. */
      readonly endsServers?: true;
      /** It asks for what is probably left over, too: what only marks name. */
      readonly endsProbable?: true;
    };
