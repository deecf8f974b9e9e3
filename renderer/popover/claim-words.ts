import type { Claims } from '../../app/contract/claims/claims.ts';
import type { Language } from '../texts/texts-context.ts';

/** Returns what was found at the last check, the most urgent first. */
const foundOf = (claims: Claims, { texts }: Language): string => {
  const words = texts.popover;
  if (claims.needing > 0) return words.needLook(claims.needing);
  if (claims.agents > 0) return words.unreachable(claims.agents);
  if (claims.leftover > 0) return words.leftover(claims.leftover);
  if (claims.probable > 0) return words.probable(claims.probable);
  if (claims.within > 0) return words.allWell(claims.within);
  return claims.kept + claims.protectedOnes > 0 ? words.allSpared : words.nothing;
};

/**
 * Returns the one sentence of state. It reassures only while it can be true: what Curfew does not
 * do now comes before what it found.
 * @param lookedAgo how long ago the last check was, in words
 */
export const headline = (claims: Claims, lookedAgo: string, language: Language): string => {
  const words = language.texts.popover;
  switch (claims.watch) {
    case 'offline':
      return words.unwatched;
    case 'signed-out':
      return words.signedOut;
    case 'starting':
      return words.starting;
    case 'stale':
      return words.stale(lookedAgo);
    case 'paused':
    case 'report-only':
    case 'unrecorded':
    case 'observing':
      return `${words.state[claims.watch]} · ${foundOf(claims, language)}`;
    case 'enforcing':
      return foundOf(claims, language);
  }
};

/**
 * Returns the counts that the sentence leaves out, each by itself. Leftovers have a line of their
 * own, with what they hold.
 */
export const countsLine = (claims: Claims, { texts }: Language): readonly string[] => {
  const words = texts.popover;
  const { counts } = words;
  const named = claims.needing > 0 || claims.agents > 0;
  const left = claims.leftover + claims.probable > 0;
  return [
    ...((named || claims.leftover > 0) && claims.probable > 0 ? [words.probable(claims.probable)] : []),
    ...((named || left) && claims.within > 0 ? [counts.within(claims.within)] : []),
    ...(claims.kept > 0 ? [counts.kept(claims.kept)] : []),
    ...(claims.protectedOnes > 0 ? [counts.protectedOnes(claims.protectedOnes)] : []),
  ];
};
