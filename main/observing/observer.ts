import { endsSoon } from '../../app/judge/preview.ts';
import type { Draft } from '../../app/jobs/find/draft.ts';
import { findingJobs } from '../../app/jobs/find/find-jobs.ts';
import type { LedgerEntry } from '../../app/jobs/ledger/ledger.ts';
import { endableRoots } from '../../app/jobs/servers/older-sets.ts';
import { withKeptOf, withUsersOf } from '../../app/jobs/lineage/other-reader.ts';
import { type AssembledJob, assemblingJobs } from '../../app/jobs/measure/assemble.ts';
import { hurriesAfter } from '../../app/jobs/sessions/ended-sessions.ts';
import { type Saying, mineWitnesses, nothingSpared, withoutMine, withoutSaid } from '../../app/jobs/spared/spared.ts';
import { quietWindowSeconds } from '../../app/judge/limits.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import type { Diagnosis, Job, JobId, RunTerms } from '../../app/model/job.ts';
import { asPid, cookieName } from '../../app/process/identity.ts';
import { type Steps, drain } from '../../app/process/steps.ts';
import { unreachableRule } from '../../app/reach/ending.ts';
import { judgingJobs, lookAtAgents } from './judging.ts';
import { AgentWatch } from './agent-watch.ts';
import { Announcements } from './announcements.ts';
import { readExchanges } from './clients.ts';
import { noteContainers, withContainers } from './container-watch.ts';
import { AwakeMemory, LookMemory } from './look-memory.ts';
import type { HarmlessSockets, Judged, JudgedJob, Look, Scan } from './look.ts';
import type { ObserverTools } from './observer-tools.ts';
import { Prober } from './prober.ts';
import { ServerQuiet } from './server-quiet.ts';
import { Slices, unlessSuperseded } from './slices.ts';
import { ownerServiceOf, vetoContextOf } from './veto-context.ts';

/**
 * Measures what the jobs of a scan hold and do, and diagnoses what keeps them.
 * @param latest what the look before diagnosed
 */
const assemblingScan = function* (
  { source, fileBytes }: Pick<ObserverTools, 'source' | 'fileBytes'>,
  { settings, table, known, drafts, facts, probes, spared, before }: Scan,
  latest: ReadonlyMap<JobId, readonly Diagnosis[]>,
): Steps<readonly AssembledJob[]> {
  const { backgroundMaxElapsedSeconds, backgroundMaxElapsedSecondsHardCap } = settings;
  const exchanges = readExchanges(source.sockets, table, drafts, facts, settings);
  yield;
  return yield* assemblingJobs({
    table,
    drafts,
    facts,
    outputBytes: fileBytes,
    ownerService: (owner) => ownerServiceOf(source, table, owner),
    keptElsewhere: [...known.flatMap(({ keep }) => keep?.kept ?? []), ...spared.carried],
    witnesses: before,
    keeps: spared.keeps,
    exchanges,
    diagnosing: {
      probes,
      latest,
      patienceSeconds: quietWindowSeconds(backgroundMaxElapsedSeconds),
      limitSeconds: backgroundMaxElapsedSeconds,
      hardCapSeconds: backgroundMaxElapsedSecondsHardCap,
    },
  });
};

/** What of a job, or of something like one, the vetoes' context depends on. */
export type VetoSubject = Pick<Job, 'id' | 'agent' | 'members' | 'reach'>;

/** Looks at the machine: reads it, finds the jobs, asks the judge, remembers. Never signals. */
export class Observer {
  readonly #tools: ObserverTools;
  readonly #prober: Prober;
  readonly #announcements: Announcements;
  readonly #agents: AgentWatch;
  readonly #memory: LookMemory;
  readonly #quiet = new ServerQuiet();
  #looks = 0;
  readonly #awake: AwakeMemory;

  constructor(tools: ObserverTools) {
    this.#tools = tools;
    this.#memory = new LookMemory(tools.ledger);
    this.#prober = new Prober(tools);
    this.#awake = new AwakeMemory(tools.ledger.awake);
    this.#announcements = new Announcements(tools.announces === true);
    this.#agents = new AgentWatch(tools);
  }

  /**
   * Looks once. Throws ProcessTableUnreadable; then nothing may be concluded and nothing has been
   * remembered.
   */
  look(): Look {
    return drain(this.looking(Infinity));
  }

