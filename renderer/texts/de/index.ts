import { germanVoice } from '../../../app/text/de/voice.ts';
import type { Texts } from '../en/index.ts';
import { languageWith, type Language } from '../texts-context.ts';
import { common } from './common.ts';
import { history } from './history.ts';
import { popover } from './popover.ts';
import { sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { welcome } from './welcome.ts';

/** All texts of windows, in German. */
export const german: Texts = { common, popover, settings, history, sessions, welcome };

/** German, with the formats of the user's region. */
export const germanFor = (locales: readonly string[]): Language =>
  languageWith({ id: 'de', texts: german, voice: germanVoice }, locales, 'de-DE');
