import { say } from '../../app/text/say.ts';
import { failure } from '../../app/contract/answer.ts';
import type { Surface } from '../interface/answers/surface.ts';
import type { Downloads } from './downloads.ts';

const onThePage = { ok: false, failure: failure('unsupported', say('The page does this on its own.')) } as const;

/**
 * Returns what a page in a browser can do: little, and most of that without asking. `quit` ends the
 * command that serves it.
 */
export const pageSurface = (downloads: Downloads, quit: () => void): Surface => ({
  kind: 'page',
  open: () => onThePage,
  copy: () => onThePage,
  openPath: async () => ({ ok: false, failure: failure('unsupported', say('A page can’t open folders.')) }),
  openPort: async () => onThePage,
  shortcut: () => 'unsupported',
  quit: () => {
    quit();
    return { ok: true, value: {} };
  },
  save: (content) =>
    Promise.resolve({ ok: true, value: { kind: 'download', url: downloads.offer(content, Date.now()) } }),
  autostart: null,
});
