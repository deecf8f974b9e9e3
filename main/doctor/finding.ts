import type { checkTitles } from '../../app/text/catalogue/checks.ts';
import type { Said } from '../../app/format/said.ts';

/** The result of one check. `note`: worth knowing, nothing is broken. */
export interface Finding<What extends string = string> {
  readonly what: What;
  readonly level: 'ok' | 'note' | 'problem';
  /** A whole sentence for people: what was found, what it means, what to do. */
  readonly text: Said;
}

/** A finding that the windows show, too: every language has it. */
export type SaidFinding = Finding<keyof typeof checkTitles>;

/** All is as it should be. */
export const ok = <What extends string>(what: What, text: Said): Finding<What> => ({ what, level: 'ok', text });

/** Worth knowing, nothing is broken. */
export const note = <What extends string>(what: What, text: Said): Finding<What> => ({ what, level: 'note', text });

/** Something is broken. */
export const problem = <What extends string>(what: What, text: Said): Finding<What> => ({
  what,
  level: 'problem',
  text,
});
