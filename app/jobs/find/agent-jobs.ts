import type { Claim } from '../../agents/common/claim.ts';
import { plainCommandOf } from '../../agents/common/command-shell.ts';
import { redactCommand, redactProcess } from '../../format/secrets/redact.ts';
import type { SafeText } from '../../format/secrets/safe-text.ts';
import type { JobId, Owner } from '../../model/job.ts';
import { knownBy } from '../../model/owner-sign.ts';
import { isWitnessed, type Descent } from '../../model/proof.ts';
import type { SessionDirectory } from '../../model/session.ts';
import type { Pid } from '../../process/identity.ts';
import { hasEnded, type ProcessRow } from '../../process/row.ts';
import { rowsOfStep, type Steps } from '../../process/steps.ts';
import type { ProcessTable } from '../../process/table.ts';
import { jobIdOf } from '../ledger/job-id.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import { numbersOf } from '../ledger/numbers.ts';
import { mayBePart } from '../lineage/adopting.ts';
import { bystandersOf, type Bystanders } from '../lineage/bystanders.ts';
import { ownerPidOf, sessionOf } from '../lineage/claims.ts';
import { type Cluster, clusteringOf } from '../lineage/cluster.ts';
import type { Evidence } from '../lineage/evidence.ts';
import { downgradeExportedMarkers } from '../lineage/exported-markers.ts';
import { descentByGlimpses } from '../lineage/glimpses.ts';
import { endsLineage } from '../lineage/profile.ts';
import type { Root } from '../lineage/root.ts';
import { tableViewOf, type TableView } from '../lineage/table-view.ts';
import { descentByGroup } from '../lineage/witness-kernel.ts';
import { sharerOf } from '../owner/sharer.ts';
import { descentByShells } from '../lineage/witness-shells.ts';
import type { Witness } from '../lineage/witness.ts';
import { unknown } from '../owner/answers.ts';
import { agentsOf, couldOwnOf } from '../owner/could-own.ts';
import { ownerOf, ownerWorldOf } from '../owner/owner.ts';
import type { OwnerWorld } from '../owner/world.ts';
import { partsOf, type ProvedCluster } from './proof-of.ts';
import type { Draft } from './draft.ts';
import { findingRoots } from './find-roots.ts';
import { type Membership, membershipOf } from './membership.ts';
import { withName } from './naming.ts';
import { provenanceOf } from './provenance.ts';
import { usersPart } from './users-part.ts';

export interface AgentJobsInput {
  readonly table: ProcessTable;
  readonly evidence: Evidence;
  readonly directory: SessionDirectory;
  /** Entries of this boot. */
  readonly ledger: readonly LedgerEntry[];
  readonly witnesses: readonly Witness[];
  /** True for a part of a run (`curfew run`), which is a job of its own: see `findRunJobs`. */
  readonly isOfRun?: (row: ProcessRow) => boolean;
  readonly cannotOwn?: NonNullable<OwnerWorld['cannotOwn']>;
}

const ruleOf = (claim: Claim | null, cluster: Cluster): string => {
  const { proof } = cluster.roots[0] ?? {};
  if (claim !== null) return claim.shell?.rule ?? claim.marker?.rule ?? claim.agent;
  if (cluster.entry !== null) return cluster.entry.rule;
  return proof?.kind === 'rule' ? proof.rule : `${proof?.kind === 'parent' ? proof.agent : 'output'}-${proof?.kind}`;
};

const sessionProject = (directory: SessionDirectory, session: string | null, ownerPid: number | null): string | null =>
  directory.sessions.find(
    (one) => (session !== null && one.id === session) || (ownerPid !== null && one.pid === ownerPid),
  )?.project ?? null;

/** Returns a command without a grammar: a plain `shell -c`'s, else the command line. Redacted. */
export const plainCommand = (row: ProcessRow): SafeText => {
  const script = plainCommandOf(row.argv);
  if (script !== null) return redactCommand(script);
  return redactProcess(row);
};

/** What the job hangs on: what it was known by, its tool shell, or the oldest with a claim. */
const mainRoot = (living: readonly Root[], entry: LedgerEntry | null): Root | undefined =>
  living.find(({ row }) => row.pid === entry?.root.pid && row.startTicks === entry.root.startTicks) ??
  living.find(({ proof }) => proof.kind === 'claim' && proof.claim.shell !== null) ??
  living.find(({ proof }) => proof.kind === 'claim') ??
  living[0];

/** The claim to report. A known job keeps its agent though another's marker is stronger now. */
const tellingClaim = ({ proof }: Root, entry: LedgerEntry | null): readonly Claim[] => {
  if (proof.kind !== 'claim') return [];
  const known = proof.claim.shell === null ? proof.others.find((claim) => claim.agent === entry?.agent) : undefined;
  return [known ?? proof.claim];
};

