import type { AgentId } from '../../agents/common/agent-id.ts';
import { programFile } from '../../paths/path.ts';
import { asPid, type Pid } from '../../process/identity.ts';
import { maxIdleCpuMsPerSecond } from '../../model/server-state.ts';
import { type ProcessRow, hasEnded } from '../../process/row.ts';
import { awakeSeconds, type ProcessTable } from '../../process/table.ts';
import { descendants, relationsOf } from '../../process/tree.ts';
import { type Computed, livingOf, type ServerWitness } from '../lineage/witness.ts';

/** Seconds awake in which an older set must not have moved a byte. */
export const olderSetSeconds = 6 * 3600;

/**
 * Seconds in which a host that starts its servers starts the next one: Claude Code 2.1 has at most
 * three on their way (observed). Two entries with one command begin so; neither replaces the other.
 */
const togetherSeconds = 15;

/** Processor time comes in ticks of 10 ms; of one that began and ended between two are two. */
const cpuGrainMs = 20;

/** True where it used the processor since that measure as no idle server does. */
export const computesSince = (
  table: ProcessTable,
  { atTicks, cpuMs }: Computed,
  row: Pick<ProcessRow, 'cpuMs'>,
): boolean => row.cpuMs - cpuMs > maxIdleCpuMsPerSecond * awakeSeconds(table, atTicks) + cpuGrainMs;

/** A server with its launcher and all that hangs below it. */
export interface ServerSet {
  readonly root: ProcessRow;
  readonly rows: readonly ProcessRow[];
}

/** What one living host keeps several times. */
export interface OlderSets {
  readonly agent: AgentId;
  readonly host: ProcessRow;
  readonly command: ProcessRow;
  /** It always stays. */
  readonly youngest: ServerSet;
  /** The user may end these. */
  readonly older: readonly ServerSet[];
  /** Older ones that may be in use: they moved bytes, or were not watched for long enough. */
  readonly waiting: number;
}

/** The same argv without the folder of its program is the same command. */
export const commandKey = ({ argv, comm }: Pick<ProcessRow, 'argv' | 'comm'>): string =>
  argv.length === 0 ? comm : [programFile(argv[0] ?? ''), ...argv.slice(1)].join('\0');

const isWhole = ({ rows }: ServerSet): boolean => rows.every(({ state }) => 'RSDI'.includes(state));

