import type { Reach, ReachState } from '../model/reach.ts';

/** What may be done about an agent in one state. */
export interface ReachActions {
  /** The user may end it by the button and by `curfew reap --agent-pid`. */
  readonly button: boolean;
  /** Whether Curfew may end it by itself: never, or where the user chose that. */
  readonly automatic: 'never' | 'opt-in';
  /** Listed in a section of its own; the rest only where all agents are listed. */
  readonly shown: boolean;
}

/**
 * The whole truth table. A state without a proof has no button: a process that may be in use is not
 * ended.
 */
export const reachActions: Readonly<Record<ReachState, ReachActions>> = {
  unreachable: { button: true, automatic: 'opt-in', shown: true },
  finishing: { button: false, automatic: 'never', shown: true },
  'closed-lately': { button: false, automatic: 'never', shown: true },
  'cut-off': { button: true, automatic: 'never', shown: true },
  held: { button: true, automatic: 'never', shown: true },
  detached: { button: true, automatic: 'never', shown: true },
  headless: { button: false, automatic: 'never', shown: false },
  service: { button: false, automatic: 'never', shown: true },
  reachable: { button: false, automatic: 'never', shown: false },
  unknown: { button: false, automatic: 'never', shown: false },
};

/** Whether the user may end an agent in this state. */
export const canEnd = ({ state }: Reach): boolean => reachActions[state].button;

/**
 * Whether Curfew may end it by itself where the user chose that: only what was seen to be out of
 * reach and quiet for the whole time.
 */
export const mayEndByItself = (reach: Reach): boolean =>
  reachActions[reach.state].automatic === 'opt-in' && reach.state === 'unreachable' && reach.settled && !reach.spinning;