/**
 * The view with what was seen between two looks, and what control groups and tool shells' own notes
 * prove. What a look or a hook saw of a process comes before: it may have seen that it is the
 * user's.
 */
const withDescents = (
  view: TableView,
  { callGroupOf, agents, doubts, daemons }: Pick<Bystanders, 'callGroupOf' | 'agents' | 'doubts' | 'daemons'>,
): TableView => {
  const byGroup = descentByGroup(view, callGroupOf, { doubts, daemons });
  const byGlimpses = descentByGlimpses(view, agents);
  const byShells = descentByShells(view, agents);
  const descentOf = (row: ProcessRow): Descent | null => {
    const known = view.evidence.descentOf?.(row) ?? null;
    if (known !== null) return known;
    const glimpse = byGlimpses(row);
    if (glimpse !== null) return { from: 'agent', ...glimpse };
    const proof = byGroup(row);
    if (proof !== null) {
      // Curfew made the group for this one agent.
      const below = callGroupOf(row)?.start === undefined ? null : proof.process;
      return { from: 'agent', proof, ...(below === null ? {} : { below }) };
    }
    const note = byShells(row);
    return note === null ? null : { from: 'agent', ...note };
  };
  const adopting = new Set(
    agents.filter((one) => one.adopts === true).map(({ pid, startTicks }) => `${pid}:${startTicks}`),
  );
  const adopts = ({ pid, startTicks }: ProcessRow): boolean => adopting.has(`${pid}:${startTicks}`);
  return { ...view, evidence: { ...view.evidence, descentOf, adopts } };
};

/** Nothing that lives could own it. */
const mayBeLeft = (owner: Owner): boolean =>
  owner.state === 'gone' || (owner.state === 'unknown' && owner.noneLeft === true);

const draftOf = (
  cluster: ProvedCluster,
  membership: Membership,
  inner: readonly Root[],
  input: OwnerWorld,
  taken: ReadonlySet<JobId>,
  {
    doubtAbout,
    doubts: earlier,
    isLate,
    callGroupOf,
  }: Pick<Bystanders, 'doubtAbout' | 'doubts' | 'isLate' | 'callGroupOf'>,
): Draft | null => {
  const { members } = membership;
  const living = cluster.roots.filter((root) => members.some((member) => member.row === root.row));
  const oldest = mainRoot(living, cluster.entry);
  if (oldest === undefined) return null;
  const claims = living.flatMap((root) => tellingClaim(root, cluster.entry));
  const claim = claims.find((one) => one.shell !== null) ?? claims[0] ?? null;
  const { entry, output } = cluster;
  const agent =
    claim?.agent ?? entry?.agent ?? output?.agent ?? (oldest.proof.kind === 'parent' ? oldest.proof.agent : 'other');
  const { row } = oldest;
  const session = claims.map(sessionOf).find((one) => one !== null) ?? output?.match.session ?? entry?.session ?? null;
  const asked = claims.map((one) => one.shell?.command ?? null).find((one) => one !== null) ?? null;
  const starts = [...living.map((root) => root.row.startTicks), ...(entry === null ? [] : [entry.root.startTicks])];
  const marked = claims.map((one) => one.shell?.project ?? (one.marker?.kind === 'tool' ? one.marker.project : null));
  const ownerPid = claims.map(ownerPidOf).find((one) => one !== null) ?? null;
  const isClaimed = !isWitnessed(cluster.proof);
  // What began after its session's end descends from a member of a job, or is none.
  if (isClaimed && living.every((root) => isLate(cluster, root))) return null;
  // Once its agent has ended nothing tells that any more.
  for (const root of living) if (isClaimed && mayBePart(input, root)) earlier.note(root.row);
  const doubts = isClaimed ? living.map((root) => doubtAbout(cluster, root)) : [];
  const doubt = doubts.find((one) => one !== null) ?? null;
  const owned = doubt === null ? ownerOf(input, { ...cluster, roots: [...living, ...inner] }) : unknown(doubt);
  // A control group is shared by all agents of its parent group, so its session is a claim.
  const sharer =
    cluster.proof.kind === 'kernel' && mayBeLeft(owned)
      ? sharerOf(input, callGroupOf, living, new Set(members.map((one) => one.row)))
      : null;
  const owner =
    sharer === null
      ? owned
      : unknown(knownBy('agent process {pid}, which shares its control group, is running', { pid: sharer.pid }));
  // A part of an agent that lives, or may live, is no leftover.
  if (claim?.marker?.kind === 'tool' && claim.marker.isDependent === true && !mayBeLeft(owner)) return null;
  const users = usersPart(input, members, cluster.entry);
  return {
    ...(users === null ? {} : { users }),
    id: entry?.id ?? jobIdOf(input.table.bootId, row, taken),
    agent,
    rule: ruleOf(claim, cluster),
    name: null,
    run: null,
    script: asked ?? plainCommandOf(row.argv),
    command: asked === null ? (entry?.command ?? plainCommand(row)) : redactCommand(asked),
    session,
    task: output?.match.task ?? entry?.task ?? null,
    output: output?.path ?? entry?.output ?? null,
    projectSlug: output?.match.projectSlug ?? null,
    project:
      marked.find((one) => one !== null) ??
      sessionProject(input.directory, session, ownerPid) ??
      entry?.project ??
      null,
    root: row,
    members: [...members.filter((one) => one.row === row), ...members.filter((one) => one.row !== row)],
    groups: membership.groups,
    kernelSessions: membership.kernelSessions,
    provenance: provenanceOf(cluster),
    proof: cluster.proof,
    owner,
    numbers: numbersOf(
      input.table.rows,
      members.map((one) => one.row).filter((one) => !endsLineage(input.profileOf(one))),
      entry?.numbers ?? [],
    ),
    couldOwn: couldOwnOf(input, agentsOf(living, agent), {
      entry,
      begunTicks: Math.min(...starts),
      owner,
      roots: living,
    }),
    startTicks: Math.min(...starts),
    entry,
  };
};

