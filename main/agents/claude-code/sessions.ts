import { codeOf } from '../../../app/format/error-message.ts';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { RegistryReader, RegistryMachine } from '../common/session-registry.ts';
import { adoptionsByOpenFiles, ClaudeAdoptions } from './adoptions.ts';
import { ClaudeRegistry } from './registry.ts';
import { ClaudeTranscripts } from './transcripts.ts';

const machineIdHere = (): string => {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim();
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return '';
  }
};

/**
 * The machine and pid namespace in which pids of a process table mean something, as Claude Code
 * writes it: `linux:<machine id>:pid:[<inode>]`, an empty machine id where there is none, and plain
 * `linux` on macOS; `win32:<host>` on Windows, so that a Curfew there takes no session in WSL for
 * one of its own, nor the other way round (read in 2.1.329). The inode of the first namespace is
 * the same on every Linux machine, so a home folder shared between machines needs the machine id as
 * well. null: unknown.
 */
export const pidDomainOf = ({
  platform,
  machineId,
  pidNamespace,
}: Pick<RegistryMachine, 'platform' | 'machineId' | 'pidNamespace'>): string | null => {
  if (platform === 'darwin') return 'linux';
  if (platform === 'win32') return `win32:${hostname().toLowerCase()}`;
  const inode = platform === 'linux' && pidNamespace !== null ? /\d+/.exec(pidNamespace)?.[0] : undefined;
  if (inode === undefined) return null;
  return `linux:${machineId ?? machineIdHere()}:pid:[${inode}]`;
};

/** Claude Code's sessions: registry, the daemon's notes, transcripts and open files. */
export const claudeCodeSessions: RegistryReader = {
  open: (machine) => {
    const { uid, files } = machine;
    const registry = new ClaudeRegistry(uid, pidDomainOf(machine), files);
    const adoptions = new ClaudeAdoptions(uid, files);
    const transcripts = new ClaudeTranscripts(files);
    return {
      read: ({ table, folders, holders, opaque, nowMs, namedInside }) => {
        const { sessions, complete, unclear } = registry.read(folders, table, namedInside);
        const adopted = [...adoptionsByOpenFiles(table, holders), ...adoptions.byRoster(folders, table)];
        const kept = adoptions.handedOver(folders, nowMs);
        return {
          sessions,
          complete: complete && !opaque,
          unclear: [...unclear, ...adoptions.unclear],
          adoptions: adopted,
          kept,
        };
      },
      hasTranscript: (folders, session) => transcripts.has(folders, session),
    };
  },
  showsInOpenFiles: true,
};