  /**
   * Begins a look and returns its steps, each of which takes `sliceMs`, roughly. It goes by one
   * table and by the settings and the ledger of one moment, whatever comes between the steps. When
   * another look was begun, its next step throws LookSuperseded; what it remembers it remembers
   * with the last step. Throws as `look` does.
   */
  looking(sliceMs: number): Steps<Look> {
    this.#looks += 1;
    const slices = new Slices(sliceMs);
    const number = this.#looks;
    return unlessSuperseded(slices.of(this.#look(slices)), () => number !== this.#looks);
  }

  *#look(slices: Slices): Steps<Look> {
    let scan = yield* this.#scan();
    let judged = yield* this.#judge(scan);
    // What is announced or ended is judged by facts of this very look.
    if (scan.from === 'kept' && judged.decides) {
      scan = { ...scan, facts: yield* this.#facts(scan.drafts, 'fresh') };
      judged = yield* this.#judge(scan);
    }
    const { assembled, harmless } = judged;
    const { table, directory, endedSessions } = scan;
    const known = { table, directory, harmless, spared: scan.spared, ends: false } as const;
    const containers = noteContainers(this.#tools.source, scan);
    const isOlderSet = ({ job }: JudgedJob): boolean =>
      job.server?.standing === 'living' && scan.olderRoots.has(job.root.pid);
    const older = [...judged.jobs].filter(([, one]) => isOlderSet(one));
    const others =
      this.#tools.allServers === true ? judged.jobs : new Map([...judged.jobs].filter(([, one]) => !isOlderSet(one)));
    const { agents, agentJobs, jobs } = lookAtAgents(this.#agents, withContainers(others, containers), {
      ...scan,
      announcements: this.#announcements,
      source: this.#tools.source,
      nowMs: scan.table.takenAtMs,
      contextFor: (entry, job) => this.#contextFor(known, entry, job),
    });
    const found = assembled.map(({ job }) => job);
    const hurries = hurriesAfter(endedSessions, directory.sessions, found, table.takenAtMs);
    const measured = this.#quiet.noted(table, scan.witnesses, this.#tools.source);
    const witnesses = [...measured, ...this.#agents.witnesses(), ...containers];
    this.#memory.remember({ ...scan, witnesses }, { jobs, harmless, decides: judged.decides }, this.#agents);
    return {
      table,
      sessions: directory.sessions,
      directory,
      jobs,
      serving: scan.serving,
      servers: measured.filter((one) => one.kind === 'server'),
      agents,
      agentJobs: new Map([...agentJobs, ...older]),
      olderSets: new Set(older.map(([id]) => id)),
      containers,
      ...slices.taken(),
      ...(hurries ? { hurries } : {}),
    };
  }

  *#facts(drafts: readonly Draft[], from: Scan['from']): Steps<Scan['facts']> {
    const { source } = this.#tools;
    const rows = drafts.flatMap((draft) => draft.members.map(({ row }) => row));
    return source.steps === undefined ? source.facts(rows) : yield* source.steps.readingFacts(rows, from);
  }

  *#judge(scan: Scan): Steps<Judged> {
    const { settings, table, directory, endedSessions } = scan;
    const { terms } = this.#tools;
    const assembled = yield* assemblingScan(this.#tools, scan, this.#memory.diagnosed);
    const { jobs, harmless } = yield* judgingJobs({
      assembled,
      settings,
      probing: this.#tools.source.sockets,
      table,
      recent: this.#memory.recentClients,
      factsOf: (row) => this.#tools.source.facts([row]).get(row.pid),
      endedSessions,
      announcements: this.#announcements,
      vetoContext: (entry, job, known, ends) =>
        this.#contextFor(
          {
            table,
            directory,
            harmless: known,
            spared: scan.spared,
            ends: ends && (scan.from === 'kept' ? 'shown' : 'now'),
          },
          entry,
          job,
        ),
      nowMs: table.takenAtMs,
      lostAtTicks: scan.spared.lostAtTicks,
      ...(terms === undefined ? {} : { terms }),
    });
    return { assembled, jobs, harmless, decides: [...jobs.values()].some(({ verdict }) => endsSoon(verdict)) };
  }

  /**
   * Reads the process table, the sessions and the ledger, finds the jobs, and reads what their
   * members hold.
   */
  *#scan(): Steps<Scan> {
    const { source, evidence, ledger } = this.#tools;
    // Once a look: each time is a look at two files, and one look is to be judged by one set of
    // settings.
    const settings = this.#tools.settings();
    const { watched } = this.#memory;
    const scanned = source.steps === undefined ? source.scan(watched) : yield* source.steps.scanning(watched);
    const table = this.#awake.added(scanned);
    this.#announcements.noteScan(table, settings);
    yield;
    const directory = this.#tools.readSessions(table);
    const endedSessions = this.#tools.endedSessions?.() ?? [];
    yield;
    const known = withKeptOf(table, ledger.load(table.bootId));
    const spared = ledger.spared?.meet(table) ?? nothingSpared;
    const remembered = [...ledger.witnesses(table.bootId), ...spared.witnesses, ...mineWitnesses(spared, table)];
    const before = this.#agents.begin(table, withUsersOf(table, remembered));
    const olderRoots = endableRoots(
      table,
      before.filter((one) => one.kind === 'server'),
    );
    const {
      drafts: found,
      witnesses: seen,
      serving,
    } = yield* findingJobs({
      table,
      evidence,
      directory,
      ledger: known.filter(({ rule }) => rule !== unreachableRule).map((entry) => this.#announcements.current(entry)),
      witnesses: before,
      cannotOwn: this.#agents.cannotOwn,
      runs: this.#tools.readRuns?.(table.bootId) ?? [],
      cookie: (row) => source.environment(row)?.[cookieName] ?? null,
      allServers: this.#tools.allServers === true || olderRoots,
      ...(this.#tools.showsDetached === true ? { showsDetached: true } : {}),
    });
    const drafts = withoutMine(found, spared);
    const witnesses = withoutSaid(seen, spared);
    const from = this.#memory.decided ? 'fresh' : 'kept';
    const facts = yield* this.#facts(drafts, from);
    const probes = yield* this.#prober.probing(table, drafts, facts);
    return {
      settings,
      table,
      directory,
      known,
      drafts,
      serving,
      olderRoots,
      spared,
      before,
      witnesses,
      facts,
      from,
      probes,
      endedSessions,
    };
  }

  /**
   * Voids announcements: what was announced until now is announced again before anything of it is
   * ended.
   */
  forgetAnnouncements(): void {
    this.#announcements.forget();
  }

  /** What the user said of a job that is none any more, as of the latest look; null: nothing. */
  saidMine(id: string): { readonly id: JobId; readonly at: Saying } | null {
    const said = this.#memory.spared.mine.find(({ job }) => job === id);
    const at = this.#memory.latest;
    return said === undefined || at === null ? null : { id: said.job, at };
  }

  /** Number of looks begun. A change means that another look was made meanwhile. */
  get looks(): number {
    return this.#looks;
  }

  /**
   * Returns the limits of a job of the latest look that was started with `curfew run`; else null.
   */
  runOf(id: JobId): RunTerms | null {
    return this.#memory.runs.get(id) ?? null;
  }

  vetoContext(job: VetoSubject, look: Look): VetoContext {
    if (job.reach !== undefined) this.#agents.forgetHolders();
    const { entry = null } = look.jobs.get(job.id) ?? look.agentJobs?.get(job.id) ?? {};
    const { table } = look;
    return this.#contextFor(
      {
        table,
        directory: this.#memory.directory,
        harmless: this.#memory.harmlessSockets,
        // As of this very moment.
        spared: this.#tools.ledger.spared?.meet(table) ?? nothingSpared,
        ends: 'now',
      },
      entry,
      job,
    );
  }

  #contextFor(
    known: Pick<Scan, 'table' | 'directory' | 'spared'> & {
      readonly harmless: HarmlessSockets;
      readonly ends: 'now' | 'shown' | false;
    },
    entry: LedgerEntry | null,
    job: VetoSubject,
  ): VetoContext {
    const { table, directory, harmless, spared, ends } = known;
    return vetoContextOf({
      source: this.#tools.source,
      evidence: {
        // Of an agent that no user can reach, as of this very moment.
        program: (row) =>
          job.reach !== undefined && this.#agents.confirms(row, job, table) ? null : this.#tools.evidence.program(row),
      },
      ownPid: this.#tools.ownPid?.() ?? asPid(process.pid),
      table,
      keptByAgent: directory.keptByAgent,
      entry,
      spared,
      ends,
      harmlessSockets: harmless?.(job.members),
    });
  }
}
