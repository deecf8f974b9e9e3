/** A word for a POSIX shell, whatever is in it. */
export const quoted = (text: string): string =>
  /^[\w./~+:@%-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** Control characters and escape sequences could act in the terminal as they are pasted. */
const withoutControls = (text: string, spared = ''): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (spared.includes(character) ? character : ' '));

/**
 * Returns what a user pastes into a terminal to run a command again where it ran. It has no line
 * break outside of quotes, so nothing runs before the user has read it and pressed Enter.
 */
export const inTerminal = (command: string, folder: string | null): string => {
  const text = withoutControls(command.trim(), '\n\t');
  const again = text.includes('\n') ? `bash -c ${quoted(text)}` : text;
  return folder === null ? again : `cd ${quoted(withoutControls(folder))} && ${again}`;
};
