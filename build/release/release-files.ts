import { homebrewFormula } from './formats/homebrew.ts';
import type { ReleaseDescription } from './description.ts';

/**
 * Returns what package managers are told of a release, as texts by path: all made from one
 * description, so that a version or a hash is never typed.
 */
export const releaseFiles = (release: ReleaseDescription): ReadonlyMap<string, string> =>
  new Map([['homebrew/curfew.rb', homebrewFormula(release)]]);
