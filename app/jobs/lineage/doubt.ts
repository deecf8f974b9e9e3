import type { SaidByKey } from '../../format/said.ts';
import { knownBy } from '../../model/owner-sign.ts';
import type { Claim } from '../../agents/common/claim.ts';
import { signatureOf } from '../../agents/signatures.ts';
import { asPid } from '../../process/identity.ts';
import { type ProcessRow, hasEnded } from '../../process/row.ts';
import { ownerPidOf } from './claims.ts';
import type { Cluster } from './cluster.ts';
import type { Surroundings } from './evidence.ts';
import type { Root } from './root.ts';
import type { TableView } from './table-view.ts';
import { type AgentWitness, type DoubtfulWitness, type OpenedWitness, claimKey } from './witness.ts';

/*
 * Marks in an environment are inherited, and say only that an agent was somewhere above. Here is
 * what shows that a user may stand in between: the user works in a terminal or an editor that a
 * tool call opened, or a file brought the marks into the user's own shell.
 */

export interface DoubtInput extends TableView {
  readonly doubted: readonly DoubtfulWitness[];
  readonly agents: readonly AgentWitness[];
  readonly opened: readonly OpenedWitness[];
  /** Start of the first process of the user's that carries a claim, in ticks, by `claimKey`. */
  readonly usersSince: ReadonlyMap<string, number>;
  /** Living processes of every user that carry no claim, the youngest first; worked out once. */
  readonly unmarked: () => readonly ProcessRow[];
}

/** Maximum of processes asked for their unit to learn if one existed before its marks. */
const maxUnitMates = 64;

/** An agent that marks all children (opencode) has helpers in the group its shell made for it. */
const isInAgentsGroup = (row: ProcessRow, claim: Claim): boolean => Number(row.pgid) === Number(ownerPidOf(claim) ?? 0);

/**
 * True for what `nohup x &` leaves in a terminal: a process group that isn't the session leader's.
 * A shell makes such groups only where a user types into it (job control, bash(1)); a tool shell's
 * commands stay in its own group. False where the session is known as a tool call's: a look saw it,
 * or its living leader carries the marks. 0 stands for ids of another pid namespace.
 */
const isJobControlled = (input: DoubtInput, { entry }: Cluster, { row }: Root, claim: Claim): boolean => {
  if (Number(row.sid) === 0 || Number(row.pgid) === 0 || Number(row.pgid) === Number(row.sid)) return false;
  if (signatureOf(claim.agent).ownGroups || isInAgentsGroup(row, claim)) return false;
  if (entry?.kernelSessions.includes(Number(row.sid)) === true) return false;
  const leader = input.tree.row(asPid(Number(row.sid)));
  if (leader === undefined || hasEnded(leader)) return true;
  const { claims, isUserProgram } = input.profileOf(leader);
  return isUserProgram || claims.length === 0;
};

/** The processes that may be the agent of a claim, as far as Curfew ever saw them. */
const possibleOwners = (input: DoubtInput, { row }: Root, claim: Claim): readonly AgentWitness[] => {
  const owner = ownerPidOf(claim);
  return input.agents.filter(
    (one) => one.startTicks <= row.startTicks && (owner === null ? one.agent === claim.agent : one.pid === owner),
  );
};

/** A program of the user carried these marks at the start: the user may have started it there. */
const hasOpenedProgram = (input: DoubtInput, { row }: Root, claim: Claim): boolean => {
  const key = claimKey(claim);
  return (
    (input.usersSince.get(key) ?? Number.POSITIVE_INFINITY) < row.startTicks ||
    input.opened.some(
      ({ claims, startTicks, endedTicks }) =>
        claims.includes(key) && startTicks <= row.startTicks && (endedTicks === null || row.startTicks <= endedTicks),
    )
  );
};

/** Its terminal is none of its possible agents', or no look saw its agent to compare. */
export const isElsewhereInTerminals = (
  { terminal }: Pick<Surroundings, 'terminal'>,
  owners: readonly AgentWitness[],
): boolean =>
  terminal !== null &&
  terminal.length > 0 &&
  !owners.some((owner) => terminal.every((mark) => owner.terminal?.includes(mark) === true));

/**
 * True for a unit of its own under the service manager. A unit with an older process without marks
 * contained the agent, or something above it. One of which all processes carry the marks was
 * started with them (`dbus-update-activation-environment --systemd --all`).
 */
const isInOwnUnit = (input: DoubtInput, { row }: Root, { unit }: Surroundings, owners: readonly AgentWitness[]) => {
  if (unit === null || owners.some((owner) => owner.unit === unit)) return false;
  if (owners.some((owner) => owner.unit !== null)) return true;
  let asked = 0;
  for (const one of input.unmarked()) {
    if (one.startTicks >= row.startTicks || one.uid !== row.uid) continue;
    if (input.evidence.surroundings(one).unit === unit) return false;
    if (++asked === maxUnitMates) break;
  }
  return true;
};

const doubtOfClaim = (input: DoubtInput, cluster: Cluster, root: Root, claim: Claim): SaidByKey | null => {
  if (isJobControlled(input, cluster, root, claim))
    return knownBy('its process group is one that a shell makes for what a user types');
  if (hasOpenedProgram(input, root, claim))
    return knownBy('a program in which a user works carried the same marks when it was started');
  const owners = possibleOwners(input, root, claim);
  const surroundings = input.evidence.surroundings(root.row);
  if (isElsewhereInTerminals(surroundings, owners))
    return knownBy('its environment names a terminal that its agent is not known to have');
  if (surroundings.onTerminal && input.evidence.signature(claim.agent)?.toolShells === 'child-session')
    return knownBy('its standard input or output is a terminal');
  if (isInOwnUnit(input, root, surroundings, owners))
    return knownBy('the service manager keeps it in a unit that is not known to be of its agent');
  return null;
};

/**
 * True for a root that only marks name and that began after every agent it could be of had ended,
 * as looks saw: it descends from a member of a known job, or from no tool call.
 */
export const beganAfterAgents = (input: DoubtInput, { entry }: Cluster, root: Root): boolean => {
  const { row, proof, lineage } = root;
  if (proof.kind !== 'claim' || root.endsLineage || lineage.end !== null) return false;
  // A job that is known goes on forking in its own kernel session when its agent has ended.
  if (entry?.kernelSessions.includes(Number(row.sid)) === true) return false;
  const owners = possibleOwners(input, root, proof.claim);
  return owners.length > 0 && owners.every(({ endedTicks }) => endedTicks !== null && endedTicks < row.startTicks);
};

/** Returns why the user may have started a root only named by marks, as evidence; null: nothing. */
export const doubtOf = (input: DoubtInput, cluster: Cluster, root: Root): SaidByKey | null => {
  if (root.endsLineage || root.lineage.end !== null) return null;
  const { row, proof } = root;
  const isDoubted = input.doubted.some(
    ({ pid, startTicks, sid }) =>
      (pid === Number(row.pid) && startTicks === row.startTicks) || (sid !== 0 && sid === Number(row.sid)),
  );
  if (isDoubted) return knownBy('an earlier look saw that a user may have started it');
  return proof.kind === 'claim' ? doubtOfClaim(input, cluster, root, proof.claim) : null;
};
