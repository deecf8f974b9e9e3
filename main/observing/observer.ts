import { assembleJobs } from '../../app/jobs/measure/assemble.ts';
import type { EndedSession } from '../../app/jobs/sessions/ended-sessions.ts';
import { hurriesAfter, isOfEnded } from '../../app/jobs/sessions/ended-sessions.ts';
import type { Evidence } from '../../app/jobs/lineage/evidence.ts';
import type { Diagnosis, Job, JobId, RunTerms } from '../../app/jobs/model/job.ts';
import type { LedgerEntry, ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import type { SessionDirectory } from '../../app/jobs/model/session.ts';
import type { Witness } from '../../app/jobs/lineage/witness.ts';
import { emptySessionDirectory } from '../../app/jobs/model/session.ts';
import { findJobs } from '../../app/jobs/find/find-jobs.ts';
import type { RunSubject } from '../../app/jobs/find/run-jobs.ts';
import type { Terms } from '../../app/judge/context.ts';
import { judge } from '../../app/judge/judge.ts';
import { quietWindowSeconds } from '../../app/judge/limits.ts';
import { judgeRun } from '../../app/judge/runs/run.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import { vetoesOf } from '../../app/judge/vetoes/vetoes-of.ts';
import { serviceOf } from '../../app/process/service-of.ts';
import { observeAwake, type AwakeStretch } from '../../app/process/awake.ts';
import { asPid, type BootId, type Pid } from '../../app/process/identity.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { cookieName } from '../../app/process/run-id.ts';
import type { JudgedJob, Look } from './look.ts';
import { Prober, type ProberTools } from './prober.ts';
import { harmlessSockets, readExchanges, readClients } from './clients.ts';

/** What is remembered from look to look, and across restarts. */
export interface LedgerMemory {
  /** When the machine was awake in this boot, as far as it was observed. Left out: nothing is kept of that. */
  readonly awake?: {
    load(bootId: BootId): readonly AwakeStretch[];
    save(bootId: BootId, stretches: readonly AwakeStretch[]): void;
  };
  /** Entries of this boot, with what another process (`curfew keep`) changed meanwhile. */
  load(bootId: BootId): readonly LedgerEntry[];
  /** All jobs of this look; what is missing has ended. */
  save(bootId: BootId, entries: readonly LedgerEntry[]): void;
  /** What earlier looks of this boot saw of the user's processes and of agents, those of other Curfew processes included. */
  witnesses(bootId: BootId): readonly Witness[];
  /** The same after this look; what is missing is forgotten. */
  saveWitnesses(bootId: BootId, witnesses: readonly Witness[]): void;
}

/** What a look is made with. */
export interface ObserverTools extends Omit<ProberTools, 'source'> {
  readonly source: ProcessSource;
  readonly evidence: Evidence;
  readonly readSessions: (table: ProcessTable) => SessionDirectory;
  readonly ledger: LedgerMemory;
  readonly now: () => number;
  /** What was started with `curfew run` and has not ended. */
  readonly readRuns?: (bootId: BootId) => readonly RunSubject[];
  /** Sessions that told a short while ago that they end, as of the sessions read last: what they left gets no grace. */
  readonly endedSessions?: () => readonly EndedSession[];
  /** What holds for this pass instead of grace and notice. */
  readonly terms?: Terms;
  /**
   * It ends what is due, so it keeps account of what was announced: an end that is no longer to come, or that went without a look
   * for long, is announced again. Others only read of it.
   */
  readonly announces?: boolean;
  /** The process that looks, in the table that is looked at: this one if left out, the shell that answers on another machine. */
  readonly ownPid?: () => Pid;
}

/** Looks that are further apart than this, or than three intervals, leave announcements without anything behind them. Seconds. */
const maxUnwatchedSeconds = 120;

/** Looks at the machine: reads it, finds the jobs, asks the judge, remembers. Never signals. */
export class Observer {
  readonly #tools: ObserverTools;
  #watched: ReadonlySet<Pid> = new Set();
  #directory: SessionDirectory = emptySessionDirectory;
  readonly #prober: Prober;
  #diagnosed: ReadonlyMap<JobId, readonly Diagnosis[]> = new Map();
  #runs: ReadonlyMap<JobId, RunTerms> = new Map();
  #looks = 0;
  #harmless: ReturnType<typeof harmlessSockets> = undefined;
  #awake: { readonly bootId: BootId; readonly stretches: readonly AwakeStretch[] } | null = null;
  /** Ticks of the latest look, and from which on an announcement counts. */
  #lastTicks: number | null = null;
  #watchedFromTicks = 0;

  constructor(tools: ObserverTools) {
    this.#tools = tools;
    this.#prober = new Prober(tools);
  }

  /** One look. Throws ProcessTableUnreadable; then nothing may be concluded and nothing has been remembered. */
  look(): Look {
    this.#looks += 1;
    const began = performance.now();
    const cpu = process.cpuUsage();
    const { source, evidence, ledger, now } = this.#tools;
    // Once a look: each time is a look at two files, and one look is to be judged by one set of settings.
    const settings = this.#tools.settings();
    const table = this.#withAwake(source.scan(this.#watched));
    this.#keepWatch(table, settings);
    const directory = this.#tools.readSessions(table);
    this.#directory = directory;
    const known = ledger.load(table.bootId);
    const { drafts, witnesses } = findJobs({
      table,
      evidence,
      directory,
      ledger: known.map((entry) => this.#stillAnnounced(entry)),
      witnesses: ledger.witnesses(table.bootId),
      runs: this.#tools.readRuns?.(table.bootId) ?? [],
      cookie: (row) => source.environment(row)?.[cookieName] ?? null,
    });
    const facts = source.facts(drafts.flatMap((draft) => draft.members.map(({ row }) => row)));
    const sockets = source.sockets ?? source.probing;
    const { backgroundMaxElapsedSeconds, backgroundMaxElapsedSecondsHardCap } = settings;
    const assembled = assembleJobs({
      table,
      drafts,
      facts,
      outputBytes: this.#tools.fileBytes,
      ownerService: (owner) => this.#serviceOf(table, owner),
      keptElsewhere: known.flatMap(({ keep }) => keep?.kept ?? []),
      exchanges: readExchanges(sockets, table, drafts, facts, settings),
      diagnosing: {
        probes: this.#prober.probe(table, drafts, facts),
        latest: this.#diagnosed,
        patienceSeconds: quietWindowSeconds(backgroundMaxElapsedSeconds),
        limitSeconds: backgroundMaxElapsedSeconds,
        hardCapSeconds: backgroundMaxElapsedSecondsHardCap,
      },
    });
    const uses = readClients(sockets, table, drafts, facts, settings);
    this.#harmless = harmlessSockets(drafts, facts, uses);
    const jobs = new Map<JobId, JudgedJob>();
    const watched = new Set<Pid>();
    const ended = this.#tools.endedSessions?.() ?? [];
    const entries: LedgerEntry[] = [];
    for (const { job: looked, entry: seen } of assembled) {
      const inUse = uses.get(looked.id);
      const job = inUse === undefined ? looked : { ...looked, inUse };
      // What a person runs under supervision may be anything, an agent too; its own `curfew run` says whom it spares.
      const vetoes = job.run === undefined ? vetoesOf(job, this.#contextFor(table, seen, job)) : [];
      const toldEnded = isOfEnded(job, ended);
      const terms = toldEnded ? ({ kind: 'session-said-so' } as const) : this.#tools.terms;
      const verdict =
        job.run === undefined
          ? judge(job, settings, {
              nowMs: now(),
              vetoes,
              ...(terms === undefined ? {} : { terms }),
            })
          : judgeRun(job, job.run, settings, now());
      const stands = this.#tools.announces !== true || verdict.announces === true || verdict.action === 'reap';
      const entry = stands || seen.announcedAtTicks === null ? seen : { ...seen, announcedAtTicks: null };
      entries.push(entry);
      jobs.set(job.id, { job, vetoes, verdict, entry, ...(toldEnded ? { toldEnded } : {}) });
      for (const { row } of job.members) watched.add(row.pid);
    }
    for (const session of directory.sessions) if (session.pid !== null) watched.add(session.pid);
    this.#watched = watched;
    this.#runs = new Map(drafts.flatMap(({ id, run }) => (run === null ? [] : [[id, run] as const])));
    this.#diagnosed = new Map(assembled.map(({ job }) => [job.id, job.diagnoses]));
    ledger.save(table.bootId, entries);
    ledger.saveWitnesses(table.bootId, witnesses);
    const { sessions } = directory;
    const found = assembled.map(({ job }) => job);
    const hurries = hurriesAfter(ended, sessions, found, table.takenAtMs);
    const { user, system } = process.cpuUsage(cpu);
    const cost = { tookMs: performance.now() - began, cpuMs: (user + system) / 1000 };
    return { table, sessions, jobs, ...cost, ...(hurries ? { hurries } : {}) };
  }

  /** The table with what is known of when the machine was awake, which this look adds to. */
  #withAwake(table: ProcessTable): ProcessTable {
    const memory = this.#tools.ledger.awake;
    const own = this.#awake?.bootId === table.bootId ? this.#awake.stretches : [];
    const stretches = observeAwake(memory?.load(table.bootId) ?? own, table);
    this.#awake = { bootId: table.bootId, stretches };
    memory?.save(table.bootId, stretches);
    return { ...table, awake: stretches };
  }

  /** After a time without looks, as after a sleep, what was announced before is announced again. */
  #keepWatch(table: ProcessTable, settings: Settings): void {
    const maxSeconds = Math.max(maxUnwatchedSeconds, settings.scanIntervalSeconds * 3);
    const unwatched = this.#lastTicks === null || table.nowTicks - this.#lastTicks > maxSeconds * table.ticksPerSecond;
    if (unwatched && this.#tools.announces === true) this.#watchedFromTicks = table.nowTicks;
    this.#lastTicks = table.nowTicks;
  }

  #stillAnnounced(entry: LedgerEntry): LedgerEntry {
    return entry.announcedAtTicks !== null && entry.announcedAtTicks < this.#watchedFromTicks
      ? { ...entry, announcedAtTicks: null }
      : entry;
  }

  /** What was announced until now is announced again before anything of it is ended. */
  forgetAnnouncements(): void {
    this.#lastTicks = null;
  }

  /** How many looks were begun: when it has changed, somebody has looked meanwhile. */
  get looks(): number {
    return this.#looks;
  }

  /** What a job of the latest look is held to, where it was started with `curfew run`; else null. */
  runOf(id: JobId): RunTerms | null {
    return this.#runs.get(id) ?? null;
  }

  /** What the vetoes must know about a job besides its processes, as of the latest look. */
  vetoContext(job: Job, look: Look): VetoContext {
    const entry = look.jobs.get(job.id)?.entry;
    return this.#contextFor(look.table, entry ?? null, job);
  }

  #contextFor(table: ProcessTable, entry: LedgerEntry | null, job: Job): VetoContext {
    const { source, evidence } = this.#tools;
    const ownPid = this.#tools.ownPid?.() ?? asPid(process.pid);
    const own = table.rows.get(ownPid);
    const ancestors = new Set<Pid>();
    const harmless = this.#harmless?.(job.members);
    for (let row = own; row !== undefined && !ancestors.has(row.ppid); row = table.rows.get(row.ppid)) {
      ancestors.add(row.ppid);
    }
    return {
      ownPid,
      ownAncestors: ancestors,
      ownGroup: own?.pgid ?? ownPid,
      uid: table.uid,
      pidNamespace: source.pidNamespace,
      cgroups: source.cgroups,
      isAgent: (row) => evidence.program(row) !== null,
      ownerServices: entry?.ownerService == null ? [] : [entry.ownerService],
      keptByAgent: this.#directory.keptByAgent,
      ...(entry?.keep === undefined ? {} : { keep: entry.keep }),
      jobMembers: new Set(entry?.members.map(({ pid }) => pid) ?? []),
      ...(harmless === undefined ? {} : { harmlessSockets: harmless }),
      rows: table.rows,
    };
  }

  #serviceOf(table: ProcessTable, owner: ProcessRef): string | null {
    const row = table.rows.get(asPid(owner.pid));
    if (row === undefined || row.startTicks !== owner.startTicks) return null;
    const cgroups = this.#tools.source.facts([row]).get(row.pid)?.cgroups ?? null;
    return cgroups === null ? null : serviceOf(cgroups);
  }
}
