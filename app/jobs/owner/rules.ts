import { knownBy } from '../../model/owner-sign.ts';
import type { Owner } from '../../model/job.ts';
import { isTakenOver, namedLives, seenLives } from './living.ts';
import {
  claimantLives,
  hasInnerAgent,
  hasUnclearRegistry,
  hasUnlistedAgent,
  hasUnsureEntry,
  hidesProcesses,
  launcherLives,
  mayGoOnAsOther,
  mayGoOnElsewhere,
  starterLives,
  isOfNamespace,
  isOfBroker,
  isOfSharedServer,
  isUnderStranger,
  mayBeAnothers,
  sharesGroup,
} from './could-live.ts';
import {
  couldOwnEnded,
  endsClosed,
  groupLeaderEnded,
  isLike,
  registryTells,
  seenEnded,
  shellLostAgent,
  wasGone,
} from './ended.ts';
import { unproved } from './answers.ts';
import type { OwnerWorld, Subject } from './world.ts';

type Rule = (world: OwnerWorld, subject: Subject) => Owner | null;

const both: readonly Subject['kind'][] = ['command', 'server'];
const commands: readonly Subject['kind'][] = ['command'];
const servers: readonly Subject['kind'][] = ['server'];

/**
 * The rules of whose a job is, in order: the first that answers counts. What ends is the session,
 * not the process last seen with it. So first comes what lives, then all that could live or can't
 * be looked into, then the positive proofs of an end. What none of them answers is unproved.
 *
 * A server is its process's that holds its ends and not its session's: another process that takes
 * the session over starts servers of its own.
 */
const ownerRules: readonly (readonly [of: readonly Subject['kind'][], rule: Rule])[] = [
  // What lives.
  [both, seenLives],
  [both, namedLives],
  [commands, isTakenOver],
  // What could live.
  [both, hidesProcesses],
  [both, hasUnsureEntry],
  [commands, claimantLives],
  [commands, launcherLives],
  [commands, starterLives],
  [commands, hasUnclearRegistry],
  [commands, hasUnlistedAgent],
  [commands, mayGoOnElsewhere],
  [commands, mayGoOnAsOther],
  [commands, hasInnerAgent],
  [both, isOfNamespace],
  [both, isOfBroker],
  [both, isOfSharedServer],
  [commands, isUnderStranger],
  [commands, mayBeAnothers],
  [servers, sharesGroup],
  // What has ended.
  [both, seenEnded],
  [both, registryTells],
  [commands, isLike],
  [commands, shellLostAgent],
  [commands, wasGone],
  [commands, couldOwnEnded],
  [servers, groupLeaderEnded],
  [servers, endsClosed],
];

/** Whose one thing is, by the first rule that answers. */
export const decide = (world: OwnerWorld, subject: Subject): Owner => {
  for (const [of, rule] of ownerRules) {
    const owner = of.includes(subject.kind) ? rule(world, subject) : null;
    if (owner !== null) return owner;
  }
  const { named } = subject;
  return unproved(
    named === null
      ? knownBy('nothing is left that could be its agent, and nothing proves that its session has ended')
      : knownBy('no process has pid {named}, which its marks name, and nothing proves that its session has ended', {
          named,
        }),
  );
};
