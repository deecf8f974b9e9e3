import { asAgentSessionId } from '../../../app/agents/common/agent-id.ts';
import type { IncidentEvent, Intent } from '../../../app/history/incident.ts';
import type { EndedSession } from '../../../app/jobs/sessions/ended-sessions.ts';
import type { LedgerEntry } from '../../../app/jobs/ledger/ledger.ts';
import type { Evidence } from '../../../app/jobs/lineage/evidence.ts';
import type { Witness } from '../../../app/jobs/lineage/witness.ts';
import type { JobId } from '../../../app/model/job.ts';
import type { SessionDirectory } from '../../../app/model/session.ts';
import { emptySessionDirectory } from '../../../app/model/session.ts';
import { asPid } from '../../../app/process/identity.ts';
import { identityOf } from '../../../app/process/table.ts';
import type { SignalName } from '../../../app/process/signal.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import type { Signaller } from '../../../main/os/processes/signaller.ts';
import { evidenceFrom } from '../../../main/observing/evidence.ts';
import type { Journal } from '../../../main/reaping/journal.ts';
import type { JudgedJob, Look } from '../../../main/observing/look.ts';
import { Observer } from '../../../main/observing/observer.ts';
import { planFor } from '../../../main/reaping/plan.ts';
import { Reaper } from '../../../main/reaping/reaper.ts';
import { SparedFile } from '../../../main/store/spared/spared-file.ts';
import { machineOf, type Machine } from '../jobs/machine.ts';
import type { Plant } from '../jobs/plant.ts';
import { playedSignaller } from './played-signaller.ts';

/** One signal as the machine heard it. */
export interface Heard {
  readonly signal: SignalName;
  readonly pid: number;
  /** It came to the whole group. */
  readonly group: boolean;
}

/** A disk on which an incident is written, that can be full. */
class ScriptedJournal implements Journal {
  readonly intents: Intent[] = [];
  readonly events: IncidentEvent[] = [];
  /** Throws at the intent, or at whatever comes after it. */
  broken: 'nothing' | 'intent' | 'events' = 'nothing';
  /** Called at each write, before it. */
  onWrite: () => void = () => undefined;

  begin(intent: Intent, admit?: (open: readonly Intent[]) => void): void {
    this.onWrite();
    if (this.broken === 'intent') throw new Error('the disk is full');
    admit?.(this.intents);
    this.intents.push(intent);
  }

  append(_incident: string, event: IncidentEvent): void {
    this.onWrite();
    if (this.broken === 'events') throw new Error('the disk is full');
    this.events.push(event);
  }

  together(write: () => void): void {
    write();
  }
}

/** The job as a look finds it once its notice was given and its time has come. */
export const dueAndTold = ({ job, verdict, ...judged }: JudgedJob): JudgedJob => {
  const { announces: _over, ...said } = verdict;
  return { ...judged, job: { ...job, announcedSeconds: 60 }, verdict: { ...said, action: 'reap' } };
};

/**
 * A machine of plants with the real observer and the real reaper on it. Only what can't be real in
 * a unit test is played: processes, signals and the disk. TERM and KILL end a process at once,
 * unless it is deaf to the first.
 */
export class Stage {
  readonly machine: Machine;
  readonly journal = new ScriptedJournal();
  readonly heard: Heard[] = [];
  readonly deaf = new Set<number>();
  readonly unkillable = new Set<number>();
  /** Called when a signal is about to reach a process. */
  onSignal: (signal: SignalName, pid: number) => void = () => undefined;
  directory: SessionDirectory = emptySessionDirectory;
  settings: Settings = { ...defaultSettings, mode: 'enforce' };
  ledger: readonly LedgerEntry[] = [];
  witnesses: readonly Witness[] = [];
  readonly spared = new SparedFile([], () => undefined);
  /** What hooks told. */
  ended: readonly EndedSession[] = [];
  /** Nothing is to be ended or told by itself. */
  paused = false;
  /** Wall clock, milliseconds. */
  wallMs = 1_795_000_000_000;
  /** A clock that is never set, milliseconds. */
  steadyMs = 0;
  readonly evidence: Evidence;
  readonly observer: Observer;
  readonly reaper: Reaper;

