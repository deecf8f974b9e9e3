import type { AgentWork, Reach, ReachState, Unreached } from '../model/reach.ts';
import { visibleText } from '../format/visible.ts';
import { formatAge, formatLimit } from '../format/age.ts';
import { reachPatienceSeconds } from '../reach/memory.ts';

const words: Readonly<Record<ReachState, string>> = {
  unreachable: 'unreachable',
  finishing: 'finishing',
  'closed-lately': 'just closed',
  'cut-off': 'cut off',
  held: 'held',
  detached: 'detached',
  headless: 'headless',
  service: 'service',
  reachable: 'reachable',
  unknown: 'unknown',
};

/** Returns the state of an agent in one or two words. */
export const reachWord = (state: ReachState): string => words[state];

const proofs: Readonly<Record<Unreached, string>> = {
  'hung-up': 'its terminal is hung up, so no input can reach it',
  'client-gone': 'its client has closed both ends, so no input can reach it',
};

const works: Readonly<Record<AgentWork, string>> = {
  'input-output': 'it has read or written data',
  processor: 'it has used the processor',
  command: 'a command of it was at work',
  transcript: 'its transcript was written',
  'remote-control': 'it can be used from elsewhere (remote control)',
  connection: 'a client is, or may be, connected to it',
};

const patience = formatLimit(reachPatienceSeconds);

const finishing = (work: AgentWork): string =>
  work === 'remote-control' || work === 'connection'
    ? works[work]
    : `${works[work]} in the last ${patience}, so it may be finishing a turn`;

/** Says whether a user can reach an agent and why, as a sentence without a full stop. */
export const sayReach = (reach: Reach): string => {
  switch (reach.state) {
    case 'unreachable': {
      const quiet = reach.quietSeconds < 1 ? '' : `; quiet for ${formatAge(reach.quietSeconds)} as observed`;
      const spin = '; it uses the processor all the time, and reads and writes nothing';
      return `${proofs[reach.why]}${reach.spinning ? spin : quiet}`;
    }
    case 'finishing':
      return `${proofs[reach.why]}, but ${finishing(reach.work)}`;
    case 'closed-lately':
      return `its client closed both ends ${formatAge(reach.closedSeconds)} ago; ${patience} must pass before it counts as unreachable`;
    case 'cut-off':
      return 'its launcher is gone: it is in the background of a terminal, and no shell can bring it back';
    case 'held':
      return `no parent of it holds the other end of its input, but process ${reach.holder.pid} (${visibleText(reach.holder.name)}) does`;
    case 'detached':
      return `its terminal is kept by ${visibleText(reach.holder.name)} (process ${reach.holder.pid}), to which no client is attached`;
    case 'headless':
      return 'it writes to a file or another program and needs no user';
    case 'service':
      return 'it is a service of its agent, which runs without a terminal on purpose';
    case 'reachable':
      return 'a terminal or a client is connected to it';
    case 'unknown':
      return `it is unknown whether a user can reach it: ${visibleText(reach.why)}`;
  }
};

/** Says why an agent in this state is not ended, as a whole sentence; null: it may be. */
export const refuseEnd = (reach: Reach, ownEnd: string | null): string | null => {
  switch (reach.state) {
    case 'unreachable':
    case 'cut-off':
    case 'held':
    case 'detached':
      return null;
    case 'service':
      return ownEnd === null
        ? `Curfew does not signal it: ${sayReach(reach)}.`
        : `Curfew does not signal it: ${sayReach(reach)}. Its own command ends it: ${ownEnd}`;
    case 'finishing':
    case 'closed-lately':
    case 'headless':
    case 'reachable':
    case 'unknown':
      return `Curfew does not signal it: ${sayReach(reach)}.`;
  }
};
