import { type FiguresIn, type Given, piecesOf, type Said, type SaidByKey } from '../format/said.ts';
import type { germanForms } from './catalogue/index.ts';

/**
 * The English forms, with figures as `{name}`. As with gettext, the English form is the key of the
 * others: what has no German form does not compile.
 */
export type Form = keyof typeof germanForms;

/** Returns a sentence of the catalogue with these figures. */
export const say = <Text extends Form>(form: Text, ...[figures]: Given<Text>): SaidByKey => ({
  key: form,
  figures: figures ?? {},
});

/** A form with no other figures than these. */
export type FormWith<Name extends string> = {
  readonly [Text in Form]: [FiguresIn<Text>] extends [Name] ? Text : never;
}[Form];

/** How each figure that a form may have is said of something. */
export type Parts<Name extends string, Subject> = Readonly<Record<Name, (of: Subject) => number | Said>>;

/** Returns a form, or one that depends on the subject, with those of these figures that it has. */
export const sayOf = <Name extends string, Subject>(
  form: FormWith<Name> | ((of: Subject) => FormWith<Name>),
  parts: Parts<Name, Subject>,
  of: Subject,
): SaidByKey => {
  const key = typeof form === 'string' ? form : form(of);
  const figures: Record<string, number | Said> = {};
  const pieces = piecesOf(key);
  for (let at = 1; at < pieces.length; at += 2) figures[pieces[at] ?? ''] = parts[pieces[at] as Name](of);
  return { key, figures };
};

/** Returns several in one, with this between them. */
export const listed = (parts: readonly Said[], between: string): Said => ({
  key: parts.map((_, index) => `{${index}}`).join(between),
  figures: Object.fromEntries(parts.entries()),
});

/** Returns whole sentences behind each other. */
export const joined = (...sentences: readonly Said[]): Said => listed(sentences, ' ');

/** Returns ` (…)` around what is said; nothing around nothing. */
export const bracketed = (said: Said): Said => (said === '' ? '' : { key: ' ({0})', figures: { 0: said } });

/** Returns an amount of bytes, which each language writes its own way. */
export const sized = (bytes: number): SaidByKey => ({ key: 'size', figures: { bytes } });

/** Returns a moment in epoch milliseconds, which each language writes its own way. */
export const dated = (atMs: number): SaidByKey => ({ key: 'moment', figures: { atMs } });
