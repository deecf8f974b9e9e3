import type { SaidByKey } from '../../format/said.ts';
import { type Pid, asPid, identityKey, type IdentityKey } from '../../process/identity.ts';
import { hasEnded, mayStillLive, type ProcessRow } from '../../process/row.ts';
import { identityOf } from '../../process/table.ts';
import type { Cluster } from './cluster.ts';
import { daemonsOf, type Daemons } from './daemons.ts';
import { beganAfterAgents, doubtOf } from './doubt.ts';
import type { Root } from './root.ts';
import type { TableView } from './table-view.ts';
import { type AgentWitness, type Witness, claimKey } from './witness.ts';
import { callGroupWitnesses, type CallGroupWitness, type Doubts } from './witness-kernel.ts';
import { agentsSeen, openedSeen, witnessesAfter } from './witnesses.ts';
import { sameClaim } from './claims.ts';
import { isInheritedFromUser } from './inherited-markers.ts';
import { lineageOf } from './lineage.ts';
import { endsLineage } from './profile.ts';

export interface UserStartedInput extends TableView {
  /** What it gave at the look before, as far as it is remembered. */
  readonly before: ReadonlySet<IdentityKey>;
  /** Kernel sessions of what it gave before. */
  readonly sessions: ReadonlySet<number>;
}

/**
 * Returns the marked processes that the user started: seen in a program which a tool call opened
 * for the user and which handed the markers on, below a daemon that runs what it is asked to, or in
 * the kernel session of the user's own shell, where a file or a profile had set them (direnv,
 * `export`); on Windows below any program of the user. That stays so when the terminal is closed or
 * the program has ended, which leaves no other sign of it. Includes what they start in turn, and
 * what shares their kernel session.
 */
export const userStartedProcesses = (input: UserStartedInput): ReadonlySet<IdentityKey> => {
  const { table, tree, profileOf, ledger, before, sessions } = input;
  const keyOf = (row: ProcessRow): IdentityKey => identityKey(identityOf(table, row));
  const found = new Set<IdentityKey>();
  /** A program in a tool shell's kernel session is part of that call as long as it goes on. */
  const isInCall = (row: ProcessRow): boolean => {
    const leader = tree.row(asPid(Number(row.sid)));
    return leader !== undefined && profileOf(leader).claims.some((claim) => claim.shell !== null);
  };
  for (const row of table.rows.values()) {
    const profile = profileOf(row);
    // The user's program itself is remembered for what it starts; a veto protects it.
    const isProgram = profile.isUserProgram && profile.program === null;
    if (before.size > 0 && before.has(keyOf(row)) && !isProgram) found.add(keyOf(row));
    if (profile.claims.length === 0 || endsLineage(profile) || profile.claims.some((claim) => claim.shell !== null))
      continue;
    const { end, chain } = lineageOf(input, row);
    const isBelowUserProgram = end !== null && end.program === null;
    const isOpenedByCall =
      isBelowUserProgram &&
      !isInCall(end.row) &&
      profile.claims.every((claim) => end.claims.some((other) => sameClaim(other, claim)));
    // A session is only ever inherited: whatever has the one of the shell above it was started in
    // it, and not merely adopted by it.
    const isTypedIn = isBelowUserProgram && Number(end.row.sid) === Number(end.row.pid) && row.sid === end.row.sid;
    const isCutOff = end === null && profile.claims.every((claim) => isInheritedFromUser(input, row, claim));
    const isBelowOne = before.size > 0 && chain.some((ancestor) => before.has(keyOf(ancestor)));
    const isBesideOne = sessions.has(Number(row.sid)) && (end === null || end.program === null) && !isInCall(row);
    // Windows gives no process another parent, and forgets that one when it ends.
    const isBelowForGood = row.windows !== undefined && isBelowUserProgram && !isInCall(end.row);
    if (!isOpenedByCall && !isTypedIn && !isBelowForGood && !isCutOff && !isBelowOne && !isBesideOne) continue;
    if (ledger.byIdentity(row) === null) found.add(keyOf(row));
  }
  return found;
};

