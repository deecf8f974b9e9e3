import { lstart } from './ps-fields.ts';

const line = new RegExp(String.raw`^\s*(?<pid>\d+) (?<started>${lstart}) +(?<text>.*)$`);

/** Command line texts by pid and start (`key`). */
export type ArgumentTexts = ReadonlyMap<string, string>;

/** The key of a process in ArgumentTexts: pid and start as ps printed them. */
export const argumentKey = (pid: number, started: string): string => `${pid} ${started}`;

/**
 * Assigns lines of pid, start and arguments to their processes. Apple's ps prints a newline in an
 * argument as \012 (strvis with VIS_NL in print.c; byte table measured on macOS 26 at
 * https://github.com/apple-oss-distributions/adv_cmds), so a line of another form continues the one
 * before. If a ps does not escape newlines, a process could forge lines: a process that is named
 * twice has an unknown command line.
 */
export const argumentTextsIn = (output: string): ArgumentTexts => {
  const texts = new Map<string, string>();
  const seen = new Set<string>();
  let current: string | null = null;
  for (const text of output.split('\n')) {
    const groups = line.exec(text)?.groups;
    if (groups === undefined) {
      const before = current === null ? undefined : texts.get(current);
      if (current !== null && before !== undefined && text !== '') texts.set(current, `${before}\n${text}`);
      continue;
    }
    const pid = Number(groups['pid']);
    current = argumentKey(pid, groups['started'] ?? '');
    if (seen.has(current)) {
      texts.delete(current);
      current = null;
    } else {
      seen.add(current);
      texts.set(current, groups['text'] ?? '');
    }
  }
  return texts;
};

/** The bytes of vis(3) as Apple's ps writes them in the C locale: \012, ^A, M-C, M^A, \240. */
const visible = /(?:M-[\x20-\x7e]|M\^[@-_?]|\\2[0-3][0-7]|\\24[01])+|\\01[12]/g;

const byteOf = (notation: string): number => {
  if (notation.startsWith('\\')) return Number.parseInt(notation.slice(1), 8);
  const code = notation.charCodeAt(2);
  if (notation.startsWith('M-')) return code | 0x80;
  return (code === 0x3f ? 0x7f : code & 0x1f) | 0x80;
};

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Undoes vis(3) where it is unambiguous: newlines, tabs, and runs that together are valid UTF-8
 * ("M-CM-)" is é). The notation leaves backslashes as they are, so a literal "\012" looks like a
 * newline.
 */
export const unvis = (text: string): string =>
  text.replace(visible, (run) => {
    const bytes = Uint8Array.from(run.match(/M[-^][\s\S]|\\\d{3}/g) ?? [], byteOf);
    try {
      return decoder.decode(bytes);
    } catch {
      return run;
    }
  });

const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish']);

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/^-/, '');

/**
 * Splits arguments that are joined by spaces. Exact only if no argument contains spaces, with one
 * exception: behind `bash -c` (and further options) everything is one string, because agents start
 * commands that way. A text in parentheses is ps's name for a process whose arguments it may not
 * see: no arguments.
 */
export const splitArguments = (text: string): readonly string[] => {
  if (text === '' || /^\(.*\)$/.test(text) || text === '<defunct>') return [];
  const words = text.split(' ');
  if (!shells.has(nameOf(words[0] ?? ''))) return words.filter((word) => word !== '');
  let options = 1;
  let command = false;
  for (; /^-[a-zA-Z]+$/.test(words[options] ?? ''); options++) command ||= /^-[a-zA-Z]*c/.test(words[options] ?? '');
  if (!command) return words.filter((word) => word !== '');
  const rest = words.slice(options).join(' ');
  return rest === '' ? words.slice(0, options) : [...words.slice(0, options), rest];
};

/** Returns a process's short name: its first argument's last part, or the text in parentheses. */
export const shortName = (text: string): string => {
  const hidden = /^\((?<name>.*)\)$/.exec(text)?.groups?.['name'];
  return hidden ?? nameOf(text.split(' ')[0] ?? '');
};
