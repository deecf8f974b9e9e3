import type { MemberFacts } from '../../process/facts.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { Veto, VetoCode } from '../verdict.ts';
import { browserName } from './browser.ts';
import type { MemberRole, VetoContext, VetoRule } from './context.ts';
import { editorName } from './editor.ts';
import { loginShellName } from './login-shell.ts';
import { multiplexerName } from './multiplexer.ts';
import { programOf, type Program } from './program.ts';
import { isAdopter, sharedDaemonName } from './shared-daemon.ts';
import { terminalName } from './terminal.ts';
import { veto } from './veto.ts';

/** What a person works with or relies on. */
export interface PeoplesProgram {
  readonly code: Extract<VetoCode, 'editor' | 'terminal' | 'multiplexer' | 'login-shell' | 'shared-daemon'>;
  readonly name: string;
}

const parentsOf = (row: ProcessRow, context: Pick<VetoContext, 'rows'>): readonly ProcessRow[] => {
  const parents: ProcessRow[] = [];
  const seen = new Set([row.pid]);
  let parent = context.rows.get(row.ppid);
  while (parent !== undefined && parent.pid > 1 && !seen.has(parent.pid)) {
    seen.add(parent.pid);
    parents.push(parent);
    parent = context.rows.get(parent.ppid);
  }
  return parents;
};

const named = (code: PeoplesProgram['code'], name: string | null): PeoplesProgram | null =>
  name === null ? null : { code, name };

const peoplesProgram = (row: ProcessRow, program: Program, context: Pick<VetoContext, 'rows'>): PeoplesProgram | null =>
  named('multiplexer', multiplexerName(program)) ??
  named('terminal', terminalName(program)) ??
  named('shared-daemon', sharedDaemonName(program)) ??
  named('editor', editorName(program)) ??
  named('login-shell', loginShellName(row, program)) ??
  named(
    'shared-daemon',
    browserName(
      program,
      parentsOf(row, context).map((parent) => programOf(parent)),
    ),
  );

/**
 * What kind of people's program a process is; null for none. Also for whoever assembles jobs: such a process carries the markers of the
 * tool call that started it by the way, and is still no part of its job.
 */
export const peoplesProgramOf = (
  row: ProcessRow,
  facts: MemberFacts | null,
  context: Pick<VetoContext, 'rows'>,
): PeoplesProgram | null => peoplesProgram(row, programOf(row, facts), context);

/**
 * A multiplexer, terminal, editor or daemon above it, with neither an agent nor a tool shell in between: it was opened from a tool shell
 * and handed the markers on to everything in it, and it is a person who works there. A job of an agent that itself runs in a terminal has
 * the agent in between; one whose agent has ended hangs below process 1 or another adopter.
 */
const livesIn = (row: ProcessRow, { toolShell }: MemberRole, context: VetoContext): Veto | null => {
  if (row.pid === toolShell) return null;
  for (const parent of parentsOf(row, context)) {
    const program = programOf(parent);
    if (parent.pid === toolShell || context.isAgent(parent) || isAdopter(program)) return null;
    const found = peoplesProgram(parent, program, context);
    if (found !== null && found.code !== 'login-shell')
      return veto(found.code, row, { name: found.name, inside: parent.pid });
  }
  return null;
};

/** It is, or lives in, a program that a person works with or relies on. */
export const people: VetoRule = (row, facts, role, context) => {
  const found = peoplesProgramOf(row, facts, context);
  return found === null ? livesIn(row, role, context) : veto(found.code, row, { name: found.name });
};
