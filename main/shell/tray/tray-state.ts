import { claimsOf, type Claims, needsLook } from '../../../app/contract/claims/claims.ts';
import { holdingsOf, leftoverGroups } from '../../../app/contract/claims/leftovers.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { formatBytes } from '../../../app/format/bytes.ts';
import { desktopTexts } from '../../../app/text/desktop.ts';
import { sayFound } from '../../../app/text/found.ts';
import type { DesktopTexts } from '../../../app/text/voice.ts';

/** The icons of the tray. They differ in shape, not only in colour. */
export type TrayPicture = 'well' | 'attention' | 'paused';

/** All that the tray shows: equal states have equal icon, number and sentence. */
export interface TrayState {
  readonly picture: TrayPicture;
  /** Jobs that need a look; 0 shows no number. */
  readonly count: number;
  readonly sentence: string;
  /** Memory that the counted jobs hold; absent without any. */
  readonly size?: string;
  /** What leftovers hold; absent without any. */
  readonly held?: string;
  /** What endings of this week freed; absent for nothing. */
  readonly freed?: string;
}

/** Returns the sentence of state, with what the jobs that it counts hold. */
export const statusLine = ({ sentence, size }: TrayState): string =>
  size === undefined ? sentence : `${sentence} · ${size}`;

/** The state of supervising: not begun, watching, ending, failed to begin, or lost. */
export type Watch =
  | { readonly kind: 'starting' }
  | { readonly kind: 'watching'; readonly snapshot: Snapshot }
  | { readonly kind: 'ending' }
  | { readonly kind: 'unwatched' };

const ofClaims = (claims: Claims, texts: DesktopTexts): TrayState => {
  const { tray: words } = texts;
  const found = sayFound(claims, texts);
  const count = claims.needing;
  switch (claims.watch) {
    case 'offline':
    case 'signed-out':
      return { picture: 'attention', count: 0, sentence: words.unwatched };
    case 'starting':
      return { picture: 'well', count: 0, sentence: words.starting };
    case 'stale':
      return { picture: 'attention', count: 0, sentence: words.stale };
    case 'paused':
      return { picture: 'paused', count: 0, sentence: `${words.limited.paused} · ${found}` };
    case 'report-only':
    case 'unrecorded':
    case 'observing':
      return count > 0
        ? { picture: 'attention', count, sentence: found }
        : { picture: 'paused', count, sentence: `${words.limited[claims.watch]} · ${found}` };
    case 'enforcing':
      return { picture: count > 0 ? 'attention' : 'well', count, sentence: found };
  }
};

/** Two digits, so that the menu does not change with every scan: a panel closes it then. */
const sizeOf = (jobs: Snapshot['jobs']): string => formatBytes(Number(holdingsOf(jobs).rssBytes.toPrecision(2)));

const heldOf = (snapshot: Snapshot, words: DesktopTexts['tray']): Pick<TrayState, 'held'> => {
  const jobs = leftoverGroups(snapshot).flatMap((group) => group.jobs);
  return jobs.length === 0 ? {} : { held: words.holds(jobs.length, sizeOf(jobs)) };
};

const freedOf = ({ freedThisWeek }: Snapshot, words: DesktopTexts['tray']): Pick<TrayState, 'freed'> =>
  freedThisWeek.processes === 0
    ? {}
    : {
        freed: words.freed(
          freedThisWeek.processes,
          formatBytes(freedThisWeek.rssBytes),
          freedThisWeek.since?.slice(0, 10) ?? null,
        ),
      };

/**
 * Returns what the tray shows. Paused wins over everything, because then nothing is announced;
 * while observing, jobs that need a look are shown as such: only the user decides about them.
 */
export const trayStateOf = (watch: Watch, texts: DesktopTexts = desktopTexts): TrayState => {
  const { tray: words } = texts;
  switch (watch.kind) {
    case 'starting':
      return { picture: 'well', count: 0, sentence: words.starting };
    case 'watching': {
      // A snapshot is as old as its last change: the tray asks what held then.
      const state = ofClaims(claimsOf(watch.snapshot, 'connected', Date.parse(watch.snapshot.at)), texts);
      return {
        ...state,
        ...(state.count === 0 ? {} : { size: sizeOf(watch.snapshot.jobs.filter(needsLook)) }),
        ...heldOf(watch.snapshot, words),
        ...freedOf(watch.snapshot, words),
      };
    }
    case 'ending':
      return { picture: 'paused', count: 0, sentence: words.ending };
    case 'unwatched':
      return { picture: 'attention', count: 0, sentence: words.unwatched };
  }
};
