import type { CommandLauncher } from './programs/command-launcher.ts';
import { openLibc } from './linux/control/libc.ts';
import { SubreaperLauncher } from './linux/control/subreaper.ts';
import { NodeLauncher } from './programs/node-launcher.ts';

/** Whether `curfew run` adopts what its command leaves behind on this machine, or why not. */
export const runsHaveSubreaper = (): true | { readonly reason: string } => {
  const libc = openLibc();
  return 'reason' in libc ? { reason: libc.reason } : true;
};

/** The best way of starting a command that this machine has. On Linux with koffi this process becomes a subreaper by calling it. */
export const openLauncher = (): CommandLauncher => {
  const libc = openLibc();
  return 'reason' in libc ? new NodeLauncher() : new SubreaperLauncher(libc);
};
