import { programFile } from '../../paths/path.ts';
import { windowsShellCommand } from './windows-shell.ts';

export interface CommandShell {
  /** Base name of the shell: `bash`, `zsh`. */
  readonly shell: string;
  /** The flags as given, in order, without the script: `['-c', '-l']`. */
  readonly flags: readonly string[];
  /** The script, from its first byte to the end of argv. */
  readonly script: string;
}

const shellNames: ReadonlySet<string> = new Set(['bash', 'zsh', 'sh', 'dash', 'ksh', 'fish']);

/**
 * Splits the argv of a `shell -c SCRIPT`; null for anything else, whatever it mentions. What
 * follows the script is taken as part of it: of an argv that was read from `ps` and split at its
 * blanks the script comes together again, and a grammar that is anchored at the end of the script
 * refuses real further arguments.
 */
export const commandShell = (argv: readonly string[]): CommandShell | null => {
  const shell = programFile(argv[0] ?? '');
  if (!shellNames.has(shell)) return null;
  const flags: string[] = [];
  let at = 1;
  for (; at < argv.length; at += 1) {
    const flag = argv[at] ?? '';
    if (!/^-[a-zA-Z]+$|^--[a-z-]+$/.test(flag)) break;
    flags.push(flag);
  }
  const hasCommand = flags.some((flag) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(flag));
  if (!hasCommand || at >= argv.length) return null;
  return { shell, flags, script: argv.slice(at).join(' ') };
};

/**
 * Returns the script of a plain `shell -c SCRIPT`, or of the same with a shell of Windows. That is
 * no proof, because users' shells look alike. Codex, Copilot and opencode wrap nothing around a
 * command, so a job of theirs is shown as the agent wrote it.
 */
export const plainCommandOf = (argv: readonly string[]): string | null =>
  commandShell(argv)?.script ?? windowsShellCommand(argv);

/**
 * True for the command line of a tool call, of an agent whose children are told by that alone:
 * `shell -c COMMAND`. Where its flags are known no shell of Windows is one: `cmd /c npx` starts
 * servers there.
 */
export const isPlainCall = (argv: readonly string[], flags: readonly string[] | undefined): boolean =>
  flags === undefined ? plainCommandOf(argv) !== null : commandShell(argv)?.flags.join(' ') === flags.join(' ');
