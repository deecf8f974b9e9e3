import { failure } from '../../../app/contract/answer.ts';
import type { SettingsNotice } from '../../../app/settings/settings.ts';
import type { Refusal } from './failures.ts';

/** Returns the problems of settings changes, each at its field. */
export const refusedChanges = (problems: readonly SettingsNotice[]): Refusal => ({
  ok: false,
  failure: failure('invalid', problems.map(({ text }) => text).join(' '), {
    fields: problems.flatMap(({ field, text }) =>
      field === null ? [] : [{ path: `changes.${field}`, message: text }],
    ),
  }),
});
