import { claimsOf, type Claims } from '../../../app/contract/claims/claims.ts';
import { holdingsOf, leftoverGroups } from '../../../app/contract/claims/leftovers.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { formatBytes } from '../../../app/format/bytes.ts';
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
  /** What leftovers hold; absent without any. */
  readonly held?: string;
  /** What endings of this week freed; absent for nothing. */
  readonly freed?: string;
}

/** The state of supervising: not begun, watching, ending, failed to begin, or lost. */
export type Watch =
  | { readonly kind: 'starting' }
  | { readonly kind: 'watching'; readonly snapshot: Snapshot }
  | { readonly kind: 'ending' }
  | { readonly kind: 'unwatched' };

const foundOf = (claims: Claims, words: DesktopTexts['tray']): string => {
  if (claims.needing > 0) return words.needLook(claims.needing);
  if (claims.agents > 0) return words.unreachable(claims.agents);
  if (claims.leftover > 0) return words.leftover(claims.leftover);
  if (claims.probable > 0) return words.probable(claims.probable);
  if (claims.within > 0) return words.allWell(claims.within);
  return claims.kept + claims.protectedOnes > 0 ? words.allSpared : words.nothing;
};

const ofClaims = (claims: Claims, words: DesktopTexts['tray']): TrayState => {
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
      return { picture: 'paused', count: 0, sentence: `${words.limited.paused} · ${foundOf(claims, words)}` };
    case 'report-only':
    case 'unrecorded':
    case 'observing':
      return count > 0
        ? { picture: 'attention', count, sentence: foundOf(claims, words) }
        : { picture: 'paused', count, sentence: `${words.limited[claims.watch]} · ${foundOf(claims, words)}` };
    case 'enforcing':
      return { picture: count > 0 ? 'attention' : 'well', count, sentence: foundOf(claims, words) };
  }
};

const heldOf = (snapshot: Snapshot, words: DesktopTexts['tray']): Pick<TrayState, 'held'> => {
  const jobs = leftoverGroups(snapshot).flatMap((group) => group.jobs);
  return jobs.length === 0 ? {} : { held: words.holds(jobs.length, formatBytes(holdingsOf(jobs).rssBytes)) };
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
export const trayStateOf = (watch: Watch, { tray: words }: DesktopTexts = desktopTexts): TrayState => {
  switch (watch.kind) {
    case 'starting':
      return { picture: 'well', count: 0, sentence: words.starting };
    case 'watching':
      // A snapshot is as old as its last change: the tray asks what held then.
      return {
        ...ofClaims(claimsOf(watch.snapshot, 'connected', Date.parse(watch.snapshot.at)), words),
        ...heldOf(watch.snapshot, words),
        ...freedOf(watch.snapshot, words),
      };
    case 'ending':
      return { picture: 'paused', count: 0, sentence: words.ending };
    case 'unwatched':
      return { picture: 'attention', count: 0, sentence: words.unwatched };
  }
};
