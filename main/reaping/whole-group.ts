import { couldBeAnyAgent } from '../../app/agents/contained-in.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import { roleOf, vetoesOfProcess } from '../../app/judge/vetoes/vetoes-of.ts';
import { asPid } from '../../app/process/identity.ts';
import { hasEnded, isSameLivingProcess, type ProcessRow } from '../../app/process/row.ts';
import type { Target } from '../../app/reap/target.ts';
import type { Look } from '../observing/look.ts';
import type { ProcessHandle } from '../os/processes/signaller.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { Reaping } from './reaping.ts';

/** A control group with what is left of an agent that has ended. */
export interface LeftGroup {
  readonly path: string;
  /** Pids inside, and in the agent's own group beside it. */
  readonly pids: () => { readonly inside: readonly number[]; readonly beside: readonly number[] };
  /**
   * Freezes it, asks whether all inside may end, and kills it as one; null where nothing was
   * killed. Whatever the question asks must not depend on a process that stands still.
   */
  readonly killIf: (mayEnd: (pids: readonly number[]) => boolean) => readonly number[] | null;
}

export interface WholeGroupCase {
  readonly source: Pick<ProcessSource, 'read' | 'readEnvironment'>;
  readonly context: VetoContext;
  readonly reaping: Pick<Reaping<ProcessHandle>, 'judged' | 'handle'>;
  readonly look: Pick<Look, 'table'>;
  /** Asks every veto of a target again, past every cache. */
  readonly isVetoed: (target: Target) => boolean;
}

/** Whether it still runs what it ran when it was judged. */
const runsTheSame = (row: ProcessRow, judged: ProcessRow): boolean =>
  row.uid === judged.uid &&
  row.comm === judged.comm &&
  row.argv.length === judged.argv.length &&
  row.argv.every((word, at) => word === judged.argv[at]);

/** A kernel session is left, never joined: what is in it descends from what began it. */
const isInOwnSession = ({ reaping }: WholeGroupCase, { sid }: ProcessRow): boolean =>
  reaping.judged.entry.kernelSessions.includes(sid);

/** What is known of a group's members while they stand still. */
class Members {
  readonly #given: WholeGroupCase;
  readonly #targets: ReadonlyMap<number, Target>;
  readonly #rows: ReadonlyMap<number, ProcessRow>;

  constructor(given: WholeGroupCase, targets: ReadonlyMap<number, Target>, pids: readonly number[]) {
    this.#given = given;
    this.#targets = targets;
    this.#rows = new Map(
      pids.flatMap((pid) => {
        const row = pid > 1 ? given.source.read(asPid(pid)) : null;
        return row === null ? [] : [[pid, row] as const];
      }),
    );
  }

  mayEnd(pid: number): boolean {
    const row = this.#rows.get(pid);
    if (row === undefined || hasEnded(row)) return false;
    const target = this.#targets.get(pid);
    return target === undefined ? this.#isForked(row) : this.#isStill(row, target);
  }

  #isStill(row: ProcessRow, { key, pid }: Target): boolean {
    const handle = this.#given.reaping.handle(key);
    const judged = this.#given.look.table.rows.get(asPid(pid));
    return (
      handle?.alive() === true &&
      isSameLivingProcess(row, handle.identity) &&
      judged !== undefined &&
      runsTheSame(row, judged)
    );
  }

  /**
   * Whether it was forked by a member since the look, runs what a judged member runs, and bears no
   * mark of its own. Its open files are not asked for: they may be of a file system that a process
   * of this group serves.
   */
  #isForked(row: ProcessRow): boolean {
    const { source, context, reaping, look } = this.#given;
    if (!this.#descends(row)) return false;
    const { facts, members } = reaping.judged.job;
    const model = members.find((one) => this.#targets.has(one.row.pid) && runsTheSame(row, one.row));
    const known = model === undefined ? undefined : facts.get(model.row.pid);
    const environment = source.readEnvironment(row.pid);
    if (known === undefined || environment === null) return false;
    const rows = new Map(look.table.rows).set(row.pid, row);
    return vetoesOfProcess(row, { ...known, environment }, roleOf(row, reaping.judged.job, rows), context).length === 0;
  }

  /** By parents that are members, or by a kernel session that a member began: no other can join. */
  #descends(row: ProcessRow): boolean {
    const seen = new Set<number>();
    let at: ProcessRow | undefined = row;
    while (at !== undefined && !seen.has(at.pid)) {
      if (this.#targets.has(at.pid) || isInOwnSession(this.#given, at)) return true;
      seen.add(at.pid);
      at = this.#rows.get(at.ppid);
    }
    return false;
  }
}

/** Asked of a group without any process that this look saw elsewhere. */
const maxAsked = 64;

/** Whether the group has to do with this job; what forks fast is gone before it can be met. */
const isOwn = (given: WholeGroupCase, targets: ReadonlyMap<number, Target>, inside: readonly number[]): boolean =>
  inside.some((pid) => targets.has(pid)) ||
  inside.slice(0, maxAsked).some((pid) => {
    const row = pid > 1 ? given.source.read(asPid(pid)) : null;
    return row !== null && isInOwnSession(given, row);
  });

/**
 * Kills the control group of an agent that has ended as one where every process inside is a target
 * of this reaping, or was forked by one since: no fork outruns that. Returns what was killed; null
 * where one of them was not judged, may not end, or where an agent could still use the group: then
 * each is signalled alone.
 */
export const killLeftGroup = (
  given: WholeGroupCase,
  groups: readonly LeftGroup[],
  targets: readonly Target[],
): { readonly path: string; readonly pids: readonly number[] } | null => {
  const { context, look, reaping } = given;
  if (reaping.judged.job.owner.state !== 'gone') return null;
  const byPid = new Map(targets.map((target) => [target.pid, target]));
  const seen = (pid: number): ProcessRow | undefined => {
    const row = look.table.rows.get(asPid(pid));
    return row === undefined || hasEnded(row) ? undefined : row;
  };
  const isHarmless = (pid: number): boolean => {
    const row = seen(pid);
    return byPid.has(pid) || (row !== undefined && !context.isAgent(row) && !couldBeAnyAgent(row));
  };
  for (const group of groups) {
    try {
      const { inside, beside } = group.pids();
      const isOther = (pid: number): boolean => !byPid.has(pid) && seen(pid) !== undefined;
      if (inside.some(isOther) || !beside.every(isHarmless) || !isOwn(given, byPid, inside)) continue;
      // The slow questions come before it stands still.
      const asked = new Set(inside);
      if (targets.some((target) => asked.has(target.pid) && given.isVetoed(target))) continue;
      const pids = group.killIf((still) => {
        const members = new Members(given, byPid, still);
        return still.every((pid) => members.mayEnd(pid));
      });
      if (pids !== null) return { path: group.path, pids };
    } catch {
      // It can't be read, or not be noted: each is signalled alone.
    }
  }
  return null;
};
