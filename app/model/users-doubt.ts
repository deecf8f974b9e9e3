import type { Said } from '../format/said.ts';
import { knownBy, type OwnerSign } from './owner-sign.ts';

/** Why the user may have given a process to a job. The codes never change: the ledger has them. */
export const usersDoubts = ['works-on-terminal', 'other-terminal', 'lacks-marks', 'asked-of-daemon'] as const;
export type UsersDoubtCode = (typeof usersDoubts)[number];

export interface UsersDoubt {
  readonly code: UsersDoubtCode;
  readonly pid: number;
  readonly parent: number;
}

const doubtSigns = {
  'works-on-terminal': 'process {pid} works on a terminal that process {parent}, which a tool call started, gave it',
  'other-terminal':
    'process {pid} has the environment of a terminal that process {parent}, which started it, does not have',
  'lacks-marks': 'process {pid} does not have the environment of process {parent}, which started it',
  'asked-of-daemon':
    'process {pid} was started by process {parent} after its tool call had returned: a client may have asked for it',
} as const satisfies Readonly<Record<UsersDoubtCode, OwnerSign>>;

const restarted = 'restarted-service';

/** Returns how the ledger keeps that a service of the user's was started again. */
export const restartedNote = (pid: number, port: number): string => `${restarted} ${pid} ${port}`;

/** Returns the form in which the ledger keeps a doubt. */
export const usersDoubtNote = ({ code, pid, parent }: UsersDoubt): string => `${code} ${pid} ${parent}`;

/**
 * Returns what a ledger kept of a doubt. An older one kept a sentence, which has no parts and is a
 * doubt all the same, as is whatever else stands there.
 */
export const usersDoubtNoted = (note: string): { readonly evidence: Said; readonly doubt?: UsersDoubt } => {
  const [first, pid, parent, ...more] = note.split(' ');
  const code = usersDoubts.find((one) => one === first);
  if (pid === undefined || parent === undefined || more.length > 0) return { evidence: note };
  if (first === restarted)
    return {
      evidence: knownBy('process {pid} listens on port {port} as the same command of the user did before', {
        pid,
        port: parent,
      }),
    };
  if (code === undefined) return { evidence: note };
  return {
    evidence: knownBy(doubtSigns[code], { pid, parent }),
    doubt: { code, pid: Number(pid), parent: Number(parent) },
  };
};
