/**
 * At most this many open files of a process are read. A process that leaks tens of thousands of
 * descriptors would delay every scan.
 */
export const maxOpenFiles = 4_096;

const deletedSuffix = ' (deleted)';

/** The target of an open file, without the kernel's suffix for an unlinked one. */
export interface LinkTarget {
  readonly target: string;
  readonly deleted: boolean;
}

/**
 * Removes the kernel's suffix. A file whose own name ends that way counts as deleted too: telling
 * the two apart needs a stat, which can hang for ever on a lost network file system.
 */
export const linkTarget = (link: string): LinkTarget =>
  link.startsWith('/') && link.endsWith(deletedSuffix)
    ? { target: link.slice(0, -deletedSuffix.length), deleted: true }
    : { target: link, deleted: false };
