import { lockFileIn, loopConditionOf } from '../../app/diagnose/loop-condition.ts';
import type { Holders, JobProbe, LockFile, OutputFile, ProcessProbe, Traffic } from '../../app/diagnose/probe.ts';
import type { Draft } from '../../app/jobs/find/draft.ts';
import type { JobId } from '../../app/model/job.ts';
import type { MemberFacts } from '../../app/process/facts.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { quietWindowSeconds } from '../../app/judge/limits.ts';
import type { Steps } from '../../app/process/steps.ts';
import { ageSeconds, type ProcessTable } from '../../app/process/table.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { isAbsolutePath } from '../../app/paths/path.ts';
import type { Probing } from '../os/processes/probing.ts';
import type { ProcessSource } from '../os/processes/source.ts';

/**
 * Processes that one look probes; the others have their turn at the next. About 0.1 milliseconds
 * each.
 */
const maxProcesses = 256;
/** Processes of one job that are probed: what is stuck shows among the first. */
const maxProcessesOfJob = 64;
/** Files of one job that are watched for growth. */
const maxOutputs = 4;
/** Probes of a job within the patience that diagnoses have: every 15 s where that is 5 min. */
const timesInPatience = 20;
/** Holders of pipes and locks are read again after this time, milliseconds. */
const holdersEveryMs = 120_000;

export interface ProberTools {
  readonly source: Pick<ProcessSource, 'probing'>;
  readonly settings: () => Settings;
  /** Size of a regular file of this user in bytes; null for anything else. */
  readonly fileBytes: (path: string) => number | null;
  /** Free for this user on the file system of a file, bytes; null when not known. */
  readonly freeBytes: (path: string) => number | null;
  /** The first number in a small file of this user; null for none. */
  readonly numberIn: (path: string) => number | null;
}

/**
 * Looks into the processes of jobs that have used up half of their time, within bounds: at most
 * `maxProcesses` a look, those first that have waited longest for it, each some times a minute at
 * most, and the holders of a pipe or lock are searched only for what stands still, once in two
 * minutes.
 */
export class Prober {
  readonly #tools: ProberTools;
  readonly #probedAt = new Map<JobId, number>();
  #holders: ReadonlyMap<string, { readonly atMs: number; readonly found: Holders }> = new Map();

  constructor(tools: ProberTools) {
    this.#tools = tools;
  }

  /**
   * Probes by job, a step for each; jobs that are young, or whose turn it isn't, are left out.
   * Throws ProcessTableUnreadable.
   */
  *probing(
    table: ProcessTable,
    drafts: readonly Draft[],
    facts: ReadonlyMap<number, MemberFacts>,
  ): Steps<ReadonlyMap<JobId, JobProbe>> {
    const { probing } = this.#tools.source;
    const probes = new Map<JobId, JobProbe>();
    if (probing === undefined) return probes;
    const due = this.#due(table, drafts);
    const read: { readonly draft: Draft; readonly processes: ReadonlyMap<number, ProcessProbe> }[] = [];
    for (const draft of due) {
      read.push({ draft, processes: probing.processes(rowsOf(draft), facts) });
      yield;
    }
    const holders = this.#holdersOf(probing, table, read, facts);
    const traffic = this.#hasOldConnection(table, due) ? probing.traffic() : new Map<string, Traffic>();
    for (const { draft, processes } of read) {
      probes.set(draft.id, {
        processes,
        holders,
        outputs: this.#outputs(draft, facts),
        memory: probing.memory(facts.get(draft.root.pid)?.cgroups ?? null),
        traffic,
        lockFile: this.#lockFile(draft, facts),
      });
      yield;
    }
    return probes;
  }

