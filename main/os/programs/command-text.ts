const needsQuotes = /[\s"]/u;

/**
 * Returns one argument as CommandLineToArgvW and the C runtime read it back: backslashes are
 * doubled before a quotation mark only.
 * https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 */
const quoted = (word: string): string =>
  word !== '' && !needsQuotes.test(word)
    ? word
    : `"${word.replaceAll(/(\\*)"/gu, String.raw`$1$1\"`).replace(/(\\+)$/u, '$1$1')}"`;

/**
 * Returns the command line of a program, which `splitCommandLine` takes apart again. In the first
 * word nothing can be escaped; a file's name has no quotation mark.
 */
export const commandLineOf = ([program, ...args]: readonly [string, ...string[]]): string =>
  [/[\s]/u.test(program) || program === '' ? `"${program}"` : program, ...args.map(quoted)].join(' ');

/**
 * In quotation marks cmd.exe takes everything for itself but `%`, which starts a variable: between
 * two of them stands a part of CD that is empty. A quotation mark is doubled, so that cmd.exe and
 * the program that the script starts count them alike; so are backslashes before one.
 */
const quotedForBatch = (word: string): string => {
  const slashes = word.replaceAll(/(\\+)(?="|$)/gu, '$1$1');
  return `"${slashes.replaceAll('"', '""').replaceAll('%', '%%cd:~,%')}"`;
};

/**
 * Returns the command line by which cmd.exe runs a batch file (.bat, .cmd) with exactly these
 * arguments; null where one can't be handed over: line feeds end cmd.exe's line. CreateProcess
 * would start cmd.exe too, and let it read the arguments as code (CVE-2024-24576,
 * https://blog.rust-lang.org/2024/04/09/cve-2024-24576/).
 */
export const batchLineOf = (file: string, args: readonly string[]): string | null => {
  if ([file, ...args].some((word) => /[\r\n\0]/u.test(word)) || /["%]/u.test(file)) return null;
  const words = [`"${file}"`, ...args.map(quotedForBatch)];
  // Extensions on, for the empty part of CD; delayed expansion off, for `!`.
  return `cmd.exe /e:ON /v:OFF /d /c "${words.join(' ')}"`;
};
