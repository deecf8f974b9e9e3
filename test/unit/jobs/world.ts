import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { asAgentSessionId } from '../../../app/agents/common/agent-id.ts';
import type { UserRule } from '../../../app/agents/user-rules.ts';
import { type AssembledJob, assemblingJobs } from '../../../app/jobs/measure/assemble.ts';
import type { Evidence } from '../../../app/jobs/lineage/evidence.ts';
import type { LedgerEntry } from '../../../app/jobs/ledger/ledger.ts';
import { findingJobs, type FoundHere } from '../../../app/jobs/find/find-jobs.ts';
import type { RunSubject } from '../../../app/jobs/find/run-jobs.ts';
import type { AgentSession, SessionDirectory, SessionState } from '../../../app/model/session.ts';
import { emptySessionDirectory } from '../../../app/model/session.ts';
import { vetoesOf } from '../../../app/judge/vetoes/vetoes-of.ts';
import type { Witness } from '../../../app/jobs/lineage/witness.ts';
import { type ProcessIdentity, asPid } from '../../../app/process/identity.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { evidenceFrom } from '../../../main/observing/evidence.ts';
import type { Plant } from './plant.ts';
import { machineOf } from './machine.ts';
import { shownOwner, type ShownOwner } from './shown-owner.ts';
import { safe } from '../safe-text.ts';
import { drain } from '../../../app/process/steps.ts';

/** What a test looks at of one job. */
export interface Found {
  readonly root: number;
  readonly members: readonly number[];
  readonly owner: ShownOwner['state'];
}

/** A job with its owner as tests show it. */
type ShownJob = Omit<AssembledJob['job'], 'owner'> & { readonly owner: ShownOwner };

/** One look at a world. */
export interface WorldLook {
  readonly table: ProcessTable;
  readonly assembled: readonly AssembledJob[];
  /** Root, members and owner of every job, by root. */
  readonly found: readonly Found[];
  /** The job that this process is a member of. Throws where there is none. */
  readonly jobWith: (pid: number) => ShownJob;
  /** Every process that is a member of some job. */
  readonly members: ReadonlySet<number>;
  /** See `FoundHere`. */
  readonly serving: FoundHere['serving'];
  /** Codes of the vetoes of the job with this process; empty: it may be ended. */
  readonly vetoes: (pid: number) => readonly string[];
}

const foundOf = ({ job }: AssembledJob): Found => ({
  root: job.root.pid,
  members: job.members.map(({ row }) => Number(row.pid)).toSorted((left, right) => left - right),
  owner: shownOwner(job.owner).state,
});

/**
 * A machine made of plants, on which jobs are looked for with the real signatures, vetoes and
 * ledger. What is told of it between two looks happens between them; five seconds pass with every
 * look.
 */
export class World {
  readonly machine: ReturnType<typeof machineOf>;
  directory: SessionDirectory = emptySessionDirectory;
  rules: readonly UserRule[] = [];
  ledger: readonly LedgerEntry[] = [];
  runs: readonly RunSubject[] = [];
  describe: Evidence['describe'];
  witnesses: readonly Witness[] = [];
  /** Agents that only a link tells, which may have been changed since they began. */
  readonly relinked = new Set<number>();
  readonly #evidence: Evidence;