  #due(table: ProcessTable, drafts: readonly Draft[]): readonly Draft[] {
    const { backgroundMaxElapsedSeconds, orphanGraceSeconds } = this.#tools.settings();
    const old = drafts.filter(({ startTicks, owner, run }) => {
      const own = run === null ? backgroundMaxElapsedSeconds : (run.maxElapsedSeconds ?? run.hardCapSeconds);
      const limit = owner.state === 'gone' ? Math.min(orphanGraceSeconds, own) : own;
      return ageSeconds(table, startTicks) >= limit / 2;
    });
    const everyTicks = (quietWindowSeconds(backgroundMaxElapsedSeconds) / timesInPatience) * table.ticksPerSecond;
    const isTurn = ({ id }: Draft): boolean => table.nowTicks - (this.#probedAt.get(id) ?? -Infinity) >= everyTicks;
    const present = new Set(drafts.map(({ id }) => id));
    for (const id of this.#probedAt.keys()) if (!present.has(id)) this.#probedAt.delete(id);
    let processes = 0;
    const turn = old
      .filter(isTurn)
      .toSorted((left, right) => (this.#probedAt.get(left.id) ?? 0) - (this.#probedAt.get(right.id) ?? 0))
      .filter((draft) => (processes += rowsOf(draft).length) <= maxProcesses);
    for (const { id } of turn) this.#probedAt.set(id, table.nowTicks);
    return turn;
  }

  #holdersOf(
    probing: Probing,
    table: ProcessTable,
    read: readonly { readonly draft: Draft; readonly processes: ReadonlyMap<number, ProcessProbe> }[],
    facts: ReadonlyMap<number, MemberFacts>,
  ): ReadonlyMap<string, Holders> {
    const wanted = new Set(read.flatMap(({ draft, processes }) => stoodStillAt(draft, processes, facts)));
    const nowMs = performance.now();
    const known = [...this.#holders].filter(([, { atMs }]) => nowMs - atMs < holdersEveryMs);
    const fresh = new Set([...wanted].filter((target) => !known.some(([one]) => one === target)));
    if (fresh.size > 0) {
      const own = [...table.rows.values()].filter(({ uid, kernelThread }) => uid === table.uid && !kernelThread);
      for (const [target, found] of probing.holders(
        own.map(({ pid }) => pid),
        fresh,
      ))
        known.push([target, { atMs: nowMs, found }]);
    }
    this.#holders = new Map(known);
    return new Map(known.map(([target, { found }]) => [target, found]));
  }

  /** One that may be told of: see app/diagnose/diagnose.ts. */
  #hasOldConnection(table: ProcessTable, drafts: readonly Draft[]): boolean {
    const oldTicks = (this.#tools.settings().backgroundMaxElapsedSeconds / 2) * table.ticksPerSecond;
    return drafts.some(({ entry }) =>
      Object.values(entry?.watch?.connections ?? {}).some((since) => table.nowTicks - since >= oldTicks),
    );
  }

  /**
   * The agent's output file and whatever regular files standard output and standard error of
   * members lead to.
   */
  #outputs(draft: Draft, facts: ReadonlyMap<number, MemberFacts>): readonly OutputFile[] {
    const { fileBytes, freeBytes } = this.#tools;
    const paths = new Set(draft.output === null ? [] : [draft.output]);
    for (const { row } of draft.members) {
      for (const { fd, target, deleted } of facts.get(row.pid)?.openFiles ?? []) {
        if ((fd === 1 || fd === 2) && !deleted && isAbsolutePath(target) && !target.startsWith('/dev/'))
          paths.add(target);
      }
    }
    return [...paths].slice(0, maxOutputs).flatMap((path) => {
      const bytes = fileBytes(path);
      return bytes === null ? [] : [{ path, bytes, freeBytes: bytes < 1_000_000 ? null : freeBytes(path) }];
    });
  }

  /**
   * The lock file that a command asks for again and again; it is read only once the command is
   * known to do that.
   */
  #lockFile(draft: Draft, facts: ReadonlyMap<number, MemberFacts>): LockFile | null {
    if ((draft.entry?.watch?.poll?.pauses ?? 0) < 2) return null;
    const condition = loopConditionOf(draft.command);
    const named = condition.kind === 'asked' ? lockFileIn(condition.text) : null;
    if (named === null) return null;
    const cwd = facts.get(draft.root.pid)?.cwd ?? null;
    const path = isAbsolutePath(named) ? named : cwd === null ? null : `${cwd}/${named}`;
    return path === null || this.#tools.fileBytes(path) === null ? null : { path, pid: this.#tools.numberIn(path) };
  }
}

const rowsOf = ({ members }: Draft): readonly ProcessRow[] => members.slice(0, maxProcessesOfJob).map(({ row }) => row);

/** What members wait for that had not run either when they were looked into before. */
const stoodStillAt = (
  { entry, members }: Draft,
  processes: ReadonlyMap<number, ProcessProbe>,
  facts: ReadonlyMap<number, MemberFacts>,
): readonly string[] => {
  const before = Object.keys(entry?.watch?.waits ?? {});
  return members.flatMap(({ row }) => {
    const probe = processes.get(row.pid);
    const start = `${row.pid}:${row.startTicks}:${probe?.switches ?? ''}:`;
    if (probe === undefined || !before.some((key) => key.startsWith(start))) return [];
    if (probe.wait?.kind === 'lock') {
      const { fd } = probe.wait;
      return (facts.get(row.pid)?.openFiles ?? []).filter((file) => file.fd === fd).map(({ target }) => target);
    }
    return probe.pipes.filter(({ access }) => access !== 'write').map(({ target }) => target);
  });
};
