import type { PossibleClient } from '../../../../app/jobs/measure/clients.ts';
import type { OpenFile } from '../../../../app/process/facts.ts';
import { linkTarget, maxOpenFiles } from '../../files/held-file.ts';
import type { AskedProcess } from '../../processes/probing.ts';

export interface LsofFacts {
  readonly openFiles: readonly OpenFile[];
  readonly ports: readonly number[];
}

/**
 * Fields d(escriptor), t(ype), P(rotocol), n(ame), T(CP state), each ended by NUL.
 * https://lsof.readthedocs.io/en/latest/manpage/#output-for-other-programs
 */
interface File {
  readonly descriptor: string;
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
  const open = files.filter(({ descriptor }) => /^\d+$/.test(descriptor));
  const ports = open
    .filter(isSocket)
    .map(listeningPort)
    .filter((port) => port !== null);
  return {
    openFiles: open
      .slice(0, maxOpenFiles)
      .map(({ descriptor, name }) => ({ fd: Number(descriptor), ...linkTarget(name) })),
    ports: [...new Set(ports)].toSorted((a, b) => a - b),
  };
};

/** Returns facts by pid from lsof's output. A missing pid is gone or not visible. Never throws. */
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

const unknown = (at: string): PossibleClient => ({ by: 'unknown', at, from: null, peers: null });

const portOf = (address: string): number => Number(address.slice(address.lastIndexOf(':') + 1));

/**
 * Returns the connections to a process as lsof names them: by both ends,
 * `10.0.0.5:52011->10.0.0.7:443`. An accepted local socket has its listener's path (unp_connect of
 * the BSDs copies it), so a path that is open more than once may be a connection. Standard output
 * and standard error are often one file.
 */
export const servedAsLsofTells = ({ files, ports }: AskedProcess): readonly PossibleClient[] => {
  if (files === null) return [unknown('its open files can not be seen')];
  const overNetwork = files.flatMap(({ target }): readonly PossibleClient[] => {
    const [, local = '', remote = ''] = /^(\S{1,300}:\d{1,5})->(\S{1,300}:\d{1,5})$/u.exec(target) ?? [];
    if (local === '' || !ports.has(portOf(local))) return [];
    return [{ by: 'connection', at: `port ${portOf(local)}`, from: remote, peers: null }];
  });
  const paths = files.flatMap(({ fd, target }) => (fd > 2 && target.startsWith('/') ? [target] : []));
  const twice = paths.find((path, at) => paths.indexOf(path) < at);
  return twice === undefined ? overNetwork : [...overNetwork, unknown(twice)];
};
