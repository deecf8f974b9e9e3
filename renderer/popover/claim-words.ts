import type { Claims } from '../../app/contract/claims/claims.ts';
import { sayFound } from '../../app/text/found.ts';
import type { Language } from '../texts/texts-context.ts';

/**
 * Returns the one sentence of state. It reassures only while it can be true: what Curfew does not
 * do now comes before what it found.
 * @param lookedAgo how long ago the last check was, in words
 */
export const headline = (claims: Claims, lookedAgo: string, language: Language): string => {
  const words = language.texts.popover;
  const { desktop } = language.voice;
  const { tray } = desktop;
  switch (claims.watch) {
    case 'offline':
      return words.unwatched;
    case 'signed-out':
      return words.signedOut;
    case 'starting':
      return tray.starting;
    case 'stale':
      return words.stale(lookedAgo);
    case 'paused':
    case 'report-only':
    case 'unrecorded':
    case 'observing':
      return `${tray.limited[claims.watch]} · ${sayFound(claims, desktop)}`;
    case 'enforcing':
      return sayFound(claims, desktop);
  }
};

/** Returns the counts the sentence leaves out. Leftovers have a line, with what they hold. */
export const countsLine = (claims: Claims, { texts, voice }: Language): readonly string[] => {
  const { counts } = texts.popover;
  const named = claims.needing > 0 || claims.agents > 0;
  const left = claims.leftover + claims.probable > 0;
  return [
    ...(named && claims.leftover > 0 ? [counts.leftover(claims.leftover)] : []),
    ...((named || claims.leftover > 0) && claims.probable > 0 ? [voice.desktop.tray.probable(claims.probable)] : []),
    ...((named || left) && claims.within > 0 ? [counts.within(claims.within)] : []),
    ...(claims.kept > 0 ? [counts.kept(claims.kept)] : []),
    ...(claims.protectedOnes > 0 ? [counts.protectedOnes(claims.protectedOnes)] : []),
  ];
};
