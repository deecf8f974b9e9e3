import type { Claims } from '../contract/claims/claims.ts';
import type { DesktopTexts } from './voice.ts';

/** Returns what was found at the last check, the most urgent first. */
export const sayFound = (claims: Claims, { tray: words }: DesktopTexts): string => {
  if (claims.needing > 0) return words.needLook(claims.needing);
  if (claims.agents > 0) return words.unreachable(claims.agents);
  if (claims.leftover > 0) return words.leftover(claims.leftover);
  if (claims.probable > 0) return words.probable(claims.probable);
  if (claims.within > 0) return words.allWell(claims.within);
  return claims.kept + claims.protectedOnes > 0 ? words.allSpared : words.nothing;
};
