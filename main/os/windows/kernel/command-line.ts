import { windowsProgram } from '../../../../app/paths/path.ts';

/** Returns the name by which the file of a program is compared. */
export const programFile = (image: string): string => windowsProgram(image).split('/').at(-1) ?? '';

const isBlank = (character: string): boolean => character === ' ' || character === '\t';

/**
 * Splits a command line as CommandLineToArgvW and the C runtime do: backslashes mean themselves
 * unless a quotation mark follows, where each pair is one and an odd one escapes it. In the first
 * word there are no escapes. An unclosed quotation ends with the line.
 * https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 */
export const splitCommandLine = (line: string): readonly string[] => {
  if (line.trim() === '') return [];
  const words: string[] = [];
  let at = 0;
  if (line.startsWith('"')) {
    const close = line.indexOf('"', 1);
    words.push(line.slice(1, close === -1 ? line.length : close));
    at = close === -1 ? line.length : close + 1;
  } else {
    while (at < line.length && !isBlank(line.charAt(at))) at += 1;
    words.push(line.slice(0, at));
  }
  for (;;) {
    while (at < line.length && isBlank(line.charAt(at))) at += 1;
    if (at >= line.length) return words;
    const parts: string[] = [];
    let quoted = false;
    while (at < line.length && (quoted || !isBlank(line.charAt(at)))) {
      let slashes = 0;
      while (line.charAt(at) === '\\') {
        slashes += 1;
        at += 1;
      }
      if (line.charAt(at) !== '"') {
        parts.push('\\'.repeat(slashes));
        if (at < line.length && (quoted || !isBlank(line.charAt(at)))) parts.push(line.charAt(at++));
        continue;
      }
      parts.push('\\'.repeat(Math.floor(slashes / 2)));
      if (slashes % 2 === 1) parts.push('"');
      // Two in a quotation stand for one.
      else if (quoted && line.charAt(at + 1) === '"') {
        parts.push('"');
        at += 1;
      } else quoted = !quoted;
      at += 1;
    }
    words.push(parts.join(''));
  }
};
