import { type CommandLauncher, NodeLauncher } from './programs/command-launcher.ts';
import { openLibc } from './linux/control/libc.ts';
import { SubreaperLauncher } from './linux/control/subreaper.ts';

/** Returns whether `curfew run` adopts orphans of its command on this machine, or why not. */
export const runsHaveSubreaper = (): true | { readonly reason: string } => {
  const libc = openLibc();
  return 'reason' in libc ? { reason: libc.reason } : true;
};

/** Returns the best launcher here. On Linux with koffi it makes this process a subreaper. */
export const openLauncher = (): CommandLauncher => {
  const libc = openLibc();
  return 'reason' in libc ? new NodeLauncher() : new SubreaperLauncher(libc);
};
