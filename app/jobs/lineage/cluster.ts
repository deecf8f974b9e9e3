import type { AgentId } from '../../agents/common/agent-id.ts';
import { asPid } from '../../process/identity.ts';
import type { Steps } from '../../process/steps.ts';
import type { OutputOrigin } from './evidence.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import { endsLineage } from './profile.ts';
import type { Root } from './root.ts';
import type { TableView } from './table-view.ts';
import { sessionOf } from './claims.ts';

/** Roots that are parts of one job: a tool shell and what came loose from it. */
export interface Cluster {
  readonly roots: readonly Root[];
  readonly entry: LedgerEntry | null;
  readonly output: OutputOrigin | null;
}

const agentOf = (root: Root): AgentId | null => (root.proof.kind === 'claim' ? root.proof.claim.agent : null);

/**
 * The kernel session of a root, where it can be told to be the one that the agent made for this
 * tool call: its leader is the root or another process of the call, or the leader has ended and the
 * agent is one that makes such sessions.
 */
const toolCallSession = ({ tree, profileOf, evidence }: TableView, root: Root): string | null => {
  if (root.proof.kind !== 'claim') return null;
  const { claim } = root.proof;
  // What a pid namespace shows for a session that was made outside; all who have it share nothing.
  if (Number(root.row.sid) === 0) return null;
  const leader = tree.row(asPid(Number(root.row.sid)));
  const ofTheCall =
    leader === undefined
      ? evidence.signature(claim.agent)?.toolShells === 'child-session'
      : leader === root.row || (profileOf(leader).claims.length > 0 && !endsLineage(profileOf(leader)));
  return ofTheCall ? `session ${root.row.sid} ${claim.agent} ${sessionOf(claim) ?? ''}` : null;
};

interface Growing {
  roots: Root[];
  entry: LedgerEntry | null;
  output: OutputOrigin | null;
  readonly keys: Set<string>;
}

/** The clusters by key, in order of addition. Comparing each with each took 30 ms at 500 jobs. */
class Gathering {
  readonly #places = new Map<Growing, number>();
  readonly #holders = new Map<string, Set<Growing>>();
  #added = 0;

  /** All that are in it, the first added first. */
  get all(): readonly Growing[] {
    return [...this.#places.keys()];
  }

  add(cluster: Growing): void {
    this.#places.set(cluster, this.#added++);
    for (const key of cluster.keys) {
      const holders = this.#holders.get(key);
      if (holders === undefined) this.#holders.set(key, new Set([cluster]));
      else holders.add(cluster);
    }
  }

  remove(cluster: Growing): void {
    this.#places.delete(cluster);
    for (const key of cluster.keys) this.#holders.get(key)?.delete(cluster);
  }

  /** Of those with one of these keys, the first added after that place; null for none. */
  next(keys: ReadonlySet<string>, after: number): { readonly cluster: Growing; readonly place: number } | null {
    let found: { readonly cluster: Growing; readonly place: number } | null = null;
    for (const key of keys) {
      for (const cluster of this.#holders.get(key) ?? []) {
        const place = this.#places.get(cluster) ?? -1;
        if (place > after && (found === null || place < found.place)) found = { cluster, place };
      }
    }
    return found;
  }
}

const agreeOn = (left: Growing, right: Growing): boolean =>
  left.entry === null || right.entry === null || left.entry === right.entry;

/** Takes one cluster into another that it has a key in common with. */
const absorb = (cluster: Growing, other: Growing): void => {
  cluster.roots.push(...other.roots);
  cluster.entry ??= other.entry;
  cluster.output ??= other.output;
  for (const key of other.keys) cluster.keys.add(key);
};

const byAge = (left: Root, right: Root): number =>
  left.row.startTicks - right.row.startTicks || left.row.pid - right.row.pid;

/**
 * Puts together the roots that the ledger, the kernel session or the output file show to be parts
 * of one job, a step for each root. Oldest first.
 */
export function* clusteringOf(
  view: TableView,
  entries: readonly LedgerEntry[],
  roots: readonly Root[],
): Steps<readonly Cluster[]> {
  const { evidence, ledger } = view;
  const byOutput = new Map(entries.flatMap((entry) => (entry.output === null ? [] : [[entry.output, entry] as const])));
  const alone = (root: Root): Growing => ({
    roots: [root],
    entry: ledger.byIdentity(root.row),
    output: null,
    keys: new Set(),
  });
  const begun = (root: Root): Growing => {
    const found = root.proof.kind === 'output' ? root.proof.output : evidence.output(root.row);
    const output = found !== null && (agentOf(root) ?? found.agent) === found.agent ? found : null;
    const entry =
      ledger.byIdentity(root.row) ??
      ledger.byGroup(root.row) ??
      ledger.bySession(root.row) ??
      (root.proof.kind === 'ledger' ? root.proof.entry : null) ??
      (output === null ? null : (byOutput.get(output.path) ?? null));
    const keys = [
      entry === null ? null : `entry ${entry.id}`,
      toolCallSession(view, root),
      output === null ? null : `output ${output.path}`,
    ];
    return { roots: [root], entry, output, keys: new Set(keys.filter((key) => key !== null)) };
  };
  const gathering = new Gathering();
  for (const root of roots.toSorted(byAge)) {
    const cluster = root.endsLineage ? alone(root) : begun(root);
    // One root can be what shows that two clusters are one: then nothing of either may stay behind.
    let other = gathering.next(cluster.keys, -1);
    for (; other !== null; other = gathering.next(cluster.keys, other.place)) {
      if (!agreeOn(cluster, other.cluster)) continue;
      gathering.remove(other.cluster);
      absorb(cluster, other.cluster);
    }
    gathering.add(cluster);
    yield;
  }
  const clusters = gathering.all;
  for (const cluster of clusters) cluster.roots.sort(byAge);
  // What a tool call started and is no part of it any more comes last, so that it stays in the job
  // where it still is one.
  return clusters.toSorted((left, right) => {
    const [first, second] = [left.roots[0], right.roots[0]];
    if (first === undefined || second === undefined) return 0;
    return Number(first.endsLineage) - Number(second.endsLineage) || byAge(first, second);
  });
}
