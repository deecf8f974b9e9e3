import type { Key as InkKey } from 'ink';
import type { Key } from './state.ts';

/** Of characters that came in one piece, these do no harm where they were not meant. */
const harmless = 'jkgG /sSa?';

const asKey = (character: string): Key => {
  switch (character) {
    case '\r':
    case '\n':
      return { name: 'enter' };
    case '\u007F':
      return { name: 'erase' };
    default:
      return { name: 'character', character };
  }
};

/** Returns the keys of a text, one for each of its characters. */
export const keysOfText = (text: string): readonly Key[] => Array.from(text, asKey);

/** Returns the keys of one input: one, or the characters that came in one piece. */
export const keysOf = (input: string, key: InkKey): readonly Key[] => {
  if (key.ctrl) return input === 'c' ? [{ name: 'quit' }] : [];
  if (key.upArrow) return [{ name: 'up' }];
  if (key.downArrow) return [{ name: 'down' }];
  if (key.pageUp) return [{ name: 'page-up' }];
  if (key.pageDown) return [{ name: 'page-down' }];
  if (key.home) return [{ name: 'first' }];
  if (key.end) return [{ name: 'last' }];
  if (key.return) return [{ name: 'enter' }];
  if (key.escape) return [{ name: 'escape' }];
  if (key.backspace || key.delete) return [{ name: 'erase' }];
  if (key.tab) return [];
  // Esc and another key in quick succession look like one key with Alt.
  return key.meta ? [{ name: 'escape' }, ...keysOfText(input).slice(0, 1)] : keysOfText(input);
};

/**
 * True for a key that may be one of several in one piece. These are a held key, quick typing, or
 * text from a terminal that does not mark it as pasted: outside of a search none of them ends
 * anything.
 */
export const mayComeTogether = (key: Key, typing: boolean): boolean =>
  typing || key.name === 'escape' || (key.name === 'character' && harmless.includes(key.character));
