import { programName } from '../agents/common/program-name.ts';
import { baseName } from '../paths/path.ts';
import type { MemberFacts } from '../process/facts.ts';
import type { ProcessRow } from '../process/row.ts';

/**
 * What a process is, as far as anything about it tells. Vetoes believe each of these names, because
 * being wrong spares a process; but each is a whole name, so that `grep tmux` and `vim-notes.sh`
 * are neither tmux nor vim.
 */
export interface Program {
  /** Names without folder and packaging: argv[0], interpreted script, executable, comm. */
  readonly names: ReadonlySet<string>;
  /** The paths of argv[0], the script and the executable. */
  readonly paths: readonly string[];
  /** argv as one line. Programs that write their own title put all of it into argv[0]. */
  readonly title: string;
  readonly argv: readonly string[];
  /** It runs on Windows, where names are compared without regard to case. */
  readonly onWindows: boolean;
}

/** Bytes of a name in the kernel. https://man7.org/linux/man-pages/man5/proc_pid_comm.5.html */
const commLength = 15;

/** NAME_MAX: path_resolution(7) of https://man7.org/linux/man-pages; longer is no program. */
const nameLength = 255;

/** Removes packaging: `.nvim-wrapped` (Nix), `nvim.appimage`, `emacs-29.4`, `Code.exe`. */
const plain = (name: string): string =>
  name.length > nameLength
    ? name
    : name
        .replace(/\.(?:appimage|exe)$/iu, '')
        .replace(/^\.(.+)-wrapped$/u, '$1')
        .replace(/-(?:linux|x86_64|aarch64|arm64|amd64)[-\w]*$/u, '')
        .replace(/-\d+(?:\.\d+)*$/u, '');

/** A macOS bundle, whose path may have blanks: `/Applications/Google Chrome.app/Contents/…`. */
const bundle =
  /^\/(?:(?:System\/)?Applications|Users\/[^/ ]+\/Applications)\/(?:Utilities\/)?([^/]+)\.app\/Contents\//u;

/**
 * A path of Windows in the form in which programs' own paths come from there (see `programPath` of
 * main/os/windows): what an interpreter was told to run is in any form.
 */
const plainWindows = (text: string): string => text.replaceAll('\\', '/');

const known = new WeakMap<ProcessRow, Program>();

const fromRow = (row: ProcessRow): Program => {
  const seen = known.get(row);
  if (seen !== undefined) return seen;
  const { executable, script: given } = programName(row);
  const onWindows = row.windows !== undefined;
  const script = given !== null && onWindows ? plainWindows(given) : given;
  const title = onWindows ? plainWindows(row.argv.join(' ')).trim() : row.argv.join(' ').trim();
  // A title such as "tmux: server" is no path, although it may contain slashes.
  const first = /^[\w.-]+: /u.test(executable) ? executable : executable.replace(/^-/u, '');
  const paths = script === null ? [first] : [first, script];
  const inBundle = bundle.exec(title)?.[1];
  const names = [...paths.map(baseName), row.comm, ...(inBundle === undefined ? [] : [inBundle])];
  const program = { names: new Set([...names, ...names.map(plain)]), paths, title, argv: row.argv, onWindows };
  known.set(row, program);
  return program;
};

/** By facts: those of a process that has not run are the same object from look to look. */
const knownWithExecutable = new WeakMap<MemberFacts, { readonly of: Program; readonly program: Program }>();

const withExecutable = (program: Program, executable: string): Program => {
  const name = baseName(executable.replace(/ \(deleted\)$/u, ''));
  return {
    ...program,
    names: new Set([...program.names, name, plain(name)]),
    paths: [...program.paths, executable],
  };
};

/** What a row, and the path of its executable where it could be read, say of its program. */
export const programOf = (row: ProcessRow, facts: MemberFacts | null = null): Program => {
  const of = fromRow(row);
  if (facts === null || facts.executable === null || facts.executable === '') return of;
  const seen = knownWithExecutable.get(facts);
  if (seen?.of === of) return seen.program;
  const program = withExecutable(of, facts.executable);
  knownWithExecutable.set(facts, { of, program });
  return program;
};

/** Returns the name by which users know a program, else the kernel's for the process. */
export const shownProgram = (row: ProcessRow): string => [...programOf(row).names][0] ?? row.comm;

/** Names of programs, one blank between them; names with blanks are given apart. */
export const programNames = (words: string, withBlanks: readonly string[] = []): ReadonlySet<string> => {
  const names = [...words.trim().split(/\s+/u), ...withBlanks];
  // The kernel's own name of a long one is cut off.
  return new Set([
    ...names,
    ...names.filter((name) => name.length > commLength).map((name) => name.slice(0, commLength)),
  ]);
};

const inSmallLetters = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

const smallLetters = (names: ReadonlySet<string>): ReadonlySet<string> => {
  let small = inSmallLetters.get(names);
  if (small === undefined) inSmallLetters.set(names, (small = new Set([...names].map((name) => name.toLowerCase()))));
  return small;
};

/** The first name of the program that is in a set; null for none. On Windows in any case. */
export const nameIn = (program: Program, names: ReadonlySet<string>): string | null => {
  if (!program.onWindows) {
    for (const name of program.names) if (names.has(name)) return name;
    return null;
  }
  const small = smallLetters(names);
  for (const name of program.names) if (small.has(name.toLowerCase())) return name;
  return null;
};

/** The same for names that mean this program on Windows only. */
export const windowsNameIn = (program: Program, names: ReadonlySet<string>): string | null =>
  program.onWindows ? nameIn(program, names) : null;