  constructor(...plants: readonly Plant[]) {
    this.machine = machineOf(plants);
    const { source } = this.machine;
    this.evidence = evidenceFrom(
      source,
      () => this.settings.rules,
      () => this.machine.table().rows,
    );
    this.observer = new Observer({
      source,
      evidence: this.evidence,
      readSessions: () => this.directory,
      ledger: {
        load: () => this.ledger,
        save: (_boot, entries) => (this.ledger = entries),
        witnesses: () => this.witnesses,
        saveWitnesses: (_boot, witnesses) => (this.witnesses = witnesses),
        spared: {
          meet: (now) => this.spared.meet(now, 'the ledger'),
          note: (now, facts) => this.spared.note(now, facts),
          say: (now, facts) => this.spared.say(now, facts),
          takeBack: (now, of) => this.spared.takeBack(now, of),
        },
      },
      announces: true,
      settings: () => this.settings,
      now: () => this.wallMs,
      fileBytes: () => null,
      endedSessions: () => this.ended,
      freeBytes: () => null,
      numberIn: () => null,
    });
    this.reaper = new Reaper({
      source,
      signaller: this.#signaller(),
      journal: this.journal,
      now: () => this.wallMs,
      steadyNow: () => this.steadyMs,
      paused: () => this.paused,
      writer: { pid: 999, startTicks: 1 },
      vetoContext: (job, look) => this.observer.vetoContext(job, look),
      outputTail: () => null,
      outputToTellIn: () => null,
      tellAgent: () => ({ told: false, text: 'nowhere' }),
    });
  }

  /** Lets time pass, on every clock. */
  pass(seconds: number): void {
    this.machine.pass(seconds);
    this.wallMs += seconds * 1000;
    this.steadyMs += seconds * 1000;
  }

  /** The user keeps a job from now on. */
  keep(job: JobId, seconds: number): void {
    const now = this.machine.table();
    const keep = { fromTicks: now.nowTicks, seconds, by: 'user', capSeconds: null } as const;
    this.spared.say(now, [{ kind: 'keep', job, keep }]);
  }

  /** The user is told of the end of every job that was found and not announced yet. */
  announce(): void {
    const announcedAtTicks = this.machine.table().nowTicks;
    this.ledger = this.ledger.map((entry) => ({
      ...entry,
      announcedAtTicks: entry.announcedAtTicks ?? announcedAtTicks,
    }));
  }

  /** A living process of Claude Code holds the tasks of that session. */
  adopt(session: string, pid: number): void {
    const row = this.machine.source.read(asPid(pid));
    if (row === null) throw new Error(`there is no process ${pid}`);
    const by = identityOf(this.machine.table(), row);
    const one = {
      agent: 'claude-code',
      session: asAgentSessionId(session),
      by,
      evidence: 'its tasks are open',
    } as const;
    this.directory = { ...this.directory, adoptions: [...this.directory.adoptions, one] };
  }

  /** Looks, and takes the job with this root up for reaping. */
  begin(root: number, decidedBy: 'rule' | 'person' = 'rule'): Look {
    const look = this.observer.look();
    const judged = [...look.jobs.values()].find(({ job }) => Number(job.root.pid) === root);
    if (judged === undefined) throw new Error(`no job has process ${root} for its root`);
    this.reaper.start({ job: judged.job.id, decidedBy, plan: planFor(judged.job, this.settings) }, dueAndTold(judged));
    return look;
  }

  /**
   * Looks and lets the reaper go on, every `stepSeconds`, until nothing is in progress. Gives the
   * outcomes.
   */
  finish(stepSeconds = 1, maxSteps = 60): readonly (string | null)[] {
    const outcomes: (string | null)[] = [];
    for (let step = 0; this.reaper.inProgress.length > 0; step += 1) {
      if (step === maxSteps) throw new Error('it does not end');
      this.pass(stepSeconds);
      if (this.reaper.needsLook()) outcomes.push(...this.advance());
    }
    return outcomes;
  }

  /** One look with which the reaper goes on. Gives the outcomes of what came to its end. */
  advance(): readonly (string | null)[] {
    const { ended, failed } = this.reaper.advance(this.observer.look());
    return [...ended.map(({ outcome }) => outcome), ...failed.map(() => 'failed')];
  }

  /** `TERM 69`, `group KILL 69`, in order. */
  get signals(): readonly string[] {
    return this.heard.map(({ signal, pid, group }) => `${group ? 'group ' : ''}${signal} ${pid}`);
  }

  #signaller(): Signaller {
    return playedSignaller(this.machine, (signal, pid, group) => {
      this.onSignal(signal, pid);
      this.heard.push({ signal, pid, group });
      const ends = signal === 'KILL' ? !this.unkillable.has(pid) : signal !== 'CONT' && !this.deaf.has(pid);
      if (ends && this.machine.planted(pid) !== undefined) this.machine.end(pid);
    });
  }
}
