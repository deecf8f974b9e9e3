import { homedir } from 'node:os';
import { placesEnvironment } from '../agents/hooks/form/hook-script.ts';
import { ownCommand } from '../os/programs/own-command.ts';
import type { AutostartInput } from './autostart-plan.ts';

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
