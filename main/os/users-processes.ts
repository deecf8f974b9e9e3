import type { Pid } from '../../app/process/identity.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { closeInheritedFiles } from './linux/control/inherited-files.ts';
import { mountHidesOthers } from './linux/proc/boot.ts';
import { LinuxSource } from './linux/source.ts';

const none: ReadonlySet<Pid> = new Set();

/**
 * The process table of all users: names, owners and arguments, which every user of a machine may
 * read. No environment is read, no file of a user is opened, and nothing can be signalled.
 */
export interface UsersProcesses {
  /** @throws ProcessTableUnreadable */
  readonly scan: () => ProcessTable;
  /** True where /proc hides the processes of others, even from root without CAP_SYS_PTRACE. */
  readonly mayHide: () => boolean;
}

/**
 * Opens the processes of all users, and closes what this process inherited, so that no child of it
 * gets a file that root had open. Linux only.
 * @throws ProcessTableUnreadable
 */
export const openUsersProcesses = (): UsersProcesses => {
  closeInheritedFiles();
  const source = new LinuxSource({ environmentNames: [], uid: 0 });
  return { scan: () => source.scan(none), mayHide: mountHidesOthers };
};
