import type { ProcessRow } from '../process/row.ts';

/**
 * Programs that take over processes whose parent has died: init of a system or container, the service manager of a user
 * (a subreaper), WSL's relay. https://man7.org/linux/man-pages/man2/PR_SET_CHILD_SUBREAPER.2const.html
 */
const adopterNames: ReadonlySet<string> = new Set([
  'systemd',
  'init',
  'tini',
  'dumb-init',
  'docker-init',
  'catatonit',
  's6-svscan',
  'runit',
  'openrc-init',
  'launchd',
  'Relay',
]);

/**
 * True for a process known to adopt orphans. False says nothing: anybody can make itself a subreaper and the kernel does not tell.
 * So "its parent is an adopter" is one hint among others, and never "its parent is pid 1".
 */
export const isAdopter = (row: ProcessRow): boolean => {
  if (row.pid === 1) return true;
  if (!adopterNames.has(row.comm)) return false;
  const executable = row.argv[0] ?? row.comm;
  return adopterNames.has(executable.slice(executable.lastIndexOf('/') + 1));
};
