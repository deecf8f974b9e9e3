import { germanVoice } from '../../../app/text/de/voice.ts';
import type { Voice } from '../../../app/text/voice.ts';
import { english, type Texts } from '../en/index.ts';
import { common } from './common.ts';
import { history } from './history.ts';
import { palette } from './palette.ts';
import { popover } from './popover.ts';
import { sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { shortcut } from './shortcut.ts';
import { welcome } from './welcome.ts';

/** All texts of windows, in German. */
export const german: Texts = { common, palette, popover, settings, history, sessions, shortcut, welcome };

/** A page says why it has no answer before any language is loaded, so it does in English. */
const ofThePage: ReadonlyMap<string, string> = new Map(
  (Object.keys(english.common.page) as readonly (keyof typeof english.common.page)[]).flatMap((name) => {
    const [said, other] = [english.common.page[name], german.common.page[name]];
    return typeof said === 'string' && typeof other === 'string' ? [[said, other] as const] : [];
  }),
);

/** What the engine says, in German: loaded with the texts, so only where it is spoken. */
export const voice: Voice = {
  ...germanVoice,
  said: (sentence) => ofThePage.get(sentence) ?? germanVoice.said(sentence),
};
