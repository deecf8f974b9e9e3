import { madeOnce } from './made-once.ts';

/** The form of a word that a number asks for. `#` stands for the number. */
export type Plural = (count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }) => string;

/** Forms by the rules of a language; a form that isn't there is `other`. */
export const pluralFor = (locale: string): Plural => {
  const rules = madeOnce(() => new Intl.PluralRules(locale));
  const numbers = madeOnce(() => new Intl.NumberFormat(locale));
  return (count, forms) => (forms[rules().select(count)] ?? forms.other).replace('#', numbers().format(count));
};
