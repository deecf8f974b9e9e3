export interface ShellWord {
  readonly value: string;
  /** Index of the first character after the word. */
  readonly end: number;
}

const endsWord = /[\s;&|<>()]/;
const escapedInDoubleQuotes = /[$`"\\!]/;

/**
 * Reads the word that starts at `start`, the way a POSIX shell would: single quotes, double quotes
 * and backslashes, joined without a gap. Expansions are not made (`$HOME` stays `$HOME`). null when
 * a quote is left open or there is no word at `start`. In double quotes `\!` counts as an escape,
 * because npm's `shell-quote` writes it so (https://github.com/ljharb/shell-quote).
 */
export const readShellWord = (text: string, start: number): ShellWord | null => {
  const parts: string[] = [];
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === "'") {
      const close = text.indexOf("'", at + 1);
      if (close === -1) return null;
      parts.push(text.slice(at + 1, close));
      at = close + 1;
    } else if (character === '"') {
      const quoted = readDoubleQuoted(text, at + 1);
      if (quoted === null) return null;
      parts.push(quoted.value);
      at = quoted.end;
    } else if (character === '\\') {
      if (at + 1 >= text.length) return null;
      parts.push(text.charAt(at + 1));
      at += 2;
    } else if (endsWord.test(character)) {
      break;
    } else {
      parts.push(character);
      at += 1;
    }
  }
  return at === start ? null : { value: parts.join(''), end: at };
};

const readDoubleQuoted = (text: string, start: number): ShellWord | null => {
  const parts: string[] = [];
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') return { value: parts.join(''), end: at + 1 };
    if (character === '\\' && escapedInDoubleQuotes.test(text.charAt(at + 1))) {
      parts.push(text.charAt(at + 1));
      at += 2;
    } else {
      parts.push(character);
      at += 1;
    }
  }
  return null;
};
