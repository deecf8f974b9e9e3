import { delimiter } from 'node:path';
import { runBounded } from '../../programs/bounded-program.ts';
import { findProgram } from '../../programs/find-program.ts';

/** Where distributions install ss, searched after PATH: Debian, Fedora, NixOS, Guix. */
const usualFolders = [
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/run/current-system/sw/bin',
  '/run/current-system/profile/sbin',
  '/nix/var/nix/profiles/default/bin',
];

/** ss answers in milliseconds, also with thousands of connections. */
const patienceMs = 2000;
/** About 500,000 lines. */
const maxBytes = 67_108_864;

/**
 * Returns the output of iproute2's ss, or null if it is missing or the answer is incomplete. Never
 * throws. https://man7.org/linux/man-pages/man8/ss.8.html
 */
export const askSs = (args: readonly string[]): string | null => {
  const path = [process.env['PATH'] ?? '', ...usualFolders].filter(Boolean).join(delimiter);
  const found = findProgram('ss', path);
  if (!('file' in found)) return null;
  const { status, stdout } = runBounded({
    command: [found.file, ...args],
    environment: { PATH: path, LC_ALL: 'C' },
    timeoutMs: patienceMs,
    maxBytes,
  });
  return status === 0 ? stdout : null;
};
