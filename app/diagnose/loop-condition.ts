/** What a polling command asks for, as far as its text tells. */
export type LoopCondition =
  /** The text between `until` or `while` and `do`. */
  | { readonly kind: 'asked'; readonly text: string }
  /** It goes on for ever and leaves from inside. */
  | { readonly kind: 'inside' }
  /** It goes on for ever, and nothing in it leaves: a regular task. */
  | { readonly kind: 'never-ends' }
  /** The command shows no loop: it is in a script or a program. */
  | { readonly kind: 'hidden' };

const loop = /(?:^|[\s;&|({])(until|while)\s+([\s\S]{1,400}?)[;\n]\s*do(?=\s)/u;
const constant = /^(?:true|:|\(\(\s*1\s*\)\)|\[\s*1\s*\]|\[\[\s*1\s*\]\])$/u;
const leaving = /(?:^|[\s;&|({])(?:break|exit|return)(?=[\s;&|)}]|$)/u;

/** Reads the condition of the first loop in a shell command. The command is anybody's text; never throws. */
export const loopConditionOf = (command: string): LoopCondition => {
  const [, word, text = ''] = loop.exec(command.slice(0, 8192)) ?? [];
  if (word === undefined) return { kind: 'hidden' };
  const condition = text.trim().replaceAll(/\s+/gu, ' ');
  const always = word === 'until' ? /^false$/u : constant;
  if (!always.test(condition)) return { kind: 'asked', text: `${word} ${condition}`.slice(0, 160) };
  return leaving.test(command) ? { kind: 'inside' } : { kind: 'never-ends' };
};

/**
 * The pattern of a `pgrep -f` in a condition; null for none. pgrep leaves itself out, never the shell that asks, so a condition such as
 * `until [ -z "$(pgrep -f 'npm test')" ]` finds its own shell for ever. https://man7.org/linux/man-pages/man1/pgrep.1.html
 */
export const searchedProcess = (condition: string): string | null => {
  const [, double, single, bare] =
    /\bpgrep\s+(?:-[a-zA-Z]+\s+(?:[\w.]+\s+)?){0,4}-[a-zA-Z]*f[a-zA-Z]*\s+(?:"([^"$`]+)"|'([^']+)'|([^\s;|&()"'$`]+))/u.exec(
      condition,
    ) ?? [];
  return double ?? single ?? bare ?? null;
};

/** The lock file that a condition looks at: an absolute path, or one below the working folder; null for none. */
export const lockFileIn = (condition: string): string | null =>
  /(?:^|[\s"'!])((?:\/|\.{1,2}\/)?[\w.@+-][\w./@+-]*\.(?:lock|lck|pid))(?=["'\s\])]|$)/u.exec(condition)?.[1] ?? null;
