import type { InAnyLanguage } from '../../../app/text/voice.ts';
import { common } from './common.ts';
import { files } from './files.ts';
import { history } from './history.ts';
import { news } from './news.ts';
import { palette } from './palette.ts';
import { popover } from './popover.ts';
import { ports } from './ports.ts';
import { sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { shortcut } from './shortcut.ts';
import { welcome } from './welcome.ts';

/** All texts of windows, in English. A second language is another value of `Texts`. */
export const english = { common, news, palette, popover, ports, settings, history, sessions, files, shortcut, welcome };

/** What a language has to provide: every text of the English ones. */
export type Texts = InAnyLanguage<typeof english>;