export interface BystandersInput extends TableView {
  readonly before: readonly Witness[];
}

export interface Bystanders {
  readonly isUserStarted: (row: ProcessRow) => boolean;
  /** See `doubtOf`. What is doubted once is among the witnesses from then on. */
  readonly doubtAbout: (cluster: Cluster, root: Root) => SaidByKey | null;
  /** Agents that live, or that a look of this boot saw. */
  readonly agents: readonly AgentWitness[];
  readonly isLate: (cluster: Cluster, root: Root) => boolean;
  /** What is doubted once is among the witnesses from then on. */
  readonly doubts: Doubts;
  readonly daemons: Daemons;
  readonly callGroupOf: (row: ProcessRow) => CallGroupWitness | null;
  /** What to remember, asked when all roots were doubted that are to be. */
  readonly witnesses: () => readonly Witness[];
}

/** Since when each claim is on a process of the user's, in ticks, by `claimKey`. */
const usersSince = (
  { table, profileOf }: BystandersInput,
  isUserStarted: (row: ProcessRow) => boolean,
): ReadonlyMap<string, number> => {
  const first = new Map<string, number>();
  for (const row of table.rows.values()) {
    if (!isUserStarted(row)) continue;
    for (const claim of profileOf(row).claims) {
      const key = claimKey(claim);
      first.set(key, Math.min(first.get(key) ?? row.startTicks, row.startTicks));
    }
  }
  return first;
};

const unmarkedOf = ({ table, profileOf }: BystandersInput): readonly ProcessRow[] =>
  [...table.rows.values()]
    .filter((row) => !row.kernelThread && !hasEnded(row) && profileOf(row).claims.length === 0)
    .toSorted((left, right) => right.startTicks - left.startTicks);

/** Tells the user's processes from those that only carry the same marks. */
export const bystandersOf = (input: BystandersInput): Bystanders => {
  const { table, before } = input;
  const users = before.filter((one) => one.kind === 'user');
  const started = userStartedProcesses({
    ...input,
    before: new Set(
      users.map(({ pid, startTicks }) => identityKey({ bootId: table.bootId, pid: asPid(pid), startTicks })),
    ),
    sessions: new Set(users.map(({ sid }) => sid).filter((sid) => sid !== 0)),
  });
  const isUserStarted = (row: ProcessRow): boolean =>
    started.size > 0 && started.has(identityKey(identityOf(table, row)));
  const agents = agentsSeen(input);
  const groupOf = callGroupWitnesses(input.evidence, agents, [], 'all');
  const opened = openedSeen(input, (row) => groupOf(row)?.group ?? null);
  const callGroupOf = callGroupWitnesses(input.evidence, agents, opened);
  // What could be asked for another may have cleared its environment.
  const mayBeIn = callGroupWitnesses(input.evidence, agents, opened, 'all');
  let unmarked: readonly ProcessRow[] | null = null;
  const daemons = daemonsOf(
    input,
    (row) => mayBeIn(row)?.group ?? null,
    agents.some(({ callGroup }) => callGroup !== undefined),
  );
  const earlier = before.filter((one) => one.kind === 'doubtful');
  const doubting = {
    ...input,
    doubted: earlier,
    agents,
    opened,
    usersSince: usersSince(input, isUserStarted),
    unmarked: () => (unmarked ??= unmarkedOf(input)),
  };
  const doubted = new Map<Pid, ProcessRow>();
  return {
    isUserStarted,
    agents,
    callGroupOf,
    daemons,
    doubts: {
      has: (row) => doubted.has(row.pid) || earlier.some((one) => one.pid === row.pid && mayStillLive(row, one)),
      note: (row) => void doubted.set(row.pid, row),
    },
    isLate: (cluster, root) => beganAfterAgents(doubting, cluster, root),
    doubtAbout: (cluster, root) => {
      const doubt = doubtOf(doubting, cluster, root);
      if (doubt !== null) doubted.set(root.row.pid, root.row);
      return doubt;
    },
    witnesses: () => witnessesAfter(input, { agents, opened, daemons: daemons.witnesses(), isUserStarted, doubted }),
  };
};
