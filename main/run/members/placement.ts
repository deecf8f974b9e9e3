import type { ControllingTerminal } from '../../os/linux/control/terminal.ts';
import type { Placement } from '../../os/programs/command-launcher.ts';

/** What decides where a command is put. */
export interface Surroundings {
  readonly background: boolean;
  /** We have a controlling terminal. */
  readonly onTerminal: boolean;
  /** The launcher can make groups and we can change the terminal's foreground group. */
  readonly groups: boolean;
  /** Nobody else is in our own process group. */
  readonly alone: boolean;
  readonly foreground: boolean;
}

/**
 * Where a command is put, so that it has a group and a kernel session of its own and the person at the terminal notices nothing.
 * - Without a controlling terminal (agents' shells, cron, CI) and in the background: a session of its own.
 * - On a terminal a new session would lose it: no password prompts, no Ctrl-C, no window size. So the command gets a group of its own there and that becomes the
 *   foreground group, as a shell does it.
 * - In a pipeline or a script that the terminal's keys are to reach as well (`curfew run -- log | less`, `npx curfew run`), somebody else is in our group. Taking the
 *   foreground from them would stop them at their first look at the keyboard; so the command shares that group. Membership then rests on parentage and cookie.
 */
export const placementFor = (around: Surroundings): Placement => {
  if (around.background || !around.onTerminal) return 'session';
  if (!around.groups || !around.alone) return 'shared';
  return around.foreground ? 'terminal' : 'group';
};

/** What is needed to pass a stop on. */
export interface StoppedCommand {
  readonly terminal: ControllingTerminal;
  /** The command's group. */
  readonly group: number;
  readonly signal: number;
  /** CONT to the command's group. */
  readonly resume: () => void;
  /** Signals that mean "you are in the background and wanted the terminal". */
  readonly wantsTerminal: boolean;
}

/**
 * Passes a stop on: the shell that started us sees its job stop, and when it continues us the command goes on, in the foreground if we are. A command that was stopped
 * for want of the terminal while we are in the foreground (the shell's `fg`) gets it and goes on. Returns after it was continued.
 */
export const passStopOn = ({ terminal, group, signal, resume, wantsTerminal }: StoppedCommand): void => {
  if (!(wantsTerminal && (terminal.ownIsForeground() || terminal.isForeground(group)))) {
    if (terminal.isForeground(group)) terminal.takeBack();
    terminal.stopOwnGroup(signal);
  }
  if (terminal.ownIsForeground()) terminal.give(group);
  resume();
};
