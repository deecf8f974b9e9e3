/**
 * Programs that take over processes whose parent has died: init of a system or container, the
 * service manager of a user (a subreaper), WSL's relay.
 * https://man7.org/linux/man-pages/man2/PR_SET_CHILD_SUBREAPER.2const.html
 */
export const adopterNames: readonly string[] = [
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
];
