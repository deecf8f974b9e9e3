/** What a polling command asks for, as far as its text tells. */
export type LoopCondition =
  /** The text between `until` or `while` and `do`. */
  | { readonly kind: 'asked'; readonly text: string }
  /** It goes on for ever and leaves from inside. */
  | { readonly kind: 'inside' }
  /**
   * It goes on for ever, through a list or a number of times, and nothing in it leaves: work at
   * intervals, which asks for nothing.
   */
  | { readonly kind: 'regular' }
  /** The command shows no loop: it is in a script or a program. */
  | { readonly kind: 'hidden' };

const loop = /(?:^|[\s;&|({])(until|while)\s+([\s\S]{1,400}?)[;\n]\s*do(?=\s)/u;
const list = /(?:^|[\s;&|({])(?:for|select)\s+(?:\w+(?=[\s;])|\(\()[\s\S]{0,4000}?[;\n]\s*do(?=\s)/u;
const constant = /^(?:true|:|\(\(\s*1\s*\)\)|\[\s*1\s*\]|\[\[\s*1\s*\]\]|sleep\s+[\w.$"{}]+)$/u;
const reading = /^(?:IFS=\S*\s+)?read(?:\s|$)/u;
/** A variable that is compared with a number. */
const counter =
  /^(?:\(\(\s*(\w+)\s*[<>!]=?\s*\d+\s*\)\)|\[{1,2}\s+"?\$\{?(\w+)\}?"?\s+-(?:lt|le|gt|ge|ne)\s+\d+\s+\]{1,2})$/u;
const leaving = /(?:^|[\s;&|({])(?:break|exit|return)(?=[\s;&|)}]|$)/u;

/** Whether a loop counts: its condition compares a number with a variable that it changes. */
const counts = (condition: string, command: string): boolean => {
  const [, arithmetic, test] = counter.exec(condition) ?? [];
  const name = arithmetic ?? test;
  if (name === undefined) return false;
  return new RegExp(`\\b${name}(?:\\+\\+|--|[+-]=|=\\$?\\(\\()|(?:\\+\\+|--)${name}\\b`, 'u').test(command);
};

/** Reads the first loop's condition in a shell command, which is foreign text; never throws. */
export const loopConditionOf = (command: string): LoopCondition => {
  // Blanks as one: in a script of thousands of them each place would be tried with each other one,
  // for minutes.
  const start = command.slice(0, 8192).replaceAll(/\s{2,}/gu, (blanks) => (blanks.includes('\n') ? '\n' : ' '));
  const [, word, text = ''] = loop.exec(start) ?? [];
  const condition = text.trim().replaceAll(/\s+/gu, ' ');
  const goesOn =
    word === undefined
      ? list.test(start)
      : word === 'until'
        ? condition === 'false'
        : constant.test(condition) || reading.test(condition) || counts(condition, start);
  if (goesOn) return leaving.test(start) ? { kind: 'inside' } : { kind: 'regular' };
  return word === undefined ? { kind: 'hidden' } : { kind: 'asked', text: `${word} ${condition}`.slice(0, 160) };
};

/**
 * The pattern of a `pgrep -f` in a condition; null for none. pgrep leaves itself out, never the
 * shell that asks, so a condition such as `until [ -z "$(pgrep -f 'npm test')" ]` finds its own
 * shell for ever. https://man7.org/linux/man-pages/man1/pgrep.1.html
 */
export const searchedProcess = (condition: string): string | null => {
  const [, double, single, bare] =
    /\bpgrep\s+(?:-[a-zA-Z]+\s+(?:[\w.]+\s+)?){0,4}-[a-zA-Z]*f[a-zA-Z]*\s+(?:"([^"$`]+)"|'([^']+)'|([^\s;|&()"'$`]+))/u.exec(
      condition,
    ) ?? [];
  return double ?? single ?? bare ?? null;
};

/** The lock file of a condition, absolute or below the working folder; null for none. */
export const lockFileIn = (condition: string): string | null =>
  /(?:^|[\s"'!])((?:\/|\.{1,2}\/)?[\w.@+-][\w./@+-]*\.(?:lock|lck|pid))(?=["'\s\])]|$)/u.exec(condition)?.[1] ?? null;
