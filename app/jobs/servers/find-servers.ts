import type { Pid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import { isAdopter } from '../lineage/adopter.ts';
import { lineageOf } from '../lineage/lineage.ts';
import { tableViewOf } from '../lineage/table-view.ts';
import type { Evidence } from '../lineage/evidence.ts';
import type { ServerWitness, Witness } from '../lineage/witness.ts';
import type { Owner } from '../../model/job.ts';
import type { SessionDirectory } from '../../model/session.ts';
import type { ProcessTable } from '../../process/table.ts';
import { isApart, ownerOfServer, safestOwner, type ServerOwnerInput } from './server-owner.ts';
import type { ServerReport, ServerState } from '../../model/server-state.ts';
import { notedServers, servingIn, type Serving } from './serving.ts';
import { suspectsOf, type Suspect, type SuspectsInput } from './suspects.ts';
import { isCrashHandler, isDrivenBrowser } from './driven-browser.ts';
import {
  addCrashHandlers,
  addTree,
  browserParts,
  connectionsOf,
  joined,
  shapeOf,
  unseenEnds,
  type ServerTree,
  type Shape,
  type UnitInput,
} from './server-tree.ts';
import type { ChannelRound } from '../../process/channels.ts';

export interface Looked {
  readonly suspect: Suspect;
  readonly shape: Shape;
  readonly apart: boolean;
}

export type World = ServerOwnerInput & SuspectsInput & UnitInput & { readonly showsDetached: boolean };

const isShared = ({ marks, witness }: Suspect): boolean =>
  witness === null && marks.some(({ mark }) => mark.role === 'shared');

/** Its marks or an earlier look call it a server. */
const isTelling = ({ marks, witness }: Suspect): boolean =>
  (witness !== null && !witness.inner) || marks.some(({ mark }) => mark.role === 'server' || mark.role === 'shared');

/**
 * What carries the same marks as its agent's commands is a server only where both its standard
 * input and output are pairs of sockets, as that agent gives them to servers, and it shares the
 * agent's kernel session. All else of it is a command's, for the rules of jobs.
 */
const isLeftToJobs = (round: ChannelRound, { suspect, shape, apart }: Looked): boolean => {
  if (!isShared(suspect)) return false;
  if (shape.kind !== 'server' || apart) return true;
  const [input, output] = round.of(suspect.row.pid)?.standard ?? [];
  return input?.kind !== 'pair' || output?.kind !== 'pair';
};

/**
 * Where no far end is told, what its marks or an earlier look call a server is shown as soon as no
 * agent is above it; what only runs a configured command, where no other living process started it.
 */
const isShownUntold = ({ suspect, shape }: Looked): boolean => {
  if (shape.kind !== 'server') return false;
  const isConfigured = suspect.marks.some(({ mark }) => mark.role === 'configured');
  return isTelling(suspect) || (isConfigured && Number(suspect.row.ppid) === 0);
};

/** Shown at all: what is left over, or may be. A process that its agent still speaks to is not. */
const isShown = (world: World, { suspect, shape, apart }: Looked): boolean => {
  if (isCrashHandler(suspect.row)) return false;
  if (world.round.farEnds === 'untold') return isShownUntold({ suspect, shape, apart });
  // A helper that a hook, a plugin or a server let go of holds no channel of its session any more.
  if (shape.kind !== 'server')
    return shape.kind !== 'none' || (apart && (world.showsDetached || ownerOfServer(world, suspect).state === 'gone'));
  if (shape.input === 'closed') return true;
  return !apart && isTelling(suspect) && ownerOfServer(world, suspect).state === 'gone';
};

/** Joins a unit that its channels lead into, and makes none by itself. */
const isAttachable = ({ suspect, shape }: Looked): boolean =>
  isCrashHandler(suspect.row) || (shape.kind !== 'browser' && isDrivenBrowser(suspect.row));

/**
 * The ends are what a server has. Where no far end is told, a part of a pipeline has the same:
 * there the agent itself must have started it, or what handed the ends on.
 */
const isSpokenTo = ({ round, evidence }: World, { row, above }: Suspect): boolean =>
  round.farEnds !== 'untold' || (above !== null && evidence.isHeldBy?.(row, above) === true);

export interface ServersInput {
  readonly table: ProcessTable;
  readonly evidence: Evidence;
  readonly directory: SessionDirectory;
  /** Entries of this boot. */
  readonly ledger: readonly LedgerEntry[];
  readonly witnesses: readonly Witness[];
  readonly isOfRun: (row: ProcessRow) => boolean;
  /** Servers of living sessions are wanted too: all, or those with these roots. */
  readonly all: boolean | ReadonlySet<Pid>;
  /** So are helpers that detached themselves: a deliberate daemon looks like a forgotten one. */
  readonly showsDetached: boolean;
}

export interface FoundServer {
  readonly unit: ServerTree;
  readonly owner: Owner;
  readonly server: ServerState;
}

export interface FoundServers {
  readonly servers: readonly FoundServer[];
  /** Pids of the servers of living agents with all that hangs below them: they are no commands. */
  readonly living: ReadonlySet<Pid>;
  readonly witnesses: readonly ServerWitness[];
}

const none: FoundServers = { servers: [], living: new Set(), witnesses: [] };

const look = (world: World, suspect: Suspect): Looked | null => {
  const channels = world.round.of(suspect.row.pid);
  if (channels === null) return null;
  return { suspect, shape: shapeOf(suspect.row, channels), apart: isApart(world, suspect) };
};

/** Those that hang below no other of them. */
const topmost = (world: World, looked: readonly Looked[]): readonly Looked[] => {
  const pids = new Set(looked.map(({ suspect }) => Number(suspect.row.pid)));
  return looked.filter(({ suspect }) => !lineageOf(world, suspect.row).chain.some(({ pid }) => pids.has(pid)));
};

const unitOf = (world: World, root: Suspect): ServerTree => {
  const unit: ServerTree = { roots: [root], members: new Map() };
  addTree(world, unit, root);
  addCrashHandlers(world, unit);
  return unit;
};

/**
 * A parent that is no adopter by its name may be one all the same where it is older than the agent:
 * then it can't have started what that agent's harness started.
 */
const hasStrangeParent = (world: World, { row, marks, witness }: Suspect): boolean => {
  const parent = world.tree.row(row.ppid);
  if (parent === undefined || isAdopter(parent)) return false;
  const ownerPid = witness?.owner.pid ?? marks.find(({ mark }) => mark.ownerPid !== null)?.mark.ownerPid ?? null;
  const seen = world.before.find(
    (one) => one.kind === 'agent' && one.pid === ownerPid && one.startTicks <= row.startTicks,
  );
  const beganTicks = witness?.owner.startTicks ?? seen?.startTicks ?? null;
  return beganTicks === null || parent.startTicks > beganTicks;
};

/**
 * All that speaks against the end of a server which its living agent left: that this lives, and
 * goes on holding the other ends of output and error (Claude Code and Gemini CLI, observed).
 */
const ofReplaced: ReadonlySet<ServerReport> = new Set<ServerReport>(['agent-lives', 'ends-open']);

/**
 * All that is found of a helper that a hook, a plugin or a server detached on purpose: it waits for
 * clients, has no channel to its session, and its marks are those of the harness.
 */
const ofDetached: ReadonlySet<ServerReport> = new Set<ServerReport>([
  'own-session',
  'no-channel',
  'harness',
  'listens',
]);

const reported = (why: readonly ServerReport[], owner: Owner): ServerState => {
  const isDetached = why.includes('own-session') && why.every((one) => ofDetached.has(one));
  if (why.includes('agent-lives') && why.every((one) => ofReplaced.has(one))) return { standing: 'replaced' };
  const [first = 'owner-unknown', ...others] = new Set(why);
  if (isDetached && owner.state === 'gone') return { standing: 'detached', why: [first, ...others], freeSeconds: 0 };
  return { standing: 'reported', why: [first, ...others] };
};

/** What its marks say where they tell no server. */
const weaknessOf = ({ marks }: Suspect): ServerReport => {
  const [strongest] = marks;
  if (strongest?.mark.role === 'configured') return 'configured';
  return marks.some(({ mark }) => mark.role === 'weak') ? 'weak-mark' : 'harness';
};

/** Why one root of a unit keeps it from being called abandoned. */
const reportsOfRoot = (world: World, { suspect, shape, apart }: Looked): readonly ServerReport[] => {
  const found: ServerReport[] = [];
  if (shape.kind === 'other') found.push('no-channel');
  if (shape.kind === 'server' && shape.far !== 'closed')
    found.push(shape.far === 'open' ? 'ends-open' : unseenEnds(world.round));
  if (shape.kind !== 'browser' && apart) found.push('own-session');
  const isKnown = shape.kind === 'browser' ? suspect.witness !== null || isTelling(suspect) : isTelling(suspect);
  if (!isKnown) found.push(weaknessOf(suspect));
  if (hasStrangeParent(world, suspect)) found.push('parent');
  return found;
};

/**
 * The ends that the living agent of a server holds: what it goes on holding of a server that it
 * replaced makes no further process a client.
 */
const endsOfAgent = ({ round }: World, owner: Owner): ReadonlySet<string> =>
  owner.state === 'live' && owner.process !== null ? (round.ends(owner.process.pid) ?? new Set()) : new Set();

const stateOf = (world: World, unit: ServerTree, own: readonly Looked[], outsiders: readonly Looked[]) => {
  // A browser has no ends of its own: those of the server that drives it tell.
  const endsClosed = own.some(({ shape }) => shape.kind === 'server' && shape.far === 'closed');
  const owner = safestOwner(own.map(({ suspect }) => ownerOfServer(world, suspect, endsClosed)));
  const ends = new Set(outsiders.flatMap(({ suspect }) => [...(world.round.ends(suspect.row.pid) ?? [])]));
  const browsers = browserParts(world, unit.members.values());
  const why = [
    ...own.flatMap((one) => reportsOfRoot(world, one)),
    // That it was left is said only where its ends tell it.
    ...(owner.state === 'live' && world.round.farEnds !== 'untold' ? (['agent-lives'] as const) : []),
    ...(owner.state === 'unknown' ? (['owner-unknown'] as const) : []),
    ...connectionsOf(world, world.round, unit, browsers, { outsiders: ends, ofAgent: endsOfAgent(world, owner) }),
  ];
  const server: ServerState = why.length === 0 ? { standing: 'abandoned' } : reported(why, owner);
  return { owner, server };
};

/** The servers without a living agent above them, each judged as one with all that hangs on it. */
const leftServers = (world: World, suspects: readonly Suspect[]): readonly FoundServer[] => {
  const looked = suspects
    .filter(({ above }) => above === null)
    .map((suspect) => look(world, suspect))
    .filter((one) => one !== null)
    .filter((one) => !isLeftToJobs(world.round, one));
  const tops = topmost(world, looked);
  const shown = tops.filter((one) => isShown(world, one));
  if (shown.length === 0) return [];
  const units = shown.map(({ suspect }) => unitOf(world, suspect));
  const attached = tops.filter(
    (one) =>
      !shown.includes(one) &&
      isAttachable(one) &&
      !units.some(({ members }) => isCrashHandler(one.suspect.row) && members.has(one.suspect.row.pid)),
  );
  units.push(...attached.map(({ suspect }) => unitOf(world, suspect)));
  return joined(world.round, units).flatMap((unit): readonly FoundServer[] => {
    const own = shown.filter(({ suspect }) => unit.roots.includes(suspect));
    if (own.length === 0) return [];
    const outsiders = looked.filter(({ suspect }) => !unit.members.has(suspect.row.pid));
    const { owner, server } = stateOf(world, unit, own, outsiders);
    return [{ unit, owner, server }];
  });
};

/** The servers of living sessions: their agent is above them, and they have the ends of servers. */
const livingServers = (
  world: World,
  suspects: readonly Suspect[],
  serving: readonly Serving[],
): readonly FoundServer[] => {
  const below = suspects.filter(({ above, witness }) => above !== null && witness?.inner !== true);
  const looked = below.map((suspect) => look(world, suspect)).filter((one) => one !== null);
  const servers = looked.filter(
    ({ shape, apart, suspect }) =>
      shape.kind === 'server' && !apart && isTelling(suspect) && isSpokenTo(world, suspect),
  );
  const ofUnknown = serving
    .filter(({ isKnownAgent, inner }) => !isKnownAgent && !inner)
    .map(({ row, agent, owner }): Suspect => {
      const marks = world.evidence.serverMarks?.(row) ?? [];
      return { row, agent, marks, witness: null, above: owner };
    });
  return [...topmost(world, servers).map(({ suspect }) => suspect), ...ofUnknown].map((suspect): FoundServer => {
    const unit = unitOf(world, suspect);
    return { unit, owner: ownerOfServer(world, suspect), server: { standing: 'living' } };
  });
};

/**
 * Finds the servers that agents keep beside their sessions, and what is left of them. Pure but for
 * what `evidence` looks up. What can't be told is reported, never called abandoned.
 */
export const findServers = (input: ServersInput): FoundServers => {
  const { table, evidence, ledger, witnesses: before } = input;
  if (evidence.channels === undefined) return none;
  const users = before.filter((one) => one.kind === 'user');
  const userSessions = new Set(users.map(({ sid }) => sid).filter((sid) => sid !== 0));
  const isUsers = (row: ProcessRow): boolean =>
    userSessions.has(Number(row.sid)) ||
    users.some(({ pid, startTicks }) => pid === row.pid && startTicks === row.startTicks);
  const world: World = {
    ...tableViewOf(table, evidence, ledger),
    directory: input.directory,
    before,
    round: evidence.channels(),
    showsDetached: input.showsDetached,
    isExcluded: (row) => input.isOfRun(row) || (users.length > 0 && isUsers(row)),
  };
  const serving = servingIn(world);
  const witnesses = notedServers(world, serving);
  const suspects = suspectsOf({ ...world, before: witnesses });
  const left = leftServers(world, suspects);
  const { all } = input;
  const wanted = ({ unit }: FoundServer): boolean =>
    typeof all === 'boolean' ? all : unit.roots.some(({ row }) => all.has(row.pid));
  const isAny = typeof all === 'boolean' ? all : all.size > 0;
  const servers = isAny ? [...left, ...livingServers(world, suspects, serving).filter(wanted)] : left;
  return { servers, living: new Set(serving.map(({ row }) => row.pid)), witnesses };
};
