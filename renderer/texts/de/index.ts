import type { Texts } from '../en/index.ts';
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

/** All texts of windows, in German. */
export const german: Texts = {
  common,
  news,
  palette,
  popover,
  ports,
  settings,
  history,
  sessions,
  files,
  shortcut,
  welcome,
};

/** What the engine says, in German: loaded with the texts, so only where it is spoken. */
export { germanVoice as voice } from '../../../app/text/de/voice.ts';
