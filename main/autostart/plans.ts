import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Said } from '../../app/format/said.ts';
import { joined, say } from '../../app/text/say.ts';
import { placesEnvironment } from '../agents/hooks/form/hook-script.ts';
import { ownCommand } from '../os/programs/bounded-program.ts';
import { askSystem } from './ask-system.ts';
import type { AutostartInput, AutostartPlan } from './autostart-plan.ts';
import { autostartEntryFile, desktopEntry } from './desktop-entry.ts';
import { type LaunchdDomain, launchdPlan } from './launchd.ts';
import { systemdPlan } from './systemd.ts';
import { taskSchedulerPlan } from './task-scheduler.ts';
import { system } from '../os/this-system.ts';

/**
 * Returns what autostart is planned for: this user, this machine, this Node.
 * @param commandLine the file of the command line
 * @throws the file system's error when that file was deleted
 */
export const autostartInputHere = (commandLine: string = process.argv[1] ?? ''): AutostartInput => ({
  home: homedir(),
  environment: process.env,
  uid: process.getuid?.() ?? 0,
  program: ownCommand(commandLine),
  placesEnvironment: placesEnvironment(process.env),
});

/** Returns whether a desktop starts programs at login: its session sets one of these. */
const hasDesktop = (environment: AutostartInput['environment']): boolean =>
  ['XDG_CURRENT_DESKTOP', 'DISPLAY', 'WAYLAND_DISPLAY'].some((name) => (environment[name] ?? '') !== '');

/**
 * Returns an entry by which a desktop starts the supervisor at login: for Linux without systemd,
 * which has no timers. Desktops start their entries once, so it is the supervisor and not a pass.
 */
export const xdgPlan = (input: AutostartInput): AutostartPlan => ({
  kind: 'supervisor',
  name: say('an entry of the desktop'),
  files: [
    {
      path: autostartEntryFile(input, 'dev.curfew.watch'),
      text: desktopEntry({
        comment: 'Watches over what AI coding agents leave running',
        program: [...input.program, 'watch'],
        variables: input.placesEnvironment,
      }),
    },
  ],
  links: [],
  enable: [],
  disable: [],
  check: null,
});

export interface Machine {
  readonly platform: NodeJS.Platform;
  /** systemd is process 1: sd_booted(3) checks for this folder. */
  readonly systemd: boolean;
  /** Asks launchd in which domain the user's jobs are; on macOS only. */
  readonly launchdDomain?: (input: AutostartInput) => LaunchdDomain;
}

/** Returns where launchd keeps the jobs of this user now. */
const domainHere = ({ uid, environment }: AutostartInput): LaunchdDomain =>
  askSystem(['launchctl', 'print', `gui/${uid}`], environment).status === 0 ? 'gui' : 'user';

/** Returns this machine. */
export const machineHere = (): Machine => ({
  platform: system,
  systemd: existsSync('/run/systemd/system'),
  launchdDomain: domainHere,
});

/** Returns every plan possible on such a machine, so that all of them can be removed. */
export const everyPlan = ({ platform }: Machine, input: AutostartInput): readonly AutostartPlan[] => {
  if (platform === 'darwin') return [launchdPlan(input)];
  if (platform === 'win32') return [taskSchedulerPlan(input)];
  return platform === 'linux' ? [systemdPlan(input), xdgPlan(input)] : [];
};

/** Returns whether the plan's own commands can run here. */
export const canAsk = ({ platform, systemd }: Machine, { kind }: AutostartPlan): boolean =>
  platform !== 'linux' || (systemd && kind === 'pass');

/** Returns the plan for a machine, or why there is none. */
export const planFor = (machine: Machine, input: AutostartInput): AutostartPlan | { readonly why: Said } => {
  if (machine.platform === 'darwin') return launchdPlan(input, machine.launchdDomain?.(input) ?? 'gui');
  if (machine.platform === 'win32') return taskSchedulerPlan(input);
  if (machine.platform !== 'linux')
    return { why: say('There is no autostart for {platform} yet.', { platform: machine.platform }) };
  if (machine.systemd) return systemdPlan(input);
  const plan = xdgPlan(input);
  if (hasDesktop(input.environment) || plan.files.some(({ path }) => existsSync(path))) return plan;
  const line = `*/5 * * * * ${input.program.join(' ')} hook pass --max-age 10m`;
  return {
    why: joined(
      say('This machine was not started by systemd, and there is no desktop.'),
      say('With cron, a line like this does the same:\n{line}', { line }),
    ),
  };
};
