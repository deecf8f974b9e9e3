import { languageIds, type LanguageId, languageOf } from '../../../app/text/languages.ts';
import { readBoundedFile } from '../../os/files/bounded-read.ts';
import { machineSettingsPath } from '../../store/places.ts';
import { namesLanguage, system } from '../../os/this-system.ts';

/** Larger files are no settings, bytes. */
const maxBytes = 1024 * 1024;

/** Returns the language that a file of settings names; null: none. Parses nothing without one. */
const namedIn = (path: string | null, ofRoot: boolean): LanguageId | 'system' | null => {
  try {
    const file = path === null ? null : readBoundedFile(path, maxBytes);
    if (file?.kind !== 'read' || (ofRoot && (file.uid !== 0 || (file.mode & 0o022) !== 0))) return null;
    const text = file.bytes.toString('utf8');
    const settings: unknown = text.includes('"language"') ? JSON.parse(text.replace(/^\uFEFF/u, '')) : null;
    const language: unknown =
      typeof settings === 'object' && settings !== null ? Reflect.get(settings, 'language') : null;
    return language === 'system' ? language : (languageIds.find((id) => id === language) ?? null);
  } catch {
    // What is wrong with the settings is said where they are used.
    return null;
  }
};

const ofSystem = ({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string =>
  [LC_ALL, LC_MESSAGES, LANG].find((one) => one !== undefined && one !== '') ??
  (namesLanguage ? '' : new Intl.DateTimeFormat().resolvedOptions().locale);

/**
 * Returns the language of the command line: that of the setting. As the system has it only on a
 * terminal: a script that reads texts was written for English, and no LANG may change them.
 */
export const languageHere = (settings: string, isTerminal: boolean): LanguageId => {
  const chosen = namedIn(settings, false) ?? namedIn(machineSettingsPath(system), true) ?? 'system';
  if (chosen !== 'system') return chosen;
  return isTerminal ? languageOf('system', ofSystem(process.env).split(/[_.@]/u, 1)) : 'en';
};
