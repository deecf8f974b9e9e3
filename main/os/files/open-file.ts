/** So many open files of a process are looked at. A process that leaks descriptors by the ten thousand would hold up every look. */
export const maxOpenFiles = 4_096;

const deletedSuffix = ' (deleted)';

/** What an open file is, without the suffix that the kernel appends for an unlinked one. */
export interface LinkTarget {
  readonly target: string;
  readonly deleted: boolean;
}

/**
 * Takes the kernel's suffix off. A file whose own name ends so is taken for deleted, too; telling the two apart would need a stat of the
 * file, and that can hang for ever on a network file system that went away.
 */
export const linkTarget = (link: string): LinkTarget =>
  link.startsWith('/') && link.endsWith(deletedSuffix)
    ? { target: link.slice(0, -deletedSuffix.length), deleted: true }
    : { target: link, deleted: false };
