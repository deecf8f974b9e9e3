import { madeOnce } from './made-once.ts';

/** Selects the form of a word for a number. `#` stands for the number. */
export type Plural = (count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }) => string;

/** Returns the plural selector of a language; a missing form is `other`. */
export const pluralFor = (locale: string): Plural => {
  const rules = madeOnce(() => new Intl.PluralRules(locale));
  const numbers = madeOnce(() => new Intl.NumberFormat(locale));
  return (count, forms) => (forms[rules().select(count)] ?? forms.other).replace('#', numbers().format(count));
};
