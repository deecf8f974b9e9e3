import { programFile } from '../paths/path.ts';
import type { ProcessRow } from '../process/row.ts';
import type { WindowsTraits } from '../process/windows.ts';
import { type Program, nameIn, programNames, windowsNameIn } from './program.ts';

/** Options that take an argument, of shells in editors' built-in terminals. */
const optionsWithValue = programNames('--rcfile --init-file --init-command -C -o +o -O +O');

/** True when a POSIX shell was given neither a command nor a script: a user types into it. */
const isInteractive = (options: readonly string[]): boolean => {
  for (let at = 0; at < options.length; at += 1) {
    const option = options[at] ?? '';
    // PowerShell says outright that it stays after its script.
    if (/^-noexit$/iu.test(option)) return true;
    if (optionsWithValue.has(option)) at += 1;
    else if (!/^[-+]/u.test(option) || /^-[a-zA-Z]*c/u.test(option) || option === '--command') return false;
  }
  return true;
};

const powershells = programNames('powershell pwsh pwsh-preview');
const commandPrompts = programNames('cmd');
const posixShells = programNames(
  'sh bash rbash zsh fish dash ash ksh mksh tcsh csh nu nushell xonsh elvish oil osh busybox',
);

/**
 * True where `cmd` stays open. Its switches may stand in one word (`/d/s/c`); the first of /c, /r
 * and /k decides, and without one it stays. `cmd /?`
 */
const staysOpen = (options: readonly string[]): boolean => {
  for (const option of options) {
    if (!option.startsWith('/')) continue;
    const found = /\/(?<end>[ckr])/iu.exec(option)?.groups?.['end']?.toLowerCase();
    if (found !== undefined) return found === 'k';
  }
  return true;
};

/** Parameters that take the next word as their value. Shortened ones are other words. */
const valued = programNames(
  `executionpolicy ex ep workingdirectory wd wo inputformat inp if outputformat o of configurationname config
  configurationfile custompipename settingsfile settings psconsolefile version v windowstyle w`,
);
/** Parameters without a value that say nothing of a command. */
const plain = programNames(
  'nologo nol noprofile nop noninteractive noni interactive i login l sta mta noprofileloadtime sshservermode sshs',
);
/** Parameters that name what is to be run, as far as they may be shortened. */
const runs = /^(?:c|com|comm|comma|comman|command|commandwithargs|cwa|f|fi|fil|file|e|ec|en|enc|encodedcommand)$/u;

/**
 * True for a PowerShell that a user may type into: without something to run, or told to stay. What
 * can't be understood counts as such.
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_pwsh
 */
const isPowerShellOpen = (options: readonly string[]): boolean => {
  if (options.some((option) => /^[-/–—]{1,2}noe(?:x|xi|xit)?$/iu.test(option))) return true;
  for (let at = 0; at < options.length; at += 1) {
    const option = options[at] ?? '';
    const name = /^[-/–—]{1,2}(?<name>[a-z]+)$/iu.exec(option)?.groups?.['name']?.toLowerCase();
    // A word that is no parameter is a file or a command.
    if (name === undefined) return option === '-' || /^[-/–—]/u.test(option);
    // Read from standard input, which may be a console.
    if (runs.test(name)) return (options[at + 1] ?? '-') === '-';
    if (valued.has(name)) at += 1;
    else if (!plain.has(name)) return true;
  }
  return true;
};

/**
 * The name of the shell of Windows that a user may type into; null for any other program. It has a
 * console, or none is known of, and was given nothing to run, as no tool call is.
 */
const windowsShellName = (
  { windows, argv }: { readonly windows?: WindowsTraits; readonly argv: readonly string[] },
  program: Program,
): string | null => {
  if (windows === undefined || windows.console === false) return null;
  const options = argv.slice(1);
  const prompt = windowsNameIn(program, commandPrompts);
  if (prompt !== null) return staysOpen(options) ? prompt : null;
  const powershell = windowsNameIn(program, powershells);
  if (powershell !== null) return isPowerShellOpen(options) ? powershell : null;
  const shell = windowsNameIn(program, posixShells);
  return shell !== null && isInteractive(options) ? shell : null;
};

const shells = programNames(
  'sh bash rbash zsh fish dash ash ksh ksh93 mksh pdksh yash tcsh csh nu nushell xonsh elvish oil osh pwsh',
);
const doors = programNames(
  'login agetty getty mingetty sshd sshd-session sshd-auth dropbear in.telnetd telnetd systemd-logind',
);

const leadsSession = (row: ProcessRow): boolean => Number(row.sid) === Number(row.pid);

/** sshd says in its title what it serves: `sshd: me@pts/0`, `sshd-session: me [priv]`. */
const sshdTitle = /^sshd(?:-session)?: /u;

/**
 * The name of the shell in which the user works, or of what let them in; null when it is neither. A
 * shell is the user's when it was started as a login shell (argv[0] begins with `-`,
 * https://man7.org/linux/man-pages/man1/login.1.html), or leads a kernel session with a controlling
 * terminal and was given nothing to run. A tool shell has `-c` and, with rare exceptions, no
 * terminal.
 */
export const loginShellName = (row: ProcessRow, program: Program): string | null => {
  const first = row.argv[0] ?? '';
  if (first.length > 1 && first.startsWith('-')) return first;
  if (sshdTitle.test(program.title)) return 'sshd';
  const door = nameIn(program, doors);
  if (door !== null) return door;
  if (row.windows !== undefined) return windowsShellName(row, program);
  const name = programFile(first);
  if (row.tty === 0) return null;
  const options = row.argv.slice(1);
  if (shells.has(name)) return leadsSession(row) && isInteractive(options) ? name : null;
  // su and sudo run a command or open a shell; a command is an ordinary job.
  if (name === 'su') return options.every((option) => !/^(?:-[a-zA-Z]*c|--command)/u.test(option)) ? name : null;
  if (name === 'sudo')
    return options.some((option) => /^(?:-[a-zA-Z]*[is]$|--login$|--shell$)/u.test(option)) ? name : null;
  return null;
};
