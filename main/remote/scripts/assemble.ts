/**
 * Returns a script as it is sent: each line `. ./name.sh` gives way to that part (once), marks
 * `@NAME@` to their values, and lines of comment and blank lines are left out.
 * @throws TypeError for a part or a mark that is not given.
 */
export const assembleScript = (
  script: string,
  parts: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
): string => {
  const included = new Set<string>();
  const linesOf = (text: string): readonly string[] =>
    text.split('\n').flatMap((line) => {
      const name = /^\. \.\/(?<name>[\w-]+\.sh)$/u.exec(line)?.groups?.['name'];
      if (name === undefined) return /^\s*(?:#|$)/u.test(line) ? [] : [line];
      if (included.has(name)) return [];
      included.add(name);
      const part = parts[name];
      if (part === undefined) throw new TypeError(`no part ${name}`);
      return linesOf(part);
    });
  return `${linesOf(script).join('\n')}\n`.replaceAll(/@(?<name>[A-Z_]+)@/gu, (_mark, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`no value for @${name}@`);
    return value;
  });
};
