import { failure } from '../../../app/contract/answer.ts';
import type { SaidNotice } from '../../../app/text/settings/notices.ts';
import type { Refusal } from './failures.ts';

/** What is wrong with changes of settings, each at its field. */
export const refusedChanges = (problems: readonly SaidNotice[]): Refusal => ({
  ok: false,
  failure: failure('invalid', problems.map(({ text }) => text).join(' '), {
    fields: problems.flatMap(({ field, text }) =>
      field === null ? [] : [{ path: `changes.${field}`, message: text }],
    ),
  }),
});