  constructor(...plants: readonly Plant[]) {
    this.machine = machineOf(plants);
    this.#evidence = {
      ...evidenceFrom(
        this.machine.source,
        () => this.rules,
        () => this.machine.table().rows,
        (agent, path) => this.describe?.(agent, path) ?? null,
      ),
      mayBeRelinked: ({ pid }) => this.relinked.has(pid),
    };
  }

  /** Starts processes now. */
  start(...plants: readonly Plant[]): void {
    for (const plant of plants) this.machine.start(plant);
  }

  /** Ends a process; its children get the adopter of orphans for their parent. */
  end(...pids: readonly number[]): void {
    for (const pid of pids) this.machine.end(pid);
  }

  /** Changes what is told of a process that goes on: an exec, another group, a stop. */
  change(pid: number, change: Partial<Plant>): void {
    this.machine.change(pid, change);
  }

  /** What its agent's registry says of a session. The entry of a dead process may be left over. */
  register(
    agent: AgentId,
    id: string | null,
    pid: number | null,
    more: { readonly state?: SessionState; readonly project?: string } = {},
  ): void {
    const one: AgentSession = {
      agent,
      id: id === null ? null : asAgentSessionId(id),
      process: pid === null ? null : this.#identity(pid),
      pid: pid === null ? null : asPid(pid),
      state: more.state ?? 'live',
      project: more.project ?? null,
      source: `sessions/${pid}.json`,
    };
    this.directory = { ...this.directory, sessions: [...this.directory.sessions, one] };
  }

  /**
   * There is the record of a run, of which `supervisor` is the `curfew run` and `root` the command.
   */
  run(id: string, supervisor: number, root: number, more: { background?: boolean; subreaper?: boolean } = {}): void {
    const mark = this.#identity(root);
    const subject: RunSubject = {
      terms: {
        id,
        background: more.background ?? true,
        maxElapsedSeconds: null,
        atMaxElapsed: 'always',
        hardCapSeconds: 14_400,
        graceSeconds: 10,
        supervisor: this.#identity(supervisor),
      },
      name: null,
      command: safe(`command of ${id}`),
      folder: '/home/me/shop',
      output: null,
      root: mark,
      sinceTicks: mark.startTicks - 1,
      subreaper: more.subreaper ?? true,
      seen: [],
    };
    this.runs = [...this.runs, subject];
  }

  /** The registry of these agents could be read as a whole. */
  complete(...agents: readonly AgentId[]): void {
    this.directory = { ...this.directory, completeFor: new Set(agents), hasTranscript: () => true };
  }

  /** A living process holds the tasks of a session that was another's. */
  adopt(agent: AgentId, session: string, pid: number): void {
    const one = { agent, session: asAgentSessionId(session), by: this.#identity(pid), evidence: 'its tasks are open' };
    this.directory = { ...this.directory, adoptions: [...this.directory.adoptions, one] };
  }

  #identity(pid: number): ProcessIdentity {
    const row = this.machine.source.read(asPid(pid));
    return { bootId: this.machine.source.bootId, pid: asPid(pid), startTicks: row?.startTicks ?? 0 };
  }

  /** Looks, remembers in the ledger, and lets five seconds pass. */
  look(): WorldLook {
    const table = this.machine.table();
    const { drafts, witnesses, serving } = drain(
      findingJobs({
        table,
        evidence: this.#evidence,
        directory: this.directory,
        ledger: this.ledger,
        witnesses: this.witnesses,
        runs: this.runs,
        cookie: (row) => this.machine.source.environment(row)?.['CURFEW_RUN'] ?? null,
      }),
    );
    this.witnesses = witnesses;
    const facts = this.machine.source.facts([...table.rows.values()]);
    const assembled = drain(
      assemblingJobs({
        diagnosing: {
          probes: new Map(),
          latest: new Map(),
          patienceSeconds: 300,
          limitSeconds: 1800,
          hardCapSeconds: 14_400,
        },
        table,
        drafts,
        facts,
        outputBytes: () => null,
        ownerService: () => null,
      }),
    );
    this.ledger = assembled.map(({ entry }) => entry);
    this.machine.pass(5);
    const jobWith = (pid: number): AssembledJob['job'] => {
      const one = assembled.find(({ job }) => job.members.some(({ row }) => Number(row.pid) === pid));
      if (one === undefined)
        throw new Error(`process ${pid} is in no job of ${JSON.stringify(assembled.map(foundOf))}`);
      return one.job;
    };
    return {
      table,
      assembled,
      serving,
      found: assembled.map(foundOf).toSorted((left, right) => left.root - right.root),
      jobWith: (pid) => {
        const job = jobWith(pid);
        return { ...job, owner: shownOwner(job.owner) };
      },
      members: new Set(assembled.flatMap((one) => foundOf(one).members)),
      vetoes: (pid) => vetoesOf(jobWith(pid), this.#vetoContext(table)).map(({ code }) => code),
    };
  }

  #vetoContext(table: ProcessTable): Parameters<typeof vetoesOf>[1] {
    return {
      ownPid: asPid(999_999),
      ownAncestors: new Set(),
      ownGroup: 999_999,
      uid: table.uid,
      pidNamespace: this.machine.source.pidNamespace,
      cgroups: null,
      isAgent: (row) => this.#evidence.program(row) !== null,
      ownerServices: [],
      keptByAgent: this.directory.keptByAgent,
      rows: table.rows,
    };
  }
}
