import type { Said } from '../../../app/format/said.ts';
import { safeName } from '../../../app/format/secrets/safe-view.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { say } from '../../../app/text/say.ts';
import { agrees } from './agrees.ts';
import type { Output } from './output.ts';
import { words } from './words.ts';

/** Options of commands that list what may be removed. */
export interface RemovalOptions {
  readonly json: boolean;
  readonly remove: boolean;
  readonly yes: boolean;
}

/** Returns a name of a file or folder that a repository gave, for a terminal, without secrets. */
export const shownPath = (path: string): string => safeName(visibleText(path));

/** Says what became of something that was to be removed; null: it was. */
export const sayRemoval = (path: string, why: Said | null): string =>
  words(
    why === null
      ? say('Removed: {path}', { path: shownPath(path) })
      : say('Left alone: {path}: {why}', {
          path: shownPath(path),
          why: typeof why === 'string' ? shownPath(why) : why,
        }),
  );

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
