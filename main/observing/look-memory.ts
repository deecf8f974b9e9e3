import type { Pid, BootId } from '../../app/process/identity.ts';
import type { Diagnosis, JobId, RunTerms } from '../../app/model/job.ts';
import { emptySessionDirectory, type SessionDirectory } from '../../app/model/session.ts';
import type { AgentWatch } from './agent-watch.ts';
import type { HarmlessSockets, Judged, Scan } from './look.ts';
import { isOver, nothingSpared, sparedFacts, type Saying, type Spared } from '../../app/jobs/spared/spared.ts';
import type { LedgerMemory } from './observer-tools.ts';
import { observeAwake, type AwakeStretch } from '../../app/process/awake.ts';
import type { ProcessTable } from '../../app/process/table.ts';

export class AwakeMemory {
  readonly #stored: LedgerMemory['awake'];
  #latest: {
    readonly bootId: BootId;
    readonly stretches: readonly AwakeStretch[];
    readonly atMs: number;
  } | null = null;

  /** @param stored what other runs of Curfew know of it; undefined: they keep nothing */
  constructor(stored: LedgerMemory['awake']) {
    this.#stored = stored;
  }

  /** Returns a table with what is known, to which it adds, and remembers that. */
  added(table: ProcessTable): ProcessTable {
    const atMs = performance.now();
    const latest = this.#latest?.bootId === table.bootId ? this.#latest : null;
    const known = this.#stored?.load(table.bootId) ?? latest?.stretches ?? [];
    const stretches = observeAwake(known, {
      ...table,
      ...(latest === null ? {} : { seenSeconds: (atMs - latest.atMs) / 1000 }),
    });
    this.#latest = { bootId: table.bootId, stretches, atMs };
    this.#stored?.save(table.bootId, stretches);
    return { ...table, awake: stretches };
  }
}

export class LookMemory {
  readonly #ledger: LedgerMemory;
  #watched: ReadonlySet<Pid> = new Set();
  #directory: SessionDirectory = emptySessionDirectory;
  #diagnosed: ReadonlyMap<JobId, readonly Diagnosis[]> = new Map();
  #runs: ReadonlyMap<JobId, RunTerms> = new Map();
  #decided = false;
  #spared: Spared = nothingSpared;
  #latest: Saying | null = null;
  #harmlessSockets: HarmlessSockets = undefined;
  /** When a closed connection to a job was seen last, in ticks. */
  readonly recentClients = new Map<JobId, number>();

  constructor(ledger: LedgerMemory) {
    this.#ledger = ledger;
  }

  remember(
    { table, directory, drafts, witnesses, spared }: Scan,
    { jobs, harmless, decides }: Omit<Judged, 'assembled'>,
    agents: Pick<AgentWatch, 'watched'>,
  ): void {
    const judged = [...jobs.values()];
    for (const id of this.recentClients.keys()) if (!jobs.has(id)) this.recentClients.delete(id);
    this.#decided = decides;
    this.#spared = spared;
    this.#latest = { bootId: table.bootId, nowTicks: table.nowTicks };
    this.#directory = directory;
    this.#harmlessSockets = harmless;
    this.#watched = new Set([
      ...judged.flatMap(({ job }) => job.members.map(({ row }) => row.pid)),
      ...directory.sessions.flatMap(({ pid }) => pid ?? []),
      ...agents.watched(),
    ]);
    this.#runs = new Map(drafts.flatMap(({ id, run }) => (run === null ? [] : [[id, run] as const])));
    this.#diagnosed = new Map(judged.map(({ job }) => [job.id, job.diagnoses]));
    this.#ledger.save(
      table.bootId,
      judged.map(({ entry }) => entry),
    );
    this.#ledger.saveWitnesses(table.bootId, witnesses);
    const entries = judged.map(({ entry }) => entry);
    this.#ledger.spared?.note(table, sparedFacts(entries, witnesses), isOver(table));
  }

  /** What the next scan of the table reads closely: members of jobs and agents' processes. */
  get watched(): ReadonlySet<Pid> {
    return this.#watched;
  }

  /** The sessions as they were read last. */
  get directory(): SessionDirectory {
    return this.#directory;
  }

  get diagnosed(): ReadonlyMap<JobId, readonly Diagnosis[]> {
    return this.#diagnosed;
  }

  get runs(): ReadonlyMap<JobId, RunTerms> {
    return this.#runs;
  }

  /** The moment of the latest look; null: there was none. */
  get latest(): Saying | null {
    return this.#latest;
  }

  get spared(): Spared {
    return this.#spared;
  }

  /** The end of some job was announced, or due. */
  get decided(): boolean {
    return this.#decided;
  }

  get harmlessSockets(): HarmlessSockets {
    return this.#harmlessSockets;
  }
}
