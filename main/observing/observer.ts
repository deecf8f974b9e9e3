import { assembleJobs, type AssembledJob } from '../../app/jobs/measure/assemble.ts';
import type { EndedSession } from '../../app/jobs/sessions/ended-sessions.ts';
import { hurriesAfter, isOfEnded } from '../../app/jobs/sessions/ended-sessions.ts';
import type { Client, Diagnosis, Job, JobId, RunTerms } from '../../app/jobs/model/job.ts';
import type { LedgerEntry, ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import type { SessionDirectory } from '../../app/jobs/model/session.ts';
import type { Witness } from '../../app/jobs/lineage/witness.ts';
import { emptySessionDirectory } from '../../app/jobs/model/session.ts';
import type { Draft } from '../../app/jobs/find/draft.ts';
import { findJobs } from '../../app/jobs/find/find-jobs.ts';
import type { Terms } from '../../app/judge/context.ts';
import { judge } from '../../app/judge/judge.ts';
import { quietWindowSeconds } from '../../app/judge/limits.ts';
import { judgeRun } from '../../app/judge/runs/run.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import type { Verdict, Veto } from '../../app/judge/verdict.ts';
import { vetoesOf } from '../../app/judge/vetoes/vetoes-of.ts';
import { serviceOf } from '../../app/process/service-of.ts';
import type { MemberFacts } from '../../app/process/facts.ts';
import { observeAwake, type AwakeStretch } from '../../app/process/awake.ts';
import { asPid, type BootId, type Pid } from '../../app/process/identity.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { cookieName } from '../../app/process/run-id.ts';
import type { SocketProbing } from '../os/processes/probing.ts';
import { Announcements } from './announcements.ts';
import type { JudgedJob, Look } from './look.ts';
import type { ObserverTools } from './observer-tools.ts';
import { Prober } from './prober.ts';
import { harmlessSockets, readClients, readExchanges } from './clients.ts';
import { vetoContextOf } from './veto-context.ts';

/** What one look has read so far. */
interface Scan {
  readonly settings: Settings;
  readonly table: ProcessTable;
  readonly directory: SessionDirectory;
  /** Entries of this boot as they were loaded. */
  readonly known: readonly LedgerEntry[];
  readonly drafts: readonly Draft[];
  readonly witnesses: readonly Witness[];
  readonly facts: ReadonlyMap<number, MemberFacts>;
}

/** Looks at the machine: reads it, finds the jobs, asks the judge, remembers. Never signals. */
export class Observer {
  readonly #tools: ObserverTools;
  readonly #prober: Prober;
  readonly #announcements: Announcements;
  /** What the next scan of the table reads closely: members of jobs and agents' processes. */
  #watched: ReadonlySet<Pid> = new Set();
  #directory: SessionDirectory = emptySessionDirectory;
  #diagnosed: ReadonlyMap<JobId, readonly Diagnosis[]> = new Map();
  #runs: ReadonlyMap<JobId, RunTerms> = new Map();
  #looks = 0;
  #harmlessSockets: ReturnType<typeof harmlessSockets> = undefined;
  #awake: { readonly bootId: BootId; readonly stretches: readonly AwakeStretch[] } | null = null;

  constructor(tools: ObserverTools) {
    this.#tools = tools;
    this.#prober = new Prober(tools);
    this.#announcements = new Announcements(tools.announces === true);
  }

  /**
   * Looks once. Throws ProcessTableUnreadable; then nothing may be concluded and nothing has been
   * remembered.
   */
  look(): Look {
    this.#looks += 1;
    const stopwatch = startStopwatch();
    const scan = this.#scan();
    const assembled = this.#assemble(scan);
    const clients = this.#readClients(scan);
    const endedSessions = this.#tools.endedSessions?.() ?? [];
    const jobs = this.#judgeAll(scan, assembled, clients, endedSessions);
    this.#remember(scan, jobs);
    const { table, directory } = scan;
    const found = assembled.map(({ job }) => job);
    const hurries = hurriesAfter(endedSessions, directory.sessions, found, table.takenAtMs);
    return { table, sessions: directory.sessions, jobs, ...stopwatch(), ...(hurries ? { hurries } : {}) };
  }

  /**
   * Reads the process table, the sessions and the ledger, finds the jobs, and reads what their
   * members hold.
   */
  #scan(): Scan {
    const { source, evidence, ledger } = this.#tools;
    // Once a look: each time is a look at two files, and one look is to be judged by one set of
    // settings.
    const settings = this.#tools.settings();
    const table = this.#withAwake(source.scan(this.#watched));
    this.#announcements.noteScan(table, settings);
    const directory = this.#tools.readSessions(table);
    this.#directory = directory;
    const known = ledger.load(table.bootId);
    const { drafts, witnesses } = findJobs({
      table,
      evidence,
      directory,
      ledger: known.map((entry) => this.#announcements.current(entry)),
      witnesses: ledger.witnesses(table.bootId),
      runs: this.#tools.readRuns?.(table.bootId) ?? [],
      cookie: (row) => source.environment(row)?.[cookieName] ?? null,
      ...(this.#tools.allServers === true ? { allServers: true } : {}),
    });
    const facts = source.facts(drafts.flatMap((draft) => draft.members.map(({ row }) => row)));
    return { settings, table, directory, known, drafts, witnesses, facts };
  }

  /** Measures what the jobs hold and do, and diagnoses what keeps them. */
  #assemble({ settings, table, known, drafts, facts }: Scan): readonly AssembledJob[] {
    const { backgroundMaxElapsedSeconds, backgroundMaxElapsedSecondsHardCap } = settings;
    return assembleJobs({
      table,
      drafts,
      facts,
      outputBytes: this.#tools.fileBytes,
      ownerService: (owner) => this.#serviceOf(table, owner),
      keptElsewhere: known.flatMap(({ keep }) => keep?.kept ?? []),
      exchanges: readExchanges(this.#sockets, table, drafts, facts, settings),
      diagnosing: {
        probes: this.#prober.probe(table, drafts, facts),
        latest: this.#diagnosed,
        patienceSeconds: quietWindowSeconds(backgroundMaxElapsedSeconds),
        limitSeconds: backgroundMaxElapsedSeconds,
        hardCapSeconds: backgroundMaxElapsedSecondsHardCap,
      },
    });
  }

  /** Reads which jobs have a client, which keeps them from an end below the hard cap. */
  #readClients({ settings, table, drafts, facts }: Scan): ReadonlyMap<JobId, Client> {
    const clients = readClients(this.#sockets, table, drafts, facts, settings);
    this.#harmlessSockets = harmlessSockets(drafts, facts, clients);
    return clients;
  }

  #judgeAll(
    { settings, table }: Scan,
    assembled: readonly AssembledJob[],
    clients: ReadonlyMap<JobId, Client>,
    endedSessions: readonly EndedSession[],
  ): ReadonlyMap<JobId, JudgedJob> {
    const judged = assembled.map(({ job: measured, entry }): JudgedJob => {
      const client = clients.get(measured.id);
      const job = client === undefined ? measured : { ...measured, client };
      const toldEnded = isOfEnded(job, endedSessions);
      // What the user runs under supervision may be anything, an agent too; its own `curfew run`
      // says what it spares.
      const vetoes = job.run === undefined ? vetoesOf(job, this.#contextFor(table, entry, job)) : [];
      const verdict =
        job.run === undefined
          ? this.#judge(job, vetoes, settings, toldEnded)
          : judgeRun(job, job.run, settings, this.#tools.now());
      return {
        job,
        vetoes,
        verdict,
        entry: this.#announcements.afterVerdict(entry, verdict),
        ...(toldEnded ? { toldEnded } : {}),
      };
    });
    return new Map(judged.map((one) => [one.job.id, one]));
  }

  #judge(job: Job, vetoes: readonly Veto[], settings: Settings, toldEnded: boolean): Verdict {
    const terms: Terms | undefined = toldEnded ? { kind: 'session-said-so' } : this.#tools.terms;
    return judge(job, settings, { nowMs: this.#tools.now(), vetoes, ...(terms === undefined ? {} : { terms }) });
  }

  /** Remembers for the next look, here and in the ledger. */
  #remember({ table, directory, drafts, witnesses }: Scan, jobs: ReadonlyMap<JobId, JudgedJob>): void {
    const judged = [...jobs.values()];
    this.#watched = new Set([
      ...judged.flatMap(({ job }) => job.members.map(({ row }) => row.pid)),
      ...directory.sessions.flatMap(({ pid }) => pid ?? []),
    ]);
    this.#runs = new Map(drafts.flatMap(({ id, run }) => (run === null ? [] : [[id, run] as const])));
    this.#diagnosed = new Map(judged.map(({ job }) => [job.id, job.diagnoses]));
    const { ledger } = this.#tools;
    ledger.save(
      table.bootId,
      judged.map(({ entry }) => entry),
    );
    ledger.saveWitnesses(table.bootId, witnesses);
  }

  get #sockets(): SocketProbing | undefined {
    return this.#tools.source.sockets ?? this.#tools.source.probing;
  }

  /** The table with what is known of when the machine was awake, to which this look adds. */
  #withAwake(table: ProcessTable): ProcessTable {
    const memory = this.#tools.ledger.awake;
    const own = this.#awake?.bootId === table.bootId ? this.#awake.stretches : [];
    const stretches = observeAwake(memory?.load(table.bootId) ?? own, table);
    this.#awake = { bootId: table.bootId, stretches };
    memory?.save(table.bootId, stretches);
    return { ...table, awake: stretches };
  }

  /**
   * Voids announcements: what was announced until now is announced again before anything of it is
   * ended.
   */
  forgetAnnouncements(): void {
    this.#announcements.forget();
  }

  /** Number of looks begun. A change means that another look was made meanwhile. */
  get looks(): number {
    return this.#looks;
  }

  /**
   * Returns the limits of a job of the latest look that was started with `curfew run`; else null.
   */
  runOf(id: JobId): RunTerms | null {
    return this.#runs.get(id) ?? null;
  }

  /** Returns what the vetoes must know about a job besides its processes, as of the latest look. */
  vetoContext(job: Job, look: Look): VetoContext {
    return this.#contextFor(look.table, look.jobs.get(job.id)?.entry ?? null, job);
  }

  #contextFor(table: ProcessTable, entry: LedgerEntry | null, job: Job): VetoContext {
    return vetoContextOf({
      source: this.#tools.source,
      evidence: this.#tools.evidence,
      ownPid: this.#tools.ownPid?.() ?? asPid(process.pid),
      table,
      keptByAgent: this.#directory.keptByAgent,
      entry,
      harmlessSockets: this.#harmlessSockets?.(job.members),
    });
  }

  #serviceOf(table: ProcessTable, owner: ProcessRef): string | null {
    const row = table.rows.get(asPid(owner.pid));
    if (row === undefined || row.startTicks !== owner.startTicks) return null;
    const cgroups = this.#tools.source.facts([row]).get(row.pid)?.cgroups ?? null;
    return cgroups === null ? null : serviceOf(cgroups);
  }
}

/**
 * Returns a function that tells the milliseconds since, and the processor time of this process in
 * them.
 */
const startStopwatch = (): (() => Pick<Look, 'tookMs' | 'cpuMs'>) => {
  const began = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { tookMs: performance.now() - began, cpuMs: (user + system) / 1000 };
  };
};
