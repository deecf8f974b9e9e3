import { kept } from '../../format/kept.ts';
import { baseName, isWindowsPath, plainPath, programPath, windowsPath } from '../../paths/path.ts';

export interface ProgramName {
  /** argv[0] as programs are compared, see `programPath`. */
  readonly executable: string;
  /** Its last part. */
  readonly name: string;
  /** The script an interpreter runs; null where there is no interpreter, or it runs text (`-c`). */
  readonly script: string | null;
  /** The module of `python -m MODULE`. */
  readonly module: string | null;
}

const interpreter = /^(?:node|nodejs|bun|deno|tsx|python[0-9.]*|(?:ba|da|z|k)?sh)$/;
const isPython = /^python/;
const isShell = /^(?:ba|da|z|k)?sh$/;

/** Options of node, bun, deno and python that take a value. https://nodejs.org/api/cli.html */
const optionsWithValue: ReadonlySet<string> = new Set([
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
  '-C',
  '--conditions',
  '--preload',
  '--config',
  '-W',
  '-X',
]);
const runsText: ReadonlySet<string> = new Set(['-e', '--eval', '-p', '--print', '-pe', '-']);

interface Named {
  readonly argv: readonly string[];
  readonly comm: string;
}

const names = new WeakMap<readonly string[], ProgramName>();

/**
 * Names the program of a process by argv only: `comm` is whatever file was executed last or a
 * thread's name, and an agent's binary runs tools under other names (Claude Code runs its own
 * binary as `rg`). Where argv is empty, `comm` is all there is. The signatures of 30 agents ask one
 * after the other, so it is kept for each command line.
 */
export const programName = (row: Named): ProgramName =>
  row.argv.length === 0 ? named(row) : kept(names, row.argv, () => named(row));

const named = (row: Named): ProgramName => {
  const executable = programPath(row.argv[0] ?? row.comm);
  const name = baseName(executable);
  const none: ProgramName = { executable, name, script: null, module: null };
  if (!interpreter.test(name)) return none;
  for (let at = 1; at < row.argv.length; at += 1) {
    const argument = row.argv[at] ?? '';
    if (runsText.has(argument) || (isPython.test(name) && argument === '-c')) return none;
    if (isPython.test(name) && argument === '-m') return { ...none, module: row.argv[at + 1] ?? null };
    if (isShell.test(name)) {
      if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(argument)) return none;
      if (/^[-+]/.test(argument)) continue;
    }
    if (optionsWithValue.has(argument)) at += 1;
    else if (!argument.startsWith('-') && !((name === 'bun' || name === 'deno') && argument === 'run'))
      return { ...none, script: isWindowsPath(executable) ? windowsPath(argument) : plainPath(argument) };
  }
  return none;
};

/**
 * True for a shell that runs a script. One with an agent's name starts the agent or becomes it, and
 * what else it starts is no call of that.
 */
export const isShellScript = (row: Named): boolean => {
  const { name, script } = programName(row);
  return script !== null && isShell.test(name);
};

/** Programs of an agent: base names match whole, paths by a part that only its installation has. */
export interface ProgramSignature {
  /** Base names of argv[0] or of the script, exactly. */
  readonly names: readonly string[];
  /** Parts of the path of argv[0] or of the script, between two `/`: `/@openai/codex/bin/`. */
  readonly paths: readonly string[];
  /** Python modules. */
  readonly modules?: readonly string[];
}

/** True where a path has that part; on Windows whatever the case. */
const hasPart = (file: string, part: string): boolean =>
  isWindowsPath(file) ? file.toLowerCase().includes(part.toLowerCase()) : file.includes(part);

/** Compares a process with a signature, by no substring: `vim claude.md` is no agent's. */
export const isProgram = (signature: ProgramSignature, row: Named): boolean => {
  const program = programName(row);
  const files = program.script === null ? [program.executable] : [program.script, program.executable];
  return (
    files.some(
      (file) => signature.names.includes(baseName(file)) || signature.paths.some((part) => hasPart(file, part)),
    ) ||
    (program.module !== null && (signature.modules ?? []).includes(program.module))
  );
};
