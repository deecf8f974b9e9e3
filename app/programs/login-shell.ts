import { programFile } from '../paths/path.ts';
import type { ProcessRow } from '../process/row.ts';
import { isInteractive } from './posix-shell.ts';
import { nameIn, programNames, type Program } from './program.ts';
import { windowsShellName } from './windows-shell.ts';

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
