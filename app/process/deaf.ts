import type { MemberFacts, OpenFile } from './facts.ts';

/** bash(1) keeps a script that it reads there. */
const scriptOfBash = 255;

const isMute = ({ fd, target }: OpenFile): boolean =>
  target === '/dev/null' || fd === scriptOfBash || ((fd === 1 || fd === 2) && !target.startsWith('socket:'));

/**
 * True for a process that no other can ask for anything by what it holds: it reads from nothing,
 * and has open only where it writes to. Not by signals and files that it looks for by name: that
 * takes time of the processor again and again.
 */
export const isDeaf = ({ openFiles, sockets, ports, furtherFiles }: MemberFacts): boolean =>
  openFiles !== null && furtherFiles !== true && sockets === 0 && ports.length === 0 && openFiles.every(isMute);
