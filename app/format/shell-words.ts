/** One word of a command as the shell takes it, with the position of each character in the text. */
export interface ShellWord {
  /** Without quotes and backslashes. Variables are not expanded. */
  readonly value: string;
  /** Position of the word in the text, with quotes. */
  readonly start: number;
  readonly end: number;
  /** For each UTF-16 unit of `value`: its position in the text. */
  readonly at: readonly number[];
  /** For each unit of `value`: the surrounding quote, or the empty string. */
  readonly quotes: readonly string[];
}

export interface TextPart {
  readonly start: number;
  readonly end: number;
}

export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** Its input from `<<<` or a here-document, as a range of the whole text. */
  readonly given: TextPart | null;
  /** Files of its redirections. */
  readonly files: readonly string[];
  /** It reads the output of the command before it. */
  readonly isPiped: boolean;
}

interface Draft {
  words: ShellWord[];
  files: string[];
  given: TextPart | null;
  isPiped: boolean;
}

/**
 * Returns the end of a here-document's lines: before its delimiter, else the end of the text.
 * @param missing delimiters of which no line follows; one search for each
 */
const endOfDocument = (text: string, from: number, delimiter: string, missing: Set<string>): number => {
  if (missing.has(delimiter)) return text.length;
  for (let line = from; line < text.length;) {
    const feed = text.indexOf('\n', line);
    const end = feed === -1 ? text.length : feed;
    if (text.slice(line, end).trim() === delimiter) return Math.max(from, line - 1);
    line = end + 1;
  }
  missing.add(delimiter);
  return text.length;
};

/**
 * Splits a text into simple commands and their words, by the quoting rules of POSIX shells
 * (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html). Made for finding
 * secrets, not for execution: it takes any text in one pass and never throws; an unclosed quote
 * reaches to the end, because texts get cut.
 */
export const shellCommands = (text: string): readonly ShellCommand[] => {
  const commands: Draft[] = [];
  let command: Draft = { words: [], files: [], given: null, isPiped: false };
  let units: string[] = [];
  let at: number[] = [];
  let quotes: string[] = [];
  let start = -1;
  /** Role of the next word: an argument, a redirection's file, or a here-string's text. */
  let role: 'argument' | 'file' | 'here-string' | 'delimiter' = 'argument';
  const missing = new Set<string>();
  /** Here-documents that begin on the next line. */
  let awaited: { readonly owner: Draft; readonly delimiter: string }[] = [];
  const take = (unit: string, from: number, quote: string): void => {
    units.push(unit);
    at.push(from);
    quotes.push(quote);
  };
  const endWord = (end: number): void => {
    if (start === -1) return;
    const word: ShellWord = { value: units.join(''), start, end, at, quotes };
    if (role === 'argument') command.words.push(word);
    else if (role === 'here-string') command.given = word;
    else if (role === 'delimiter') awaited.push({ owner: command, delimiter: word.value });
    else command.files.push(word.value);
    role = 'argument';
    units = [];
    at = [];
    quotes = [];
    start = -1;
  };
  const endCommand = (end: number, isPiped: boolean): void => {
    endWord(end);
    role = 'argument';
    if (command.words.length > 0) commands.push(command);
    command = { words: [], files: [], given: null, isPiped };
  };
  for (let index = 0; index < text.length;) {
    const unit = text.charAt(index);
    const next = text.charAt(index + 1);
    if (unit === ' ' || unit === '\t' || unit === '\r') {
      endWord(index);
      index += 1;
    } else if (unit === '|') {
      const isOr = next === '|';
      endCommand(index, !isOr);
      index += isOr || next === '&' ? 2 : 1;
    } else if (unit === '\n' && (awaited.length > 0 || role === 'delimiter')) {
      endCommand(index, false);
      // The lines may be commands as well: `bash <<EOF`.
      let from = index + 1;
      for (const { owner, delimiter } of awaited) {
        const end = endOfDocument(text, from, delimiter, missing);
        owner.given = { start: from, end };
        from = end;
      }
      awaited = [];
      index += 1;
    } else if (unit === '\n' || unit === ';' || unit === '(' || unit === ')' || unit === '`') {
      endCommand(index, false);
      index += 1;
    } else if (unit === '&') {
      if (next === '>') {
        endWord(index);
        index += 1;
      } else {
        endCommand(index, false);
        index += next === '&' ? 2 : 1;
      }
    } else if (unit === '<' || unit === '>') {
      // The 2 of `2>file` belongs to the redirection.
      if (start !== -1 && /^\d+$/u.test(text.slice(start, index))) role = 'file';
      endWord(index);
      const isHere = text.startsWith('<<<', index);
      const isDocument = !isHere && text.startsWith('<<', index);
      role = isHere ? 'here-string' : isDocument ? 'delimiter' : 'file';
      index += isHere ? 3 : 1;
      if (!isHere) while (/[<>&|]/u.test(text.charAt(index))) index += 1;
      if (isDocument && text.charAt(index) === '-') index += 1;
    } else if (unit === '\\') {
      if (start === -1) start = index;
      if (next !== '' && next !== '\n') take(next, index, '');
      index += 2;
    } else if (unit === "'") {
      if (start === -1) start = index;
      const close = text.indexOf("'", index + 1);
      const end = close === -1 ? text.length : close;
      for (let inside = index + 1; inside < end; inside += 1) take(text.charAt(inside), inside, "'");
      index = end + 1;
    } else if (unit === '"') {
      if (start === -1) start = index;
      index += 1;
      while (index < text.length && text.charAt(index) !== '"') {
        const isEscaped = text.charAt(index) === '\\' && /["\\$`]/u.test(text.charAt(index + 1));
        take(text.charAt(index + (isEscaped ? 1 : 0)), index, '"');
        index += isEscaped ? 2 : 1;
      }
      index += 1;
    } else {
      if (start === -1) start = index;
      take(unit, index, '');
      index += 1;
    }
  }
  endCommand(text.length, false);
  return commands;
};
