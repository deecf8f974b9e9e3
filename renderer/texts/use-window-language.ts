import { useEffect, useState } from 'react';
import { languageOf, type LanguageId } from '../../app/text/languages.ts';
import { englishFor, languageWith, type Language } from './texts-context.ts';

/** German is loaded only where it is spoken. */
const load = async (id: LanguageId): Promise<Language> => {
  if (id === 'en') return englishFor(navigator.languages);
  const { german, voice } = await import('./de/index.ts');
  return languageWith({ id, texts: german, voice }, navigator.languages, 'de-DE');
};

/**
 * Returns the language of this window, as chosen or as the browser has it; null while the first one
 * is loaded. A change is shown once its words are there; without them the window is English.
 */
export const useWindowLanguage = (chosen: LanguageId | 'system'): Language | null => {
  const id = languageOf(chosen, navigator.languages);
  const [language, setLanguage] = useState<Language | null>(() =>
    id === 'en' ? englishFor(navigator.languages) : null,
  );
  useEffect(() => {
    let wanted = true;
    void load(id)
      .catch(() => englishFor(navigator.languages))
      .then((loaded) => {
        if (wanted) setLanguage((before) => (before?.id === loaded.id ? before : loaded));
      });
    return () => {
      wanted = false;
    };
  }, [id]);
  useEffect(() => {
    if (language !== null) document.documentElement.lang = language.id;
  }, [language]);
  return language;
};
