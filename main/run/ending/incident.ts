import type { Found } from '../../../app/format/secrets/safe-text.ts';
import { safeName, safeView } from '../../../app/format/secrets/safe-view.ts';
import { redactCommand } from '../../../app/format/secrets/redact.ts';
import { ownerSaid, type Said } from '../../../app/format/said.ts';
import { belongsBy } from '../../../app/text/evidence.ts';
import { noted, notedEvidence } from '../../../app/text/noted.ts';
import { type Form, inEnglish, say, saidOf, warned } from '../../../app/text/say.ts';
import type { Incident, IncidentEvent, Intent, SignalRecord } from '../../../app/history/incident.ts';
import { incidentId, incidentRandomRange } from '../../../app/history/incident-id.ts';
import { jobIdOf } from '../../../app/jobs/ledger/job-id.ts';
import type { Reason } from '../../../app/judge/verdict.ts';
import { asBootId, identityKey, type IdentityKey, type Pid } from '../../../app/process/identity.ts';
import { identityOf, type ProcessTable } from '../../../app/process/table.ts';
import { processMemory } from '../../os/process-memory.ts';
import type { ProcessSource } from '../../os/processes/source.ts';
import { beforeUsText, cameTooLate, FreedAccount, recordedProcess, wasHeard } from '../../reaping/freed.ts';
import type { Journal } from '../../reaping/journal.ts';
import type { EndingResult } from './end-requests.ts';
import type { EndCauseName, RunRecord } from '../record/record.ts';
import type { RunMember, Tie } from '../members/membership.ts';
import type { RunMembers } from '../members/view.ts';

export interface RunIncidentTools {
  readonly journal: Journal;
  readonly source: Pick<ProcessSource, 'facts' | 'portsInUse'>;
  /** The last lines of its output, redacted; null where it went elsewhere. */
  readonly outputTail: () => string | null;
  /** Told when the history can't be written. The run still ends: the user relies on its limit. */
  readonly warn: (said: Said) => void;
}

/** Causes of incidents: overstaying, or a lost `curfew run`; not its own or the user's end. */
export type OverstayCause = Extract<EndCauseName, 'max-elapsed' | 'hard-cap' | 'idle' | 'abandoned'>;

/** See `OverstayCause`. */
export const isOverstay = (cause: string): cause is OverstayCause =>
  cause === 'max-elapsed' || cause === 'hard-cap' || cause === 'idle' || cause === 'abandoned';

const verdicts: Readonly<Record<OverstayCause, string>> = {
  'max-elapsed': 'overdue',
  'hard-cap': 'past-cap',
  idle: 'overdue',
  abandoned: 'orphaned',
};

const reasonOf = (cause: OverstayCause, { limits }: RunRecord, ageSeconds: number): Reason => {
  switch (cause) {
    case 'max-elapsed':
      return { code: 'past-max-elapsed', figures: { ageSeconds, limitSeconds: limits.maxElapsedSeconds ?? 0 } };
    case 'hard-cap':
      return { code: 'past-hard-cap', figures: { ageSeconds, limitSeconds: limits.hardCapSeconds } };
    case 'idle':
      return { code: 'idle-after-result', figures: { limitSeconds: limits.idleGraceSeconds } };
    case 'abandoned':
      return { code: 'own-limits', figures: { state: 'gone' } };
  }
};

const ties = {
  root: 'is the command itself',
  seen: 'belonged to it before',
  child: 'was adopted by its `curfew run`',
  cgroup: 'is in its control group',
  group: 'shares its process group',
  session: 'shares its kernel session',
  cookie: 'carries its cookie in the environment',
  tree: 'descends from it',
} as const satisfies Readonly<Record<Tie, Form>>;

/**
 * The record, in the history, of a run that is ended because it overstayed: what it was and why
 * before the first signal, each signal, and what became of it. Never throws.
 */
export class RunIncident {
  readonly #tools: RunIncidentTools;
  readonly #record: RunRecord;
  readonly #cause: OverstayCause;
  readonly #freed = new FreedAccount(processMemory);
  #id: string | null = null;
  readonly #sent: SignalRecord[] = [];

  constructor(record: RunRecord, cause: OverstayCause, tools: RunIncidentTools) {
    this.#record = record;
    this.#cause = cause;
    this.#tools = tools;
  }

