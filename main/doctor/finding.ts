import type { checkTitles } from '../../app/text/catalogue/checks.ts';
import type { Said } from '../../app/format/said.ts';

/** The result of one check. `note`: worth knowing, nothing is broken. */
export interface Finding {
  readonly what: string;
  readonly level: 'ok' | 'note' | 'problem';
  /** A whole sentence for people: what was found, what it means, what to do. */
  readonly text: Said;
}

/** A finding that the windows show, too: every language has it. */
export interface SaidFinding extends Finding {
  readonly what: keyof typeof checkTitles;
  readonly text: Said;
}

/** All is as it should be. */
export const ok = (what: SaidFinding['what'], text: Said): SaidFinding => ({ what, level: 'ok', text });

/** Worth knowing, nothing is broken. */
export const note = (what: SaidFinding['what'], text: Said): SaidFinding => ({ what, level: 'note', text });

/** Something is broken. */
export const problem = (what: SaidFinding['what'], text: Said): SaidFinding => ({ what, level: 'problem', text });
