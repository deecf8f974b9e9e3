import type { OpenFile } from '../../../../app/process/facts.ts';
import { linkTarget, maxOpenFiles } from '../../files/held-file.ts';

export interface LsofFacts {
  readonly cwd: string | null;
  readonly executable: string | null;
  readonly openFiles: readonly OpenFile[];
  readonly ports: readonly number[];
  readonly sockets: number;
  readonly locks: readonly string[];
}

/**
 * Fields d(escriptor), l(ock), t(ype), P(rotocol), n(ame), T(CP state), each ended by NUL.
 * https://lsof.readthedocs.io/en/latest/manpage/#output-for-other-programs
 */
interface File {
  readonly descriptor: string;
  readonly lock: string;
  readonly type: string;
  readonly protocol: string;
  readonly name: string;
  readonly state: string;
}

const fileIn = (line: string): File => {
  const fields = line.split('\0');
  const field = (letter: string): string => fields.find((one) => one.startsWith(letter))?.slice(letter.length) ?? '';
  return {
    descriptor: field('f'),
    lock: field('l'),
    type: field('t'),
    protocol: field('P'),
    name: field('n'),
    state: field('TST='),
  };
};

const isSocket = ({ type }: File): boolean => /^(IPv[46]|unix|sock|systm|inet)$/.test(type);

/** Returns the port on which a socket accepts connections or datagrams; null for connected ones. */
const listeningPort = ({ protocol, name, state }: File): number | null => {
  const port = /:(\d+)$/.exec(name)?.[1];
  if (port === undefined || name.includes('->')) return null;
  return state === 'LISTEN' || protocol === 'UDP' ? Number(port) : null;
};

const factsOf = (files: readonly File[]): LsofFacts => {
  const named = (descriptor: string): string | null =>
    files.find((file) => file.descriptor === descriptor)?.name ?? null;
  const open = files.filter(({ descriptor }) => /^\d+$/.test(descriptor));
  const sockets = open.filter(isSocket);
  const ports = sockets.map(listeningPort).filter((port) => port !== null);
  const locked = open.filter(({ lock, type }) => lock.trim() !== '' && type === 'REG').map(({ name }) => name);
  return {
    cwd: named('cwd'),
    executable: named('txt'),
    openFiles: open
      .slice(0, maxOpenFiles)
      .map(({ descriptor, name }) => ({ fd: Number(descriptor), ...linkTarget(name) })),
    ports: [...new Set(ports)].toSorted((a, b) => a - b),
    sockets: sockets.length - ports.length,
    locks: [...new Set(locked)],
  };
};

/**
 * Returns facts by pid from the output of lsof. A pid that is missing is gone or not visible to us.
 * Never throws.
 */
export const lsofFactsIn = (output: string): ReadonlyMap<number, LsofFacts> => {
  const facts = new Map<number, LsofFacts>();
  let pid: number | null = null;
  let files: File[] = [];
  const finish = (): void => {
    if (pid !== null) facts.set(pid, factsOf(files));
    files = [];
  };
  for (const line of output.split('\n')) {
    const process = /^p(\d+)\0/.exec(line)?.[1];
    if (process !== undefined) {
      finish();
      pid = Number(process);
    } else if (line.startsWith('f')) files.push(fileIn(line));
  }
  finish();
  return facts;
};
