import { basename, join } from 'node:path';
import { saidOf, say } from '../../../app/text/say.ts';
import { app, clipboard, dialog, shell } from 'electron';
import type { Answer } from '../../../app/contract/answer.ts';
import type { Autostart, ShortcutState } from '../../../app/contract/app-questions.ts';
import type { DesktopTexts } from '../../../app/text/voice.ts';
import { refused } from '../../interface/answers/failures.ts';
import type { ExportContent, Surface } from '../../interface/answers/surface.ts';
import type { AppWindows } from '../windows/app-windows.ts';
import { loginItemStatus, setLoginItem } from './login-item.ts';
import { openPath } from './open-path.ts';
import { savePieces } from './save-pieces.ts';
import { setXdgAutostart, xdgAutostartStatus, type XdgAutostartInput } from './xdg-autostart.ts';

const done: Answer<object> = { ok: true, value: {} };

type Saved = Awaited<ReturnType<Surface['save']>>;

const save = async (content: ExportContent, windows: () => AppWindows, title: string): Promise<Saved> => {
  const extension = content.mediaType === 'text/csv' ? 'csv' : 'json';
  const options = {
    title,
    // The name is ours; any folders in it are dropped.
    defaultPath: join(app.getPath('documents'), basename(content.name)),
    filters: [{ name: extension.toUpperCase(), extensions: [extension] }],
    properties: ['createDirectory', 'showOverwriteConfirmation'] as ('createDirectory' | 'showOverwriteConfirmation')[],
  };
  const parent = windows().focused();
  const { canceled, filePath } = await (parent === null
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(parent, options));
  if (canceled || filePath === '') return refused('cancelled', say('Nothing was exported.'));
  try {
    await savePieces(filePath, content.pieces());
    return { ok: true, value: { kind: 'file', path: filePath } };
  } catch (error) {
    const message = say('{path} could not be written: {why}.', { path: filePath, why: saidOf(error) });
    return refused('refused', message, say('Choose another folder, or make room.'));
  }
};

const autostart = (platform: NodeJS.Platform, xdg: XdgAutostartInput): NonNullable<Surface['autostart']> => {
  const status = (): Autostart => (platform === 'linux' ? xdgAutostartStatus(xdg) : loginItemStatus(platform));
  const set = (enabled: boolean): Answer<Autostart> =>
    platform === 'linux' ? setXdgAutostart(xdg, enabled) : setLoginItem(platform, enabled);
  return {
    status: async () => {
      try {
        return { ok: true, value: status() };
      } catch (error) {
        return refused('refused', say('That could not be found out: {why}.', { why: saidOf(error) }));
      }
    },
    set: async (enabled) => set(enabled),
  };
};

/** Returns what only a desktop can do. `windows` is called late: they come after the service. */
export const desktopSurface = (
  platform: NodeJS.Platform,
  windows: () => AppWindows,
  xdg: XdgAutostartInput,
  shortcut: () => ShortcutState,
  texts: () => DesktopTexts,
): Surface => ({
  kind: 'desktop',
  open: (place) => {
    windows().open(place);
    return done;
  },
  copy: async (text) => {
    try {
      await clipboard.writeText(text);
      return done;
    } catch (error) {
      return refused('refused', say('The clipboard did not take it: {why}.', { why: saidOf(error) }));
    }
  },
  openPath: (path) => openPath(platform, path),
  openPort: async (port) => {
    try {
      // Plain http, as development servers speak it; the browser goes on to https where it must.
      await shell.openExternal(`http://localhost:${port}/`);
      return done;
    } catch (error) {
      return refused('refused', say('The browser was not opened: {why}.', { why: saidOf(error) }));
    }
  },
  shortcut,
  quit: () => {
    // After the answer has been sent: quitting closes the window that asked.
    setImmediate(() => app.quit());
    return done;
  },
  save: (content) => save(content, windows, texts().save.title),
  autostart: autostart(platform, xdg),
});
