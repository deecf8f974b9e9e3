import type { Found } from '../../../app/format/secrets/safe-text.ts';
import type { Statement } from '../../../app/contract/views/view.ts';
import type { Given, Said } from '../../../app/format/said.ts';
import type { Reason } from '../../../app/judge/verdict.ts';
import { textOf } from '../../../app/text/figures.ts';
import { several, sized } from '../../../app/text/form.ts';
import { reasonSaid } from '../../../app/text/reasons.ts';
import { type Form, inWords, plainEnglish, say, type Writing } from '../../../app/text/say.ts';
import type { Voice } from '../../../app/text/voice.ts';
import { asCalled } from './keeps-nothing.ts';

/** Another language of the command line. */
export interface Tongue {
  readonly writing: Writing;
  readonly voice: Pick<Voice, 'reason' | 'veto' | 'evidence' | 'owner'>;
  /** Returns a number as it is written in sentences. */
  readonly decimal: (text: string) => string;
  /** Returns a local moment to the minute. */
  readonly minute: (atMs: number) => string;
  /** A yes on the terminal, besides y and yes. */
  readonly yes: RegExp;
}

/** One process speaks one language; null: English. */
let tongue: Tongue | null = null;

/** Makes the command line speak this language from now on; null: English. */
export const speak = (language: Tongue | null): void => {
  tongue = language;
};

/** Returns the language that is spoken, null for English. */
export const spoken = (): Tongue | null => tongue;

/** Returns what is said, in the language of the command line. */
export const words = (said: Said): string =>
  asCalled(inWords(said, tongue?.writing ?? plainEnglish), import.meta.filename);

/** Returns a sentence of the catalogue with these figures, in the language of the command line. */
export const worded = <Text extends Form>(form: Text, ...given: Given<Text>): string => words(say(form, ...given));

/** Returns an amount of bytes. */
export const size = (bytes: number): string => words(sized(bytes));

/** Returns a number with decimals. */
export const decimal = (text: string): string => tongue?.decimal(text) ?? text;

/** Returns a count with its noun. */
export const count = (...given: Parameters<typeof several>): string => words(several(...given));

/** Returns what a record or a document has by key, in words; its English stands beside it. */
export const wordsOr = (said: Said | undefined, english: string): string =>
  tongue === null || said === undefined ? english : words(said);

/** Says a reason of the judge. `evidence`: how the state of the session is known, by key. */
export const reasonWords = (reason: Reason, evidence?: Said): string => {
  const own = textOf(reason.figures, 'evidence');
  return words(reasonSaid(reason, tongue === null || evidence === undefined || own === '' ? own : evidence));
};

/** Says why a job was judged so, in one line. */
export const whyWords = ({
  reasons,
  ownerSaid,
}: {
  readonly reasons: readonly Reason[];
  readonly ownerSaid?: Said | undefined;
}): string => reasons.map((one) => reasonWords(one, ownerSaid)).join('; ');

/** Says a statement of a document, whose English stands in it. */
export const statementWords = (
  kind: 'reason' | 'veto' | 'evidence',
  statement: Found<Statement>,
  evidence?: Said,
): string => (tongue === null ? statement.text : tongue.voice[kind](statement, evidence));
