import { createContext, use } from 'react';
import type { LanguageId } from '../../app/text/languages.ts';
import { englishVoice, type Voice } from '../../app/text/voice.ts';
import { english, type Texts } from './en/index.ts';
import { formatFor, type Format } from './format.ts';

/** The language of a window: its words, what the engine says, and formats of numbers and times. */
export interface Language {
  readonly id: LanguageId;
  readonly texts: Texts;
  readonly voice: Voice;
  readonly format: Format;
}

/** Words in the user's region: of `locales` the first of this language gives the date formats. */
export const languageWith = (
  { id, texts, voice }: Omit<Language, 'format'>,
  locales: readonly string[],
  otherwise: string,
): Language => {
  const locale = locales.find((candidate) => candidate.toLowerCase().split('-', 1)[0] === id) ?? otherwise;
  const { units, ago, now } = texts.common;
  return { id, texts, voice, format: formatFor(locale, units, ago, now) };
};

/** English, which is always there. */
export const englishFor = (locales: readonly string[]): Language =>
  languageWith({ id: 'en', texts: english, voice: englishVoice }, locales, 'en-GB');

/** See `useLanguage`. */
export const LanguageContext = createContext<Language>(englishFor(['en-GB']));

/** Returns the words and formats of this window. */
export const useLanguage = (): Language => use(LanguageContext);
