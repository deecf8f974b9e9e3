/**
 * A shell script as it stands. `$\{` stands for the shell's own braces, because a bare one would be taken for a piece to put in; only other
 * scripts and constants are ever put in, never anything that comes from a person or a machine.
 */
export const shell = (parts: TemplateStringsArray, ...pieces: readonly (string | number)[]): string =>
  String.raw(parts, ...pieces).replaceAll('$\\{', '${');
