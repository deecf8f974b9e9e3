import type { Said } from '../format/said.ts';

/**
 * Why a question could not be answered.
 * - `invalid`: the input makes no sense
 * - `not-found`: no such job, incident or host
 * - `vetoed`: the process may not be signalled
 * - `busy`: the same action is already in progress
 * - `journal`: history can't be written, so nothing may be signalled
 * - `refused`: the machine refused
 * - `unsupported`: not available on this machine or surface
 * - `cancelled`: the user cancelled
 * - `timeout`: no answer in time
 * - `offline`: the engine can't be reached
 * - `failed`: Curfew itself failed
 */
export const failureCodes = [
  'invalid',
  'not-found',
  'vetoed',
  'busy',
  'journal',
  'refused',
  'unsupported',
  'cancelled',
  'timeout',
  'offline',
  'failed',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** What went wrong and what to do about it, in words for the user. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: Said;
  readonly advice: Said | null;
  /** Refused input by path of the field (`changes.noticeSeconds`), with the allowed values. */
  readonly fields: readonly { readonly path: string; readonly message: Said }[];
}

/** Returns a failure without empty fields. A value, as errors can't cross a carrier. */
export const failure = (
  code: FailureCode,
  message: Said,
  more: { readonly advice?: Said; readonly fields?: Failure['fields'] } = {},
): Failure => ({ code, message, advice: more.advice ?? null, fields: [...(more.fields ?? [])] });

export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };
