/**
 * How much of a command line is read, in bytes. One argument of Linux is at most 128 KiB (MAX_ARG_STRLEN,
 * https://man7.org/linux/man-pages/man2/execve.2.html), so a whole `bash -c STRING` always fits; what is longer is a long list of arguments.
 */
export const commandLineBytes = 262_144;

/** Ends the last argument of a command line that was longer than the bound. */
export const cutMark = '… (cut)';

/** Where the run of NULs at the end of a text starts. */
const endOfText = (text: string): number => {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end--;
  return end;
};

/**
 * The arguments in the text of /proc/PID/cmdline, where each is ended by NUL. A process that wrote a title into its argument area has left
 * one text and padding behind it (NULs, sometimes spaces): then there is one argument, without the padding. Never throws.
 *
 * `cut` says that the text ends before the command line does; the last argument then says so too.
 */
export const argumentsOf = (text: string, cut: boolean): readonly string[] => {
  const end = endOfText(text);
  if (end === 0) return [];
  const title = text.slice(0, end);
  if (!title.includes('\0')) {
    if (cut) return [title + cutMark];
    return [text.length - end > 1 ? title.trimEnd() : title];
  }
  const list = (text.endsWith('\0') ? text.slice(0, -1) : text).split('\0');
  if (cut) list[list.length - 1] += cutMark;
  return list;
};
