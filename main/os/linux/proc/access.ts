import type { PipeEnd } from '../../../../app/diagnose/probe.ts';

/**
 * Returns how a file was opened, from the octal `flags` of /proc/PID/fdinfo/FD, or null.
 * https://man7.org/linux/man-pages/man5/proc_pid_fdinfo.5.html
 */
export const accessIn = (fdinfo: string): PipeEnd['access'] | null => {
  const flags = /^flags:\t0*([0-7]+)$/mu.exec(fdinfo)?.[1];
  if (flags === undefined) return null;
  const mode = Number.parseInt(flags, 8) % 4;
  return mode === 0 ? 'read' : mode === 1 ? 'write' : 'both';
};
