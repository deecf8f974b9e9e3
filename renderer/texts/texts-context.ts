import { createContext, use } from 'react';
import { english, type Texts } from './en/index.ts';
import { formatFor, type Format } from './format.ts';

/** The language of a window: its words, and its formats of numbers and times. */
export interface Language {
  readonly texts: Texts;
  readonly format: Format;
}

/** A language in the user's region: English words with local date formats. */
export const languageFor = (locales: readonly string[]): Language => {
  const locale = locales.find((candidate) => candidate.toLowerCase().startsWith('en')) ?? 'en-GB';
  const { units, ago, now } = english.common;
  return { texts: english, format: formatFor(locale, units, ago, now) };
};

/** See `useLanguage`. */
export const LanguageContext = createContext<Language>(languageFor(['en-GB']));

/** Returns the words and formats of this window. */
export const useLanguage = (): Language => use(LanguageContext);
