import type { MemberFacts } from '../process/facts.ts';
import type { Pid } from '../process/identity.ts';
import type { ProcessRow } from '../process/row.ts';
import { parentsOf } from '../process/tree.ts';
import { browserName } from './browser.ts';
import { editorName } from './editor.ts';
import { loginShellName } from './login-shell.ts';
import { multiplexerName } from './multiplexer.ts';
import { programOf, type Program } from './program.ts';
import { sharedDaemonName } from './shared-daemon.ts';
import { terminalName } from './terminal.ts';
import { desktopName } from './windows-names.ts';

/**
 * A kind of program that the user works in or relies on. A browser that the user works with counts
 * as a shared daemon. `desktop`: the desktop of Windows and what starts programs there.
 */
export type UserProgramKind = 'editor' | 'terminal' | 'multiplexer' | 'login-shell' | 'shared-daemon' | 'desktop';

export interface UserProgram {
  readonly kind: UserProgramKind;
  readonly name: string;
}

const named = (kind: UserProgramKind, name: string | null): UserProgram | null =>
  name === null ? null : { kind, name };

/** Each process's program is an object of its own that lasts while nothing of it changes. */
const alone = new WeakMap<Program, UserProgram | 'none'>();

const classifyAlone = (row: ProcessRow, program: Program): UserProgram | null => {
  let found = alone.get(program);
  if (found === undefined) {
    found =
      named('desktop', desktopName(program)) ??
      named('multiplexer', multiplexerName(program)) ??
      named('terminal', terminalName(program)) ??
      named('shared-daemon', sharedDaemonName(program)) ??
      named('editor', editorName(program)) ??
      named('login-shell', loginShellName(row, program)) ??
      'none';
    alone.set(program, found);
  }
  return found === 'none' ? null : found;
};

const classify = (row: ProcessRow, program: Program, rows: ReadonlyMap<Pid, ProcessRow>): UserProgram | null =>
  classifyAlone(row, program) ??
  named(
    'shared-daemon',
    browserName(
      program,
      parentsOf(row, rows).map((parent) => programOf(parent)),
    ),
  );

/**
 * Returns which program of the user a process is; null for none. A tool call can start such a
 * program, which then carries the call's markers and is still no part of its job.
 * @param rows the process table, for the parents of a browser's process
 */
export const userProgramOf = (
  row: ProcessRow,
  facts: MemberFacts | null,
  rows: ReadonlyMap<Pid, ProcessRow>,
): UserProgram | null => classify(row, programOf(row, facts), rows);

/**
 * True for a program in which the user starts others: every program of the user but daemons.
 * Browsers are among them.
 */
export const opensPrograms = (row: ProcessRow, rows: ReadonlyMap<Pid, ProcessRow>): boolean => {
  const program = programOf(row);
  const found = classify(row, program, rows);
  return found !== null && (found.kind !== 'shared-daemon' || sharedDaemonName(program) === null);
};
