import { readShellWord } from './shell-word.ts';

/**
 * A command line as a shell would split it, its quoting undone; null when a quote is left open or
 * it holds more than one command.
 */
const asShellWords = (text: string): readonly string[] | null => {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/u.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const word = readShellWord(text, at);
    if (word === null) return null;
    words.push(word.value);
    at = word.end;
  }
  return words;
};

/**
 * The arguments that a pasted command line can stand for, the likelier reading first: quoted as for
 * a shell, or as `ps` prints them, with blanks between and every quote an argument's own.
 */
export const readingsOf = (commandLine: string): readonly [readonly string[], ...(readonly string[])[]] => {
  const text = commandLine.trim();
  const quoted = asShellWords(text);
  const plain = text.split(/\s+/u).filter((word) => word !== '');
  if (quoted === null || quoted.join('\0') === plain.join('\0')) return [plain];
  return [quoted, plain];
};
