import type { MemberFacts } from '../../process/facts.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { Veto, VetoCode } from '../verdict.ts';
import { browserName } from '../../programs/browser.ts';
import type { MemberRole, VetoContext, VetoRule } from './context.ts';
import { editorName } from '../../programs/editor.ts';
import { loginShellName } from '../../programs/login-shell.ts';
import { multiplexerName } from '../../programs/multiplexer.ts';
import { programOf, type Program } from '../../programs/program.ts';
import { isAdopter, sharedDaemonName } from '../../programs/shared-daemon.ts';
import { terminalName } from '../../programs/terminal.ts';
import { veto } from './veto.ts';

/** What a person works with or relies on. */
export interface UserProgram {
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

const named = (code: UserProgram['code'], name: string | null): UserProgram | null =>
  name === null ? null : { code, name };

const peoplesProgram = (row: ProcessRow, program: Program, context: Pick<VetoContext, 'rows'>): UserProgram | null =>
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
export const userProgramOf = (
  row: ProcessRow,
  facts: MemberFacts | null,
  context: Pick<VetoContext, 'rows'>,
): UserProgram | null => peoplesProgram(row, programOf(row, facts), context);

/** True for a program in which users start others: all of people's programs but daemons, and of those the browsers. */
export const opensPrograms = (row: ProcessRow, context: Pick<VetoContext, 'rows'>): boolean => {
  const program = programOf(row);
  const found = peoplesProgram(row, program, context);
  return found !== null && (found.code !== 'shared-daemon' || sharedDaemonName(program) === null);
};

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

const onTerminals = new WeakMap<VetoContext['rows'], ReadonlyMap<number, readonly ProcessRow[]>>();

/** What leads a kernel session on a terminal, by its parent. Gathered once for each table. */
const leadersBelow = (parent: ProcessRow, { rows }: VetoContext): readonly ProcessRow[] => {
  let byParent = onTerminals.get(rows);
  if (byParent === undefined) {
    const leaders = [...rows.values()].filter((row) => row.tty !== 0 && Number(row.sid) === Number(row.pid));
    byParent = Map.groupBy(leaders, ({ ppid }) => Number(ppid));
    onTerminals.set(rows, byParent);
  }
  return byParent.get(parent.pid) ?? [];
};

/**
 * It holds the terminal of a shell in which somebody works, whatever its name (ttyd, script, a terminal that nobody has heard of): when it
 * ends, the terminal closes and the kernel sends HUP to all in it. https://man7.org/linux/man-pages/man4/tty.4.html
 */
const holdsTerminal = (row: ProcessRow, context: VetoContext): Veto | null => {
  const shell = leadersBelow(row, context).find((leader) => loginShellName(leader, programOf(leader)) !== null);
  return shell === undefined ? null : veto('terminal', row, { name: shell.comm, holds: shell.pid });
};

/**
 * An orphan that leads the kernel session of a terminal: the terminal of a program that has ended hangs up, and its processes have none any
 * more. So somebody who isn't its parent holds this one and looks at it: reptyr(1) takes a process to a person's terminal.
 */
const isTakenOver = (row: ProcessRow, context: VetoContext): Veto | null => {
  if (row.tty === 0 || Number(row.sid) !== Number(row.pid)) return null;
  const parent = context.rows.get(row.ppid);
  const isOrphan = parent !== undefined && (parent.pid === 1 || isAdopter(programOf(parent)));
  return isOrphan ? veto('terminal', row, { name: row.comm, as: 'taken-over' }) : null;
};

/** Devices that a program holds open while it provides the machine with something: a mounted file system, a network (VPN). */
const devices: ReadonlyMap<string, string> = new Map([
  // https://docs.kernel.org/filesystems/fuse/fuse.html: the file system is gone when its daemon is.
  ['/dev/fuse', 'a mounted folder'],
  // https://docs.kernel.org/networking/tuntap.html
  ['/dev/net/tun', 'a network connection'],
]);

const provides = (row: ProcessRow, facts: MemberFacts | null): Veto | null => {
  const target = facts?.openFiles?.find((file) => devices.has(file.target))?.target;
  return target === undefined
    ? null
    : veto('shared-daemon', row, { name: row.comm, provides: devices.get(target) ?? '' });
};

/** It is, or lives in, a program that a person works with or relies on. */
export const people: VetoRule = (row, facts, role, context) => {
  const found = userProgramOf(row, facts, context);
  if (found !== null) return veto(found.code, row, { name: found.name });
  return (
    livesIn(row, role, context) ?? holdsTerminal(row, context) ?? isTakenOver(row, context) ?? provides(row, facts)
  );
};
