import { knownBy } from '../../model/owner-sign.ts';
import { serversOf } from '../../agents/signatures.ts';
import { asPid } from '../../process/identity.ts';
import { hasEnded } from '../../process/row.ts';
import { lineageOf } from '../lineage/lineage.ts';
import type { TableView } from '../lineage/table-view.ts';
import type { Witness } from '../lineage/witness.ts';
import type { Owner } from '../../model/job.ts';
import type { SessionDirectory } from '../../model/session.ts';
import { live, safest } from '../owner/answers.ts';
import { isBroker } from '../owner/broker.ts';
import { ownerWorldOf, seenUnder } from '../owner/owner.ts';
import { decide } from '../owner/rules.ts';
import type { OwnerWorld, Subject } from '../owner/world.ts';
import type { Suspect } from './suspects.ts';

export interface ServerOwnerInput extends TableView {
  readonly directory: SessionDirectory;
  readonly before: readonly Witness[];
}

const worlds = new WeakMap<ServerOwnerInput, OwnerWorld>();

/** Made once for a look: many servers are asked about. */
const worldOf = (input: ServerOwnerInput): OwnerWorld => {
  const world = worlds.get(input) ?? ownerWorldOf(input, []);
  worlds.set(input, world);
  return world;
};

/**
 * Whose a server is. A living agent above it is its owner; else the rules of owners say, by the
 * agent that was seen above it, or for each of its marks, those first that call it a server.
 * @param endsClosed the other ends of its standard input and output are closed
 */
export const ownerOfServer = (input: ServerOwnerInput, suspect: Suspect, endsClosed = false): Owner => {
  const { row, marks, witness, above, agent } = suspect;
  if (above !== null) return live(input.table, above, knownBy('agent process {pid} is running', { pid: above.pid }));
  const world = worldOf(input);
  const subject: Subject = {
    kind: 'server',
    agent,
    row,
    chain: lineageOf(input, row).chain,
    begunTicks: row.startTicks,
    session: null,
    named: null,
    sandboxed: false,
    claim: null,
    seen: witness?.owner ?? null,
    isPart: () => false,
    slugs: [],
    entry: null,
    endsClosed,
  };
  if (witness !== null) return decide(world, subject);
  const telling = marks.filter(({ mark }) => mark.role === 'server' || mark.role === 'shared');
  const asked = telling.length > 0 ? telling : marks.filter(({ mark }) => mark.ownerPid !== null);
  return safestOwner(
    asked.map((one) => {
      const { session, ownerPid } = one.mark;
      const named = subject.chain.some(isBroker) ? null : ownerPid;
      const seen = seenUnder(input, one.agent, named, row.startTicks);
      return decide(world, { ...subject, agent: one.agent, session, named, seen });
    }),
  );
};

/** Of several answers the one under which the fewest processes are ended. */
export const safestOwner = (owners: readonly Owner[]): Owner => safest(owners, knownBy('its marks name no session'));

/**
 * A group or session whose number was given out after the agent began and not after this process.
 */
const isBetween = (id: number, ownerPid: number, pid: number): boolean =>
  ownerPid < pid ? id > ownerPid && id <= pid : id > ownerPid || id <= pid;

/**
 * True for what made a kernel session or a process group of its own, or is in one that was made
 * below its agent: a deliberate daemon, a hook, what a user started in a terminal that a server
 * opened. Servers share those of their agent, or were seen in the session that it gave them. A dead
 * leader is told by its number: pids are given out in order.
 */
export const isApart = (view: TableView, { row, marks, witness }: Suspect): boolean => {
  // What stands for a session on Windows is also led by what has lost its parent, and its numbers
  // have no order: detached is what gave up its console.
  if (view.evidence.sessions === 'apparent')
    return Number(row.sid) === Number(row.pid) && row.windows?.console === false;
  // A look saw it below its agent, which held its ends.
  const isSeen = witness !== null && !witness.inner;
  const isGiven = isSeen && witness.sid === Number(row.sid) && serversOf(witness.agent)?.ownSessions === true;
  if (Number(row.sid) === Number(row.pid)) return !isGiven;
  if (isSeen) return false;
  const leader = view.tree.row(asPid(Number(row.sid)));
  if (leader !== undefined && !hasEnded(leader)) {
    const { program, claims } = view.profileOf(leader);
    if (program === null && ((view.evidence.serverMarks?.(leader) ?? []).length > 0 || claims.length > 0)) return true;
  }
  const owner = marks.find(({ mark }) => mark.ownerPid !== null)?.mark.ownerPid ?? witness?.owner.pid ?? null;
  if (owner === null || Number(row.sid) <= 0) return Number(row.sid) <= 0;
  return isBetween(row.sid, owner, row.pid) || isBetween(row.pgid, owner, row.pid);
};
