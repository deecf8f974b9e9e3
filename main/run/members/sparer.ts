import { programOf as agentOf } from '../../../app/agents/signatures.ts';
import { sparedInRun } from '../../../app/judge/runs/run-sparing.ts';
import { nothingSpared, type RunSparing, type RunSparingMemory } from '../../../app/judge/runs/run-sparing-question.ts';
import type { VetoContext } from '../../../app/judge/veto-rule.ts';
import { programOf } from '../../../app/programs/program.ts';
import type { MemberFacts } from '../../../app/process/facts.ts';
import { asPid, type Pid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { ageSeconds, type ProcessTable } from '../../../app/process/table.ts';
import { processTree } from '../../../app/process/tree.ts';
import { sayVeto } from '../../../app/text/vetoes.ts';
import type { ProcessSource } from '../../os/processes/source.ts';
import type { RunMember } from './membership.ts';

/** What the processes of a run are judged with. */
export interface RunSparerOptions {
  readonly source: ProcessSource;
  /** True where this process is the subreaper of everything that the run started. */
  readonly subreaper: boolean;
  readonly keepInherited: boolean;
  /** Nothing that started before belongs to the run, ticks. */
  readonly sinceTicks: number;
  /** What had started `curfew run`: who may adopt what it leaves. */
  readonly ancestors: readonly { readonly pid: number; readonly startTicks: number }[];
  /** The user of the run; no other user's processes are signalled. */
  readonly uid: number;
  /** Ends also what the vetoes protect. */
  readonly strict: boolean;
  /** The systemd services that contain the run itself: those are no reason to leave anything alone. */
  readonly services: readonly string[];
}

/** A process of the run that is left alone. */
export interface SparedMember {
  readonly pid: number;
  readonly program: string;
  /** The code of its veto; `started-by-spared` where another spared process started it. */
  readonly code: string;
  readonly why: string;
}

/** The code of what a spared process started. */
const belowSpared = 'started-by-spared';

/** What one look found. */
export interface SparedLook {
  readonly spared: readonly SparedMember[];
  readonly pids: ReadonlySet<Pid>;
  /** See `RunSparings.mayBeLeaving`. */
  readonly mayBeLeaving: boolean;
}

/** Facts of a process that did not change are read again after this time; milliseconds. */
const factsAgeMs = 500;
/** A process is young for this time; seconds. */
const youngSeconds = 2;

/** Judges at each look which processes of one run are left alone, and remembers it. */
export class RunSparer {
  readonly #options: RunSparerOptions;
  #session: number | null = null;
  #root: { readonly pid: number; readonly startTicks: number } | null = null;
  #memory: RunSparingMemory = nothingSpared;
  readonly #facts = new WeakMap<ProcessRow, { readonly atMs: number; readonly facts: MemberFacts | null }>();

  constructor(options: RunSparerOptions) {
    this.#options = options;
  }

  /** What the latest look found out, to be noted for the case that this process is killed. */
  get memory(): RunSparingMemory {
    return this.#memory;
  }

  /**
   * Says in which kernel session the command was started, and as which process. Without it every process counts as one that has
   * left that session.
   */
  startedIn(session: number, root: { readonly pid: number; readonly startTicks: number } | null): void {
    this.#session = session;
    this.#root = root;
  }

  /** Says what an earlier look at this run found out. */
  remember(memory: RunSparingMemory): void {
    this.#memory = memory;
  }

  /** Judges the living members of one look. */
  judge(table: ProcessTable, members: ReadonlyMap<Pid, RunMember>): SparedLook {
    const { source, strict, keepInherited, subreaper, ancestors } = this.#options;
    const found = sparedInRun({
      members: [...members.values()].map(({ row }) => row),
      isInside: (row) => this.#isInside(table, row),
      isAdopted: (row) =>
        (row.pid !== this.#root?.pid && subreaper && row.ppid === process.pid) ||
        ancestors.some((one) => one.pid === row.ppid) ||
        row.ppid === 1,
      isYoung: (row) => ageSeconds(table, row.startTicks) < youngSeconds,
      facts: (rows) => this.#factsOf(rows),
      environment: (row) => source.environment(row),
      context: this.#context(table),
      strict,
      keepInherited,
      memory: this.#memory,
    });
    this.#memory = found.memory;
    const spared = [...found.spared].flatMap(([pid, sparing]) => {
      const row = members.get(pid)?.row;
      return row === undefined ? [] : [sparedMember(row, sparing, members)];
    });
    return { spared, pids: new Set(found.spared.keys()), mayBeLeaving: found.mayBeLeaving };
  }

  /** An id whose leader began later than the run, and is not its command, has become the id of another session. */
  #isInside(table: ProcessTable, row: ProcessRow): boolean {
    if (this.#session === null || Number(row.sid) !== this.#session) return false;
    const leader = table.rows.get(asPid(this.#session));
    if (leader === undefined || leader.startTicks < this.#options.sinceTicks) return true;
    return leader.pid === this.#root?.pid && leader.startTicks === this.#root.startTicks;
  }

  #factsOf(rows: readonly ProcessRow[]): ReadonlyMap<number, MemberFacts> {
    const nowMs = performance.now();
    const due = rows.filter((row) => nowMs - (this.#facts.get(row)?.atMs ?? -Infinity) >= factsAgeMs);
    const read = due.length === 0 ? new Map<number, MemberFacts>() : this.#options.source.facts(due);
    for (const row of due) this.#facts.set(row, { atMs: nowMs, facts: read.get(row.pid) ?? null });
    return new Map(
      rows.flatMap((row) => {
        const facts = this.#facts.get(row)?.facts ?? null;
        return facts === null ? [] : [[Number(row.pid), facts] as const];
      }),
    );
  }

  #context(table: ProcessTable): VetoContext {
    const { source, services, uid } = this.#options;
    const ownPid = asPid(process.pid);
    return {
      ownPid,
      ownAncestors: excludedIn(table),
      ownGroup: table.rows.get(ownPid)?.pgid ?? ownPid,
      uid,
      pidNamespace: source.pidNamespace,
      cgroups: source.cgroups,
      isAgent: (row) => agentOf(row) !== null,
      ownerServices: services,
      // What an agent inside the run means to go on is in the run all the same: the user has asked for its end.
      keptByAgent: [],
      rows: table.rows,
    };
  }
}

const programName = (row: ProcessRow): string => [...programOf(row).names][0] ?? row.comm;

const sparedMember = (row: ProcessRow, sparing: RunSparing, members: ReadonlyMap<Pid, RunMember>): SparedMember => {
  const { pid } = row;
  const program = programName(row);
  if (sparing.kind === 'veto') return { pid, program, code: sparing.veto.code, why: sayVeto(sparing.veto) };
  const origin = members.get(sparing.origin)?.row;
  const by = origin === undefined ? '' : ` (${programName(origin)})`;
  return { pid, program, code: belowSpared, why: `process ${sparing.origin}${by} started it` };
};

/** This process and what it was started by. */
export const excludedIn = (table: ProcessTable): ReadonlySet<Pid> => {
  const self = process.pid as Pid;
  return new Set([
    self,
    ...processTree(table.rows)
      .ancestors(self)
      .map((row) => row.pid),
  ]);
};