  /** Before the first signal. */
  begin(sight: RunMembers): void {
    this.note(sight);
    this.#write(() => {
      const intent = this.#intent(sight);
      this.#tools.journal.begin(intent);
      this.#id = intent.id;
    });
  }

  /** Keeps account of what its processes hold, as long as they live. */
  note(sight: RunMembers): void {
    try {
      const rows = endedIn(sight).map(({ row }) => row);
      const facts = this.#tools.source.facts(rows);
      this.#freed.note(
        rows.map((row) => ({ key: identityKey(identityOf(sight.table, row)), row, facts: facts.get(Number(row.pid)) })),
      );
    } catch (error) {
      this.#complain(error);
    }
  }

  /** After signals. */
  signals(signals: readonly SignalRecord[]): void {
    if (signals.length === 0) return;
    this.#sent.push(...signals);
    this.#append(signals.map((signal) => ({ kind: 'signal', signal })));
  }

  /** At the end; `sight` is the last look, which shows what is left. */
  end(result: EndingResult, sight: RunMembers): void {
    const left = new Set<IdentityKey>(
      [...sight.members.values()].map(({ row }) => identityKey(identityOf(sight.table, row))),
    );
    const isDead = (key: IdentityKey): boolean => !left.has(key);
    const atMs = Date.now();
    const dead = this.#freed.processes(isDead);
    const beforeUs = (result.outcome === 'reaped' || result.outcome === 'killed') && cameTooLate(this.#sent);
    const isFreedByUs = (key: IdentityKey): boolean => wasHeard(this.#sent) && isDead(key);
    const spared: readonly Found<IncidentEvent>[] = result.spared.map(({ pid, program, why }) =>
      noted(atMs, say('Process {pid} ({program}) was left alone: {why}.', { pid, program, why })),
    );
    const survivors = new Set<IdentityKey>(endedIn(sight).map(({ row }) => identityKey(identityOf(sight.table, row))));
    this.#append([
      ...spared,
      ...(dead.length === 0 ? [] : [{ kind: 'died', atMs, pids: dead.map(({ pid }) => pid) } as const]),
      ...(beforeUs ? [noted(atMs, beforeUsText)] : []),
      {
        kind: 'ended',
        atMs,
        outcome: beforeUs ? 'vanished' : result.outcome,
        survivors: this.#freed.processes((key) => survivors.has(key)).map(recordedProcess),
        freed: this.#freed.freedBy(isFreedByUs, () => this.#tools.source.portsInUse()),
        outputTail: this.#tools.outputTail(),
      },
    ]);
  }

  #intent(sight: RunMembers): Intent {
    const { table, spared } = sight;
    const members = endedIn(sight);
    const record = this.#record;
    const cause = this.#cause;
    const atMs = Date.now();
    const ageSeconds = Math.max(0, Math.round((atMs - Date.parse(record.startedAt)) / 1000));
    const supervisor = { pid: record.supervisor.pid };
    const known =
      cause === 'abandoned'
        ? say('its `curfew run` (process {pid}) was killed', supervisor)
        : say('its `curfew run` (process {pid}) ended it', supervisor);
    return safeView<Intent>({
      id: incidentId(atMs, Math.floor(Math.random() * incidentRandomRange)),
      atMs,
      host: 'local',
      bootId: table.bootId,
      writer: writerIn(table),
      job: record.root === null ? record.id : jobIdOf(asBootId(record.root.bootId), record.root, new Set()),
      agent: 'curfew-run',
      rule: 'curfew-run',
      command: redactCommand(record.name === null ? record.command : `${record.name}: ${record.command}`),
      project: record.folder,
      session: null,
      task: record.id,
      output: null,
      ageSeconds,
      owner: cause === 'abandoned' ? 'gone' : 'live',
      ownerEvidence: inEnglish(known),
      ...ownerSaid(known, safeName),
      decidedBy: 'rule',
      verdict: verdicts[cause],
      reasons: [reasonOf(cause, record, ageSeconds)],
      ...notedEvidence([
        say('it was started with `curfew run` (run {run})', { run: record.id }),
        ...members.map(({ row, by }) => belongsBy(row.pid, by, ties)),
        ...spared.map(({ pid, program, why }) =>
          say('process {pid} ({program}) is left alone: {why}', { pid, program, why }),
        ),
      ]),
      processes: members.map(({ row }) => recordedProcess(row)),
      firstSignal: record.limits.signal,
      graceSeconds: record.limits.graceSeconds,
    });
  }

  #append(events: readonly Found<IncidentEvent>[]): void {
    const id = this.#id;
    if (id === null) return;
    this.#write(() =>
      this.#tools.journal.together(() => {
        for (const event of events) this.#tools.journal.append(id, safeView<IncidentEvent>(event));
      }),
    );
  }

  #write(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#complain(error);
    }
  }

  #complain(error: unknown): void {
    this.#tools.warn(warned(say('the end of this run is not in the history: {why}', { why: saidOf(error) })));
  }
}

/** The members that are not left alone. */
const endedIn = ({ members, spared }: RunMembers): readonly RunMember[] => {
  const alone = new Set(spared.map(({ pid }) => pid));
  return [...members.values()].filter(({ row }) => !alone.has(row.pid));
};

const writerIn = (table: ProcessTable): Incident['writer'] => ({
  pid: process.pid,
  startTicks: table.rows.get(process.pid as Pid)?.startTicks ?? 0,
});