/** What one process table shows: the jobs, and what to tell the next look. */
export interface FoundJobs {
  readonly drafts: readonly Draft[];
  readonly witnesses: readonly Witness[];
}

interface Gathered {
  readonly cluster: ProvedCluster;
  readonly membership: Membership;
  /** Roots of other clusters that are members of this one. */
  readonly inner: Root[];
}

/**
 * Finds the jobs of one process table, in steps. Pure but for what `evidence` looks up; a strange
 * table gives fewer jobs, never wrong ones.
 */
export function* findingAgentJobs(input: AgentJobsInput): Steps<FoundJobs> {
  const { table, directory, ledger } = input;
  // Each is looked up once: what follows finds all of it known, and is quick.
  let rows = 0;
  for (const row of table.rows.values()) {
    if (row.uid !== table.uid || row.kernelThread || hasEnded(row)) continue;
    input.evidence.claims(row);
    if (++rows % rowsOfStep === 0) yield;
  }
  const evidence = downgradeExportedMarkers(table, input.evidence);
  const plain = tableViewOf(table, evidence, ledger);
  for (const row of table.rows.values()) {
    plain.profileOf(row);
    if (++rows % rowsOfStep === 0) yield;
  }
  const bystanders = bystandersOf({ ...plain, before: input.witnesses });
  const view = withDescents(plain, bystanders);
  const isExcluded = (row: ProcessRow): boolean =>
    bystanders.isUserStarted(row) || input.isOfRun?.(row) === true || evidence.descentOf?.(row)?.from === 'user';
  const roots = yield* findingRoots(view, isExcluded, input.witnesses);
  if (roots.length === 0) return { drafts: [], witnesses: bystanders.witnesses() };
  const { cannotOwn } = input;
  const owning = { directory, before: input.witnesses, ...(cannotOwn === undefined ? {} : { cannotOwn }) };
  const world = ownerWorldOf({ ...view, ...owning }, roots);
  const takenBy = new Map<Pid, Gathered>();
  const entries = new Set<LedgerEntry>();
  const gathered: Gathered[] = [];
  for (const found of yield* clusteringOf(view, ledger, roots)) {
    yield;
    for (const part of partsOf(view, found)) {
      // An agent or editor inside a job comes apart from it when that has lost what held them
      // together; the rest goes on under the id.
      const cluster = part.entry !== null && entries.has(part.entry) ? { ...part, entry: null } : part;
      const membership = membershipOf(view, cluster, { taken: takenBy, isExcluded });
      // What turned out to be a part of an older job says whose that one is, too.
      for (const root of cluster.roots) if (!root.endsLineage) takenBy.get(root.row.pid)?.inner.push(root);
      const one = { cluster, membership, inner: [] };
      if (membership.members.length === 0) continue;
      for (const { row } of membership.members) takenBy.set(row.pid, one);
      if (cluster.entry !== null) entries.add(cluster.entry);
      gathered.push(one);
    }
  }
  const ids = new Set<JobId>(ledger.map((entry) => entry.id));
  const drafts: Draft[] = [];
  for (const { cluster, membership, inner } of gathered) {
    yield;
    const draft = draftOf(cluster, membership, inner, world, ids, bystanders);
    if (draft === null) continue;
    ids.add(draft.id);
    drafts.push(withName(draft, evidence.describe));
  }
  yield;
  return { drafts, witnesses: bystanders.witnesses() };
}
