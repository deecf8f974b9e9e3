import type { LinkTarget } from '../files/held-file.ts';

/** What was read of one process over there. Texts have one character a byte, as they came. */
export interface ObservedProcess {
  readonly pid: number;
  uid: number | null;
  stat: string | null;
  /** The start time read again at the end; null when it was gone, or another user's. */
  startAfter: string | null;
  readonly arguments: string[];
  readonly environment: string[];
  environmentReadable: boolean;
  /** Its environment has other than `NAME=…`: written over, see main/os/processes/environ.ts. */
  rewritten: boolean;
  /** The process that traces it; null for none. */
  tracer: number | null;
  cgroup: string | null;
  io: string | null;
  syscall: string | null;
  wchan: string | null;
  readonly links: Map<string, LinkTarget>;
  /** How descriptors were opened, as far as it is told. */
  readonly access: Map<number, 'read' | 'write' | 'both'>;
  /** Standard output and error, where they are the very file at the path that they name. */
  readonly held: Set<number>;
  /** Descriptors through which a lock is held. */
  readonly locks: Map<number, string>;
  /** Descriptors that are pipes with a name or, where that is all that is told, any pipe. */
  readonly pipes: Set<number>;
  readonly masters: Map<number, number>;
  /** Lines of its memory that is shared. */
  memory: string;
}

/** True for a zombie at the answer's end: its files can't be seen then, and it has none. */
export const hasEndedSince = (process: ObservedProcess | undefined): boolean => {
  const stat = process?.startAfter ?? '';
  return /^\) [ZX]/u.test(stat.slice(stat.lastIndexOf(')')));
};
