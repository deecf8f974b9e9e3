/**
 * Why something asked for could not be done.
 * `invalid` the input makes no sense · `not-found` no such job, incident, host … (any more) · `vetoed` the process may not be signalled ·
 * `busy` the same is being done already · `journal` the record can't be written, so nothing may be signalled · `refused` the machine
 * said no · `unsupported` can't be had on this machine or surface · `cancelled` the person changed their mind ·
 * `timeout` no answer in time · `offline` the engine can't be reached · `failed` Curfew itself failed.
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

/** See `failureCodes`. */
export type FailureCode = (typeof failureCodes)[number];

/** What went wrong, for people: what happened, and what to do about it. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly advice: string | null;
  /** Refused input, field by field: path of the field (`changes.noticeSeconds`) and what is allowed there. */
  readonly fields: readonly { readonly path: string; readonly message: string }[];
}

/** A failure with only what is needed; nothing is thrown across a carrier. */
export const failure = (
  code: FailureCode,
  message: string,
  more: { readonly advice?: string; readonly fields?: readonly { path: string; message: string }[] } = {},
): Failure => ({ code, message, advice: more.advice ?? null, fields: [...(more.fields ?? [])] });

/** What comes back over every carrier. */
export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };
