/**
 * Returns why no browser is opened on this machine, in a few words, or null. Pure.
 * @param environment names that say where this runs
 */
export const whyNoBrowser = (
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): string | null => {
  const has = (name: string): boolean => (environment[name] ?? '') !== '';
  // Set by sshd: https://man.openbsd.org/ssh.1#ENVIRONMENT
  if (has('SSH_CONNECTION') || has('SSH_TTY')) return 'this is an SSH session';
  if (has('CI')) return 'this is a CI run';
  if (has('CODESPACES') || has('REMOTE_CONTAINERS')) return 'this is a remote container';
  if (platform !== 'linux') return null;
  if (has('DISPLAY') || has('WAYLAND_DISPLAY') || has('WSL_DISTRO_NAME')) return null;
  return 'there is no display';
};
