import type { Said } from '../../../app/format/said.ts';
import { joined, saidOf } from '../../../app/text/say.ts';
import { failure, type Answer, type FailureCode } from '../../../app/contract/answer.ts';
import type { SaidNotice } from '../../../app/text/settings/notices.ts';
import { SettingsUnwritable } from '../../store/settings/settings-file.ts';
import { JournalUnwritable, StoreFailure } from '../../store/database/store-failure.ts';
import { ProcessTableUnreadable } from '../../os/processes/source.ts';

export type Refusal = Extract<Answer<never>, { readonly ok: false }>;

/** Returns a refusal with its reason, for people. */
export const refused = (code: FailureCode, message: Said, advice?: Said): Refusal => ({
  ok: false,
  failure: failure(code, message, advice === undefined ? {} : { advice }),
});

const codeOf = (error: unknown): FailureCode | null => {
  if (error instanceof JournalUnwritable) return 'journal';
  if (error instanceof StoreFailure || error instanceof SettingsUnwritable) return 'refused';
  return error instanceof ProcessTableUnreadable ? 'failed' : null;
};

/** Returns a refusal for errors with a message for people; rethrows the others. */
export const refusalOf = (error: unknown): Refusal => {
  const code = codeOf(error);
  if (code === null || !(error instanceof Error)) throw error;
  return refused(code, saidOf(error));
};

/** Returns the answer, or a refusal for what it throws; see `refusalOf`. */
export const inWords = <Value>(work: () => Answer<Value>): Answer<Value> => {
  try {
    return work();
  } catch (error) {
    return refusalOf(error);
  }
};

/** Returns the problems of settings changes, each at its field. */
export const refusedChanges = (problems: readonly SaidNotice[]): Refusal => ({
  ok: false,
  failure: failure('invalid', joined(...problems.map(({ said }) => said)), {
    fields: problems.flatMap(({ field, said }) =>
      field === null ? [] : [{ path: `changes.${field}`, message: said }],
    ),
  }),
});

/** Done, without a value. */
export const done: Answer<Record<string, never>> = { ok: true, value: {} };