/** Every command of the one runs in the other, at least as often. */
const holdsAllOf = (younger: ServerSet, older: ServerSet): boolean => {
  const left = younger.rows.map(commandKey);
  return older.rows.map(commandKey).every((key) => {
    const at = left.indexOf(key);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
};

/** Servers of one host, by the command of their roots, of which it keeps more than one. */
export const copiesByHost = (
  table: ProcessTable,
  servers: readonly ServerWitness[],
): readonly (readonly ServerWitness[])[] => {
  const tree = relationsOf(table.rows);
  const living = servers.filter((one) => livingOf(tree, one) !== undefined);
  const pids = new Set(living.map(({ pid }) => pid));
  // What a launcher started has the same ends.
  const roots = living.filter(
    (one) => !one.inner && !tree.ancestors(asPid(one.pid)).some(({ pid }) => pids.has(Number(pid))),
  );
  const byKey = Map.groupBy(roots, (one) => {
    const row = livingOf(tree, one);
    return `${one.owner.pid}:${one.owner.startTicks} ${row === undefined ? '' : commandKey(row)}`;
  });
  return [...byKey.values()].filter(({ length }) => length > 1);
};

/** Returns which of its host's starts of servers, counted from 0, a set came with. */
const startsOf = (
  { ticksPerSecond }: ProcessTable,
  servers: readonly ServerWitness[],
  { pid, startTicks }: ServerWitness['owner'],
): ((set: ServerSet) => number) => {
  const begun = servers
    .filter(({ owner, inner }) => !inner && owner.pid === pid && owner.startTicks === startTicks)
    .map((one) => one.startTicks)
    .toSorted((one, other) => one - other);
  const first = begun.filter((ticks, at) => ticks - (begun[at - 1] ?? ticks) > togetherSeconds * ticksPerSecond);
  return ({ root }) => first.filter((ticks) => ticks <= root.startTicks).length;
};

/**
 * Finds the older sets of servers of living hosts: the same command line in the same folder and
 * environment under the same host as a younger, complete set that was not started together with it,
 * without a byte for six hours by all that looks measured, and without a computation between any
 * two. A youngest set of which a process has ended, is stopped or missing is not complete, and then
 * nothing is offered. Pure.
 */
export const olderSets = (table: ProcessTable, servers: readonly ServerWitness[]): readonly OlderSets[] => {
  const tree = relationsOf(table.rows);
  const known = new Map(servers.map((one) => [`${one.pid}:${one.startTicks}`, one]));
  const setOf = (one: ServerWitness): ServerSet | null => {
    const root = livingOf(tree, one);
    return root === undefined ? null : { root, rows: [root, ...descendants(tree, root.pid)] };
  };
  const stillOf = ({ pid, startTicks }: ProcessRow) => known.get(`${pid}:${startTicks}`)?.still;
  /** In another folder it is another project's, with another environment another account's. */
  const sharesPlace = (one: ServerSet, other: ServerSet): boolean => {
    const [left, right] = [stillOf(one.root), stillOf(other.root)];
    const isTold = left?.folder !== undefined && left.environment !== undefined;
    return isTold && left.folder === right?.folder && left.environment === right.environment;
  };
  const isStill = ({ rows }: ServerSet): boolean =>
    rows.every((row) => {
      const still = stillOf(row);
      if (still?.computed === undefined || computesSince(table, still.computed, row)) return false;
      return awakeSeconds(table, still.sinceTicks) >= olderSetSeconds;
    });
  return copiesByHost(table, servers).flatMap((copies): OlderSets[] => {
    const [first] = copies;
    const host = first === undefined ? undefined : livingOf(tree, first.owner);
    const sets = copies.flatMap((one) => setOf(one) ?? []).toSorted((a, b) => b.root.startTicks - a.root.startTicks);
    const [youngest, ...rest] = sets;
    if (first === undefined || host === undefined || hasEnded(host) || youngest === undefined) return [];
    const startOf = startsOf(table, servers, first.owner);
    const before = rest.filter((one) => startOf(one) < startOf(youngest));
    if (before.length === 0) return [];
    const isAlike = (one: ServerSet, set: ServerSet): boolean => holdsAllOf(one, set) && sharesPlace(one, set);
    /** As many whole ones have come since as there were at once. */
    const isReplaced = (set: ServerSet): boolean => {
      const alike = sets.filter((one) => isAlike(one, set));
      const since = alike.filter((one) => startOf(one) > startOf(set) && isWhole(one));
      return since.length >= alike.filter((one) => startOf(one) === startOf(set)).length;
    };
    const isOlder = (one: ServerSet): boolean => isReplaced(one) && isAlike(youngest, one) && isStill(one);
    const older = isWhole(youngest) ? before.filter(isOlder) : [];
    return [
      { agent: first.agent, host, command: youngest.root, youngest, older, waiting: before.length - older.length },
    ];
  });
};

/** The roots of older sets that the user may end: of one host, or of all where none is named. */
export const endableRoots = (table: ProcessTable, servers: readonly ServerWitness[], host?: number): ReadonlySet<Pid> =>
  new Set(
    // Most machines have none, and this is asked at every look.
    servers.some(({ still }) => still !== undefined && awakeSeconds(table, still.sinceTicks) >= olderSetSeconds)
      ? olderSets(table, servers)
          .filter((one) => host === undefined || Number(one.host.pid) === host)
          .flatMap(({ older }) => older.map(({ root }) => root.pid))
      : [],
  );
