import { programFile } from '../../paths/path.ts';
import type { ProcessRow } from '../../process/row.ts';

/**
 * Programs that run commands outside of a sandbox for what is inside of it, with the environment
 * that they are given. https://docs.flatpak.org/en/latest/flatpak-command-reference.html
 * (flatpak-spawn), https://github.com/1player/host-spawn,
 * https://distrobox.it/usage/distrobox-host-exec
 */
const brokers: ReadonlySet<string> = new Set([
  'flatpak-session-helper',
  'flatpak-portal',
  'flatpak-spawn',
  'host-spawn',
  'distrobox-host-exec',
]);

/** True for a broker: what it started has the marks of an agent whose pid means nothing outside. */
export const isBroker = ({ argv, comm }: Pick<ProcessRow, 'argv' | 'comm'>): boolean =>
  brokers.has(programFile(argv[0] ?? comm));
