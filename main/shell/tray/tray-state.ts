import { needsLook } from '../../../app/contract/views/needs-look.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { desktopTexts } from '../../../app/text/desktop.ts';
import type { DesktopTexts } from '../../../app/text/voice.ts';

/** The icons of the tray. They differ in shape, not only in colour. */
export type TrayPicture = 'well' | 'attention' | 'paused';

/** All that the tray shows: equal states have equal icon, number and sentence. */
export interface TrayState {
  readonly picture: TrayPicture;
  /** Jobs that need a look; 0 shows no number. */
  readonly count: number;
  readonly sentence: string;
}

/** The state of supervising: not begun, watching, ending, failed to begin, or lost. */
export type Watch =
  | { readonly kind: 'starting' }
  | { readonly kind: 'watching'; readonly snapshot: Snapshot }
  | { readonly kind: 'ending' }
  | { readonly kind: 'unwatched' };

const ofSnapshot = (snapshot: Snapshot, words: DesktopTexts['tray']): TrayState => {
  const count = snapshot.jobs.filter(needsLook).length;
  const running = snapshot.jobs.length;
  const sentence = count > 0 ? words.needLook(count) : running > 0 ? words.allWell(running) : words.nothing;
  if (snapshot.pausedUntil !== null) return { picture: 'paused', count: 0, sentence: `${words.paused} · ${sentence}` };
  if (count > 0) return { picture: 'attention', count, sentence };
  if (snapshot.health.lastLookAt === null) return { picture: 'well', count: 0, sentence: words.starting };
  return snapshot.mode === 'observe'
    ? { picture: 'paused', count: 0, sentence: `${words.observing} · ${sentence}` }
    : { picture: 'well', count: 0, sentence };
};

/**
 * Returns what the tray shows. Paused wins over everything, because then nothing is announced;
 * while observing, jobs that need a look are shown as such: only the user decides about them.
 */
export const trayStateOf = (watch: Watch, { tray: words }: DesktopTexts = desktopTexts): TrayState => {
  switch (watch.kind) {
    case 'starting':
      return { picture: 'well', count: 0, sentence: words.starting };
    case 'watching':
      return ofSnapshot(watch.snapshot, words);
    case 'ending':
      return { picture: 'paused', count: 0, sentence: words.ending };
    case 'unwatched':
      return { picture: 'attention', count: 0, sentence: words.unwatched };
  }
};
