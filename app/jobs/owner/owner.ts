import type { Claim } from '../../agents/common/claim.ts';
import { ownerPidOf, sessionOf } from '../lineage/claims.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { Cluster } from '../lineage/cluster.ts';
import type { Owner } from '../model/job.ts';
import type { OwnerInput } from './owner-process.ts';
import { goneBefore } from '../ledger/ledger.ts';
import { begunTicksOf, gone, live, ofNamed, ofRecorded, successor, unknown } from './owner-process.ts';
import { ofMarkerAlone, ofSession } from './owner-session.ts';
import type { Root } from '../lineage/root.ts';

/** True for what the ledger knows as a member of the job. */
const isPartOf =
  ({ entry }: Cluster) =>
  (row: ProcessRow): boolean =>
    entry?.members.some(({ pid, startTicks }) => pid === row.pid && startTicks === row.startTicks) === true;

const ofClaim = (input: OwnerInput, cluster: Cluster, root: Root, claim: Claim): Owner => {
  if (claim.shell?.elsewhere === true) return unknown('its agent runs on another machine');
  const session = sessionOf(claim) ?? cluster.output?.match.session ?? cluster.entry?.session ?? null;
  const pid = ownerPidOf(claim);
  const begunTicks = begunTicksOf(root, cluster.entry);
  const recorded = cluster.entry?.agent === claim.agent ? cluster.entry.owner : null;
  // An owner that was seen is known by pid and start time; the marker's pid alone may be another
  // process by now.
  if (recorded !== null && (pid === null || pid === recorded.pid))
    return ofRecorded(input, claim.agent, session, recorded, root, begunTicks, isPartOf(cluster));
  if (claim.marker?.kind === 'tool' && claim.marker.sandboxed === true)
    return successor(input, claim.agent, session) ?? unknown('its marks were made in a sandbox with pids of its own');
  if (pid !== null) {
    const named = ofNamed(input, claim.agent, session, pid, root, begunTicks);
    // At an earlier look another part of the job had an owner that lives: an agent within it, whose
    // own calls say nothing by themselves any more.
    return recorded === null
      ? named
      : safest([named, ofRecorded(input, claim.agent, session, recorded, root, begunTicks, isPartOf(cluster))]);
  }
  if (claim.marker?.kind === 'bare') return unknown('its marker names no session');
  return session === null
    ? ofMarkerAlone(input, cluster, claim.agent, root)
    : ofSession(input, cluster, claim.agent, session, root);
};

const ofRoot = (input: OwnerInput, cluster: Cluster, root: Root): Owner => {
  const { end } = root.lineage;
  if (end?.program != null) return live(input, end.row, `agent process ${end.row.pid} is running`);
  switch (root.proof.kind) {
    case 'claim':
      return safest([root.proof.claim, ...root.proof.others].map((claim) => ofClaim(input, cluster, root, claim)));
    case 'ledger':
    case 'output': {
      const agent = root.proof.kind === 'output' ? root.proof.output.agent : root.proof.entry.agent;
      const session =
        (root.proof.kind === 'output' ? root.proof.output.match.session : root.proof.entry.session) ?? null;
      const recorded = cluster.entry?.owner ?? null;
      // What is left carries less than what went before it did: an owner that was known to be gone
      // does not come back by that.
      if (cluster.entry !== null && cluster.entry.ownerGoneSinceMs !== null)
        return successor(input, agent, session) ?? gone('its session had ended when the rest of it was still there');
      if (recorded !== null)
        return ofRecorded(input, agent, session, recorded, root, begunTicksOf(root, cluster.entry), isPartOf(cluster));
      return session === null
        ? ofMarkerAlone(input, cluster, agent, root)
        : ofSession(input, cluster, agent, session, root);
    }
    case 'parent': {
      const { agent, ended } = root.proof;
      if (ended === null) return unknown('nothing tells which session it belongs to');
      return ofRecorded(input, agent, null, ended, root, begunTicksOf(root, cluster.entry), isPartOf(cluster));
    }
    case 'rule':
      return unknown('nothing tells which session it belongs to');
  }
};

const aliveness = { live: 2, unknown: 1, gone: 0 } as const;

/** Returns the answer under which the fewest processes are ended. */
const safest = (owners: readonly Owner[]): Owner =>
  owners.reduce<Owner>(
    (best, owner) => (aliveness[owner.state] > aliveness[best.state] ? owner : best),
    owners[0] ?? unknown('nothing tells which session it belongs to'),
  );

/**
 * Whose a job is. Where its parts disagree, or where several agents marked it (one started inside
 * another's tool shell), the answer under which the fewest processes are ended counts. `gone`
 * remembers since when through the ledger.
 */
export const ownerOf = (input: OwnerInput, cluster: Cluster): Owner => {
  const owner = safest(cluster.roots.map((root) => ofRoot(input, cluster, root)));
  const since = cluster.entry?.ownerGoneSinceMs ?? null;
  return owner.state === 'gone' && since !== null && since !== goneBefore ? { ...owner, sinceMs: since } : owner;
};
