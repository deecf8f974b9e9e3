/**
 * Bytes of a command line that are read. One argument of Linux is at most 128 KiB (MAX_ARG_STRLEN,
 * https://man7.org/linux/man-pages/man2/execve.2.html), so a whole `bash -c STRING` always fits; a
 * longer line is a long list of arguments.
 */
export const commandLineBytes = 262_144;

/** Marks the last argument of a command line that was cut. */
export const cutMark = '… (cut)';

/** Returns where the trailing NULs of a text start. */
const endOfText = (text: string): number => {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end--;
  return end;
};

/**
 * Returns the arguments in the text of /proc/PID/cmdline, each ended by NUL. A process that wrote a
 * title into its argument area leaves one text and padding (NULs, sometimes spaces): then there is
 * one argument, without the padding. Never throws.
 * `cut` says that the text ends before the command line does; the last argument is then marked. So
 * is the last one of `maxArguments`, where there are more.
 */
export const argumentsOf = (text: string, cut: boolean, maxArguments = Number.POSITIVE_INFINITY): readonly string[] => {
  const end = endOfText(text);
  if (end === 0) return [];
  const title = text.slice(0, end);
  if (!title.includes('\0')) {
    if (cut) return [title + cutMark];
    return [text.length - end > 1 ? title.trimEnd() : title];
  }
  const list = (text.endsWith('\0') ? text.slice(0, -1) : text).split('\0');
  const more = list.length > maxArguments;
  if (more) list.length = maxArguments;
  if (cut || more) list[list.length - 1] += cutMark;
  return list;
};
