import type { ControllingTerminal } from '../../os/containment/terminal.ts';
import type { Placement } from '../../os/programs/command-launcher.ts';

export interface Surroundings {
  readonly background: boolean;
  readonly onTerminal: boolean;
  /** The launcher can make groups, and this process can change the terminal's foreground group. */
  readonly groups: boolean;
  /** Our process group has no other member. */
  readonly alone: boolean;
  readonly foreground: boolean;
}

/**
 * Returns where a command is placed, so that it has its own group and session where possible and
 * the terminal works as before.
 * - Without a controlling terminal (agents' shells, cron, CI) and in the background: its own
 * session.
 * - On a terminal a new session would lose password prompts, Ctrl-C and the window size. The
 * command gets its own group, which becomes the foreground group, as in a shell.
 * - In a pipeline or a script (`curfew run -- log | less`, `npx curfew run`) other processes share
 * our group and need the terminal's keys. Taking the foreground would stop them at their next read.
 * The command shares the group, and membership rests on parentage and cookie.
 */
export const placementFor = (around: Surroundings): Placement => {
  if (around.background || !around.onTerminal) return 'session';
  if (!around.groups || !around.alone) return 'shared';
  return around.foreground ? 'terminal' : 'group';
};

export interface StoppedCommand {
  readonly terminal: ControllingTerminal;
  readonly group: number;
  readonly signal: number;
  /** Sends CONT to the command's group. */
  readonly resume: () => void;
  /** Stopped by TTIN or TTOU: the command was in the background and needed the terminal. */
  readonly wantsTerminal: boolean;
}

/**
 * Passes on a stop: this process stops too, so that the shell sees its job stop, and resumes the
 * command when continued, in the foreground if this process is. A command that stopped for the
 * terminal while this process is in the foreground (the shell's `fg`) gets it at once. Returns
 * after CONT.
 */
export const passStopOn = ({ terminal, group, signal, resume, wantsTerminal }: StoppedCommand): void => {
  if (!(wantsTerminal && (terminal.ownIsForeground() || terminal.isForeground(group)))) {
    if (terminal.isForeground(group)) terminal.takeBack();
    terminal.stopOwnGroup(signal);
  }
  if (terminal.ownIsForeground()) terminal.give(group);
  resume();
};
