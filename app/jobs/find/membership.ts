import { type Pid, asPid } from '../../process/identity.ts';
import { type ProcessRow, hasEnded } from '../../process/row.ts';
import { sameClaim } from '../lineage/claims.ts';
import type { Cluster } from '../lineage/cluster.ts';
import type { Member, MembershipEvidence } from '../../model/job.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import { endsLineage, type ProcessProfile } from '../lineage/profile.ts';
import type { Root } from '../lineage/root.ts';
import type { TableView } from '../lineage/table-view.ts';

const proofOf = (root: Root): MembershipEvidence => {
  switch (root.proof.kind) {
    case 'claim':
      return root.proof.claim.marker === null ? 'tree' : 'env';
    case 'output':
      return 'output';
    case 'ledger':
      return 'ledger';
    case 'parent':
    case 'rule':
      return 'tree';
  }
};

export interface Exclusions {
  /** Processes that already belong to an older job of this look. */
  readonly taken: Pick<ReadonlySet<Pid>, 'has'>;
  /** True for what the user started, and for what belongs to a run. */
  readonly isExcluded: (row: ProcessRow) => boolean;
}

/** The processes of a job, and the process groups and kernel sessions that are the job's alone. */
export interface Membership {
  readonly members: readonly Member[];
  readonly groups: readonly number[];
  readonly kernelSessions: readonly number[];
}

/**
 * All living processes of a job, roots first: by parentage, by process group and kernel session, by
 * the ledger.
 *
 * An agent inside is a member, so that its veto protects the whole job, but what it started is its
 * own. The user's program is a member while it shares the job's kernel session; one with a session
 * of its own (a multiplexer's server, an agent for keys) has left it.
 */
export const membershipOf = (view: TableView, cluster: Cluster, { taken, isExcluded }: Exclusions): Membership => {
  const { tree, profileOf, ledger } = view;
  const groups = new Set<number>();
  const kernelSessions = new Set<number>();
  /**
   * Agents and programs of the user in kernel sessions that are not the job's own and have no
   * leader, by session: looked for once in each.
   */
  const strange = new Map<number, readonly ProcessRow[]>();
  const found = new Map<Pid, { row: ProcessRow; by: Set<MembershipEvidence> }>();
  const queue: ProcessRow[] = [];
  const add = (row: ProcessRow, by: MembershipEvidence): void => {
    if (taken.has(row.pid) || hasEnded(row) || row.kernelThread || row.pid === 1 || isExcluded(row)) return;
    const member = found.get(row.pid);
    if (member !== undefined) {
      member.by.add(by);
      return;
    }
    found.set(row.pid, { row, by: new Set([by]) });
    queue.push(row);
  };
  /**
   * A group or session is the job's own when its leader is a member, or has ended and the ledger
   * remembers it as the job's. Without a leader and a memory it may as well be the one of a
   * terminal or script in which the agent itself was started, so that only those in it who carry
   * the agent's marks are found, each by its own. 0 is what a pid namespace shows for what was made
   * outside: no group, and not one for all who have it. pid_namespaces(7)
   */
  const isOwn = (id: number, remembers: () => LedgerEntry | null): boolean => {
    if (id === 0) return false;
    const leader = tree.row(asPid(id));
    if (leader !== undefined) return found.has(leader.pid) && !endsLineage(profileOf(leader));
    return cluster.entry !== null && remembers() === cluster.entry;
  };
  const strangeIn = ({ sid }: ProcessRow): readonly ProcessRow[] => {
    let rows = strange.get(sid);
    if (rows === undefined) {
      rows = tree.row(asPid(sid)) === undefined ? tree.session(sid).filter((mate) => endsLineage(profileOf(mate))) : [];
      strange.set(sid, rows);
    }
    return rows;
  };
  /**
   * An agent or a program of the user that came out of the same call into the same kernel session,
   * of which the leader has ended. What it started can't be told from what the call left there, so
   * it protects all of it, as it did while the shell lived. Asked for every member: what was found
   * first may have lost its marks (`env -i`).
   */
  const isKindred = (mate: ProcessRow, { claims }: ProcessProfile): boolean =>
    profileOf(mate).claims.some((claim) => claims.some((own) => sameClaim(own, claim)));
  for (const root of cluster.roots) add(root.row, proofOf(root));
  for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
    const profile = profileOf(row);
    if (endsLineage(profile)) continue;
    if (profile.claims.some((claim) => claim.marker !== null)) found.get(row.pid)?.by.add('env');
    for (const child of tree.children(row.pid)) {
      const leftTheJob = profileOf(child).isUserProgram && Number(child.sid) !== Number(row.sid);
      if (!leftTheJob) add(child, 'tree');
    }
    if (!groups.has(row.pgid) && isOwn(row.pgid, () => ledger.byGroup(row))) {
      groups.add(row.pgid);
      for (const mate of tree.group(row.pgid)) add(mate, 'group');
    }
    if (kernelSessions.has(row.sid)) continue;
    if (isOwn(row.sid, () => ledger.bySession(row))) {
      kernelSessions.add(row.sid);
      // A session without a leader can only be the ledger's.
      const by = tree.row(asPid(row.sid)) === undefined ? 'ledger' : 'group';
      for (const mate of tree.session(row.sid)) add(mate, by);
    } else {
      for (const mate of strangeIn(row)) if (isKindred(mate, profile)) add(mate, 'env');
    }
  }
  return {
    members: [...found.values()].map(({ row, by }) => ({ row, by: [...by] })),
    groups: [...groups],
    kernelSessions: [...kernelSessions],
  };
};
