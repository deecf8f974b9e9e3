import { programOf as agentOf } from '../../../app/agents/signatures.ts';
import { sparedInRun } from '../../../app/judge/runs/run-sparing.ts';
import { nothingSpared, type RunSparing, type RunSparingMemory } from '../../../app/judge/runs/run-sparing-question.ts';
import type { VetoContext } from '../../../app/judge/veto-rule.ts';
import { shownProgram } from '../../../app/programs/program.ts';
import type { MemberFacts } from '../../../app/process/facts.ts';
import { asPid, type Pid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { awakeAge, type ProcessTable } from '../../../app/process/table.ts';
import { processTree } from '../../../app/process/tree.ts';
import type { Said } from '../../../app/format/said.ts';
import { inEnglish, say, sayObjection } from '../../../app/text/say.ts';
import type { ProcessSource } from '../../os/processes/source.ts';
import type { RunMember } from './membership.ts';

export interface RunSparerOptions {
  readonly source: ProcessSource;
  /** This process is the subreaper of the whole run. */
  readonly subreaper: boolean;
  readonly keepInherited: boolean;
  /** Sessions of agents that `curfew run` names in its environment; none if that is unknown. */
  readonly inherited: ReadonlySet<string>;
  readonly sinceTicks: number;
  /** The ancestors of `curfew run`, which may adopt what it leaves. */
  readonly ancestors: readonly { readonly pid: number; readonly startTicks: number }[];
  /** The run's user; processes of other users are never signalled. */
  readonly uid: number;
  /** Also ends what the vetoes protect. */
  readonly strict: boolean;
  /** The systemd services that contain the run itself; being in one of them is no veto. */
  readonly services: readonly string[];
}

export interface SparedMember {
  readonly pid: number;
  readonly program: string;
  /** The code of its veto; `started-by-spared` if a spared process started it. */
  readonly code: string;
  readonly why: Said;
}

/** The code for descendants of a spared process. */
const belowSpared = 'started-by-spared';

export interface SparedLook {
  readonly spared: readonly SparedMember[];
  readonly pids: ReadonlySet<Pid>;
  readonly mayBeLeaving: boolean;
}

/** Facts of an unchanged process are read again after this time, in ms. */
const factsAgeMs = 500;
/** A process is young until this age, in seconds. */
const youngSeconds = 2;

export class RunSparer {
  readonly #options: RunSparerOptions;
  #session: number | null = null;
  #root: { readonly pid: number; readonly startTicks: number } | null = null;
  #memory: RunSparingMemory;
  #ends = false;
  readonly #facts = new WeakMap<ProcessRow, { readonly atMs: number; readonly facts: MemberFacts | null }>();

  constructor(options: RunSparerOptions) {
    this.#options = options;
    this.#memory = { ...nothingSpared, inherited: options.inherited };
  }

  /** Returns what the latest scan found, to be recorded in case this process is killed. */
  get memory(): RunSparingMemory {
    return this.#memory;
  }

  /** Sets the command's session and process. Until then all count as outside that session. */
  startedIn(session: number, root: { readonly pid: number; readonly startTicks: number } | null): void {
    this.#session = session;
    this.#root = root;
  }

  /**
   * From now on it is also asked what the kernel would end with a process: that reads of every
   * process of the machine, which a run that only goes on does not need.
   */
  beforeSignals(): void {
    this.#ends = true;
  }

  remember(memory: RunSparingMemory): void {
    this.#memory = memory;
  }

  judge(table: ProcessTable, members: ReadonlyMap<Pid, RunMember>): SparedLook {
    const { source, strict, keepInherited, subreaper, ancestors } = this.#options;
    const found = sparedInRun({
      members: [...members.values()].map(({ row }) => row),
      isInside: (row) => this.#isInside(table, row),
      isAdopted: (row) =>
        (row.pid !== this.#root?.pid && subreaper && row.ppid === process.pid) ||
        ancestors.some((one) => one.pid === row.ppid) ||
        row.ppid === 1,
      isContained: (row) => members.get(row.pid)?.by.includes('cgroup') === true,
      isYoung: (row) => awakeAge(table, row) < youngSeconds,
      facts: (rows) => this.#factsOf(rows),
      environment: (row) => source.environment(row),
      context: this.#context(table, members),
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

  /** A session whose leader is younger than the run and is not its command reuses the id. */
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

  #context(table: ProcessTable, members: ReadonlyMap<Pid, RunMember>): VetoContext {
    const { source, services, uid, strict } = this.#options;
    const probing = source.sockets;
    const along = this.#ends && !strict ? probing?.takenAlong.bind(probing, {}) : undefined;
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
      // The user asked for the end of the run, which includes what an agent inside it keeps.
      keptByAgent: [],
      ...(along === undefined ? {} : { takenAlong: along, jobMembers: new Set(members.keys()) }),
      rows: table.rows,
    };
  }
}

const sparedMember = (row: ProcessRow, sparing: RunSparing, members: ReadonlyMap<Pid, RunMember>): SparedMember => {
  const { pid } = row;
  const program = shownProgram(row);
  if (sparing.kind === 'veto') return { pid, program, code: sparing.veto.code, why: sayObjection(sparing.veto) };
  const origin = members.get(sparing.origin)?.row;
  const above = origin === undefined ? '' : ` (${shownProgram(origin)})`;
  const why = say('process {pid}{program} started it', { pid: sparing.origin, program: above });
  return { pid, program, code: belowSpared, why };
};

/** Returns what is left alone in the form of a run's record, which is English. */
export const recordedSparing = ({ why, ...member }: SparedMember) => ({ ...member, why: inEnglish(why) });

/** Returns this process and its ancestors. */
export const excludedIn = (table: ProcessTable): ReadonlySet<Pid> => {
  const self = process.pid as Pid;
  return new Set([
    self,
    ...processTree(table.rows)
      .ancestors(self)
      .map((row) => row.pid),
  ]);
};
