import { isWindowsPath, programFile } from '../../paths/path.ts';

export interface PowerShellCommand {
  /** What stands before `-Command`, in small letters: `['-noprofile', '-noninteractive']`. */
  readonly options: readonly string[];
  /** The script, from its first byte to the end of argv. */
  readonly script: string;
}

/**
 * Options of PowerShell that take the next word, as agents write them.
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_pwsh
 */
const withValue: ReadonlySet<string> = new Set([
  '-executionpolicy',
  '-ep',
  '-workingdirectory',
  '-wd',
  '-outputformat',
]);

/**
 * Splits the argv of a `pwsh OPTIONS -Command SCRIPT`; null for anything else. PowerShell joins
 * what follows `-Command`, so it is one script; `-` stands for standard input, and is none.
 */
export const powerShellCommand = (argv: readonly string[]): PowerShellCommand | null => {
  if (!/^(?:pwsh(?:-preview)?|powershell)$/u.test(programFile(argv[0] ?? ''))) return null;
  const options: string[] = [];
  for (let at = 1; at < argv.length; at += 1) {
    const option = (argv[at] ?? '').toLowerCase();
    if (option === '-command' || option === '-c') {
      const script = argv.slice(at + 1).join(' ');
      return script === '' || script === '-' ? null : { options, script };
    }
    if (!/^-[a-z]+$/u.test(option)) return null;
    options.push(option);
    if (!withValue.has(option)) continue;
    at += 1;
    options.push((argv[at] ?? '').toLowerCase());
  }
  return null;
};

/**
 * The command line of a `cmd /d /s /c COMMAND`, as it was split and without its outer quotes; null
 * for anything else.
 * https://learn.microsoft.com/windows-server/administration/windows-commands/cmd
 */
export const cmdCommand = (argv: readonly string[]): string | null => {
  if (programFile(argv[0] ?? '') !== 'cmd') return null;
  for (let at = 1; at < argv.length; at += 1) {
    const option = argv[at] ?? '';
    if (/^\/[ck]$/iu.test(option)) {
      const command = argv.slice(at + 1).join(' ');
      return command === '' || /k$/iu.test(option) ? null : command;
    }
    if (!/^\/[a-z](?::\w+)?$/iu.test(option)) return null;
  }
  return null;
};

/**
 * The command that a shell of Windows was given on its command line; null for none. A `pwsh`
 * without a path of Windows is one of another system and not looked at.
 */
export const windowsShellCommand = (argv: readonly string[]): string | null => {
  const [program = ''] = argv;
  if (!isWindowsPath(program) && !/^(?:cmd|powershell)$/u.test(program)) return null;
  return cmdCommand(argv) ?? powerShellCommand(argv)?.script ?? null;
};
