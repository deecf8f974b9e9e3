import type { Said } from '../../../app/format/said.ts';
import { agrees } from './agrees.ts';
import type { Output } from './output.ts';
import { words } from './words.ts';

/** Options of commands that list what may be removed. */
export interface RemovalOptions {
  readonly json: boolean;
  readonly remove: boolean;
  readonly yes: boolean;
}

/** Whether what is listed is to be removed: by option, or asked for on a terminal. */
export const isAgreed = async (
  { remove, yes, json }: RemovalOptions,
  count: number,
  said: { readonly question: Said; readonly unasked: Said },
  output: Output,
): Promise<boolean> => {
  if (!remove || count === 0) return false;
  if (yes) return true;
  if (!json && output.isTerminal && process.stdin.isTTY) return agrees(words(said.question));
  output.warn(`curfew: ${words(said.unasked)}`);
  return false;
};
