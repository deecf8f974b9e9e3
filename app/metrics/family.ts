import type { VerdictState } from '../judge/verdict.ts';
import type { Owner } from '../model/job.ts';

// Made from total records, so that the compiler asks for a new value here too.

const ownerRecord: Readonly<Record<Owner['state'], true>> = { live: true, gone: true, unknown: true };

const leftoverRecord: Readonly<Record<Exclude<VerdictState, 'protected'>, true>> = {
  within: true,
  overdue: true,
  orphaned: true,
  probable: true,
  'past-cap': true,
  kept: true,
};

/** The states of an owner, as labels. */
export const owners = Object.keys(ownerRecord) as readonly Owner['state'][];

/** The verdicts that a leftover can have: what is protected is none. */
export const leftoverVerdicts = Object.keys(leftoverRecord) as readonly Exclude<VerdictState, 'protected'>[];

/** Every verdict. */
export const verdicts: readonly VerdictState[] = [...leftoverVerdicts, 'protected'];

/** The labels of one sample: names and values. Values may be any text. */
export type Labels = Readonly<Record<string, string>>;

/** One number of a family, under its labels. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** A name whose end is its unit (https://prometheus.io/docs/practices/naming/#base-units). */
type Named =
  | { readonly name: `curfew_${string}_bytes`; readonly unit: 'bytes' }
  | { readonly name: `curfew_${string}_seconds`; readonly unit: 'seconds' }
  | { readonly name: `curfew_${string}`; readonly unit: null };

/**
 * The numbers under one name. The name of a counter is without `_total`, that of an info without
 * `_info`: https://prometheus.io/docs/specs/om/open_metrics_spec/#metricfamily
 */
export type MetricFamily = Named & { readonly help: string } & (
    | { readonly kind: 'gauge'; readonly samples: readonly Sample[] }
    /** `createdSeconds`: Unix time it counts from; null: not known. No negative values. */
    | { readonly kind: 'counter'; readonly samples: readonly Sample[]; readonly createdSeconds: number | null }
    | { readonly kind: 'info'; readonly labels: Labels }
    /** What was observed so far, how often and how much in all. */
    | {
        readonly kind: 'summary';
        readonly count: number;
        readonly sum: number;
        readonly createdSeconds: number;
      }
  );
