import type { Owner } from '../model/job.ts';
import type { VerdictState } from '../judge/verdict.ts';

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
