import type { Incident } from '../../../app/history/incident.ts';
import type { JobId } from '../../../app/jobs/model/job.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import type { JudgedJob, Look } from '../../observing/look.ts';
import type { OutputPart } from '../../output/output-part.ts';
import { type PersonalReap, confirmRequested } from '../../reaping/requested.ts';
import { planFor } from '../../reaping/plan.ts';
import type { ReapingFailure } from '../../reaping/progress.ts';
import type { Reaping } from '../../reaping/reaping.ts';
import { Retries } from '../../reaping/backoff.ts';
import { endsOfOneLook } from '../../reaping/bound.ts';
import { DueConfirmation } from '../../supervisor/due-confirmation.ts';
import { NoticeLedger } from '../../supervisor/notice-ledger.ts';
import type { HostState, HostSupervisorTools } from './host-events.ts';
import { HostFailure } from '../host-failure.ts';
import { firstPauseMs, hostPauseMs } from './host-pace.ts';
import { InstalledReaper } from '../installed-reaper.ts';
import { outputPartOf } from '../answers/output.ts';

/** Looks at one other machine at its own pace, announces, and reaps what two looks found due. */
export class HostSupervisor {
  readonly host: string;
  readonly #tools: HostSupervisorTools;
  readonly #dueConfirmation = new DueConfirmation();
  readonly #notices: NoticeLedger;
  readonly #retries = new Retries(() => performance.now());
  #timer: NodeJS.Timeout | null = null;
  #stopping = false;
  #failures = 0;
  #beating: Promise<void> | null = null;
  readonly #reapings = new Set<Promise<unknown>>();
  /** The output that was asked for last, and how long it was. */
  #output: { readonly path: string; readonly bytes: number } | null = null;
  #look: Look | null = null;
  #trouble: HostState['trouble'] = null;
  readonly #installed: InstalledReaper;

  constructor(host: string, tools: HostSupervisorTools) {
    this.host = host;
    this.#tools = tools;
    this.#notices = new NoticeLedger(tools.seen ?? null);
    this.#installed = new InstalledReaper(host, tools.hosts, tools.events.ended);
  }

  /** How it stands now. */
  get state(): HostState {
    return { host: this.host, look: this.#look, trouble: this.#trouble };
  }

  /** Reapings in progress there. */
  get inProgress(): readonly Reaping[] {
    return this.#tools.hosts.reaper(this.host).inProgress;
  }

  /** Begins with a look soon. */
  start(): void {
    this.#tools.hosts.reaper(this.host).onLook = (look) => {
      this.#reached(look);
    };
    this.#schedule(firstPauseMs(Math.random()));
  }

  /** Looks at once, and resolves when that look has been worked with. Never rejects. */
  async lookNow(): Promise<HostState> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#beat();
    return this.state;
  }

  /**
   * Ends a job by the user's decision, in every mode; see `Supervisor.reap`. Throws HostFailure;
   * then nothing was done.
   */
  async reap(id: JobId): Promise<PersonalReap> {
    if (this.#stopping) return { kind: 'stopping' };
    const { hosts, settings, journalProblem } = this.#tools;
    const before = this.#look;
    const look = await hosts.open(this.host).look();
    this.#reached(look);
    const seen = confirmRequested(id, before, look);
    if (seen.kind !== 'confirmed') return seen;
    const problem = journalProblem();
    if (problem !== null) return { kind: 'unrecordable', problem };
    if (this.#isBusy(id) || this.#installed.isReaping) return { kind: 'busy' };
    if (this.#installed.isThere) return this.#wait(this.#installed.reapForPerson(id));
    const ending = this.#begin(seen.judged, look, 'person', settings());
    // The intent is on disk before the first question is asked over there.
    const intent = this.inProgress.find(({ order }) => order.job === id)?.intent ?? null;
    if (intent !== null) return { kind: 'begun', incident: intent.id };
    const came = await ending;
    return 'error' in came ? { kind: 'failed', error: came.error } : { kind: 'ended', incident: came };
  }

  /**
   * The end of a job's output, and what of it is new since `fromByte`; null when there is none that
   * could be read. Throws HostFailure.
   * @param path as the job has it
   */
  async output(path: string, fromByte: number | null): Promise<OutputPart | null> {
    const end = await this.#tools.hosts.open(this.host).output(path);
    if (end === null) return null;
    const before = this.#output?.path === path ? this.#output.bytes : null;
    this.#output = { path, bytes: end.fileBytes };
    return outputPartOf(end, fromByte, before);
  }

  /**
   * Tells a Curfew over there that a job's limit is put off, or counts again (null). Throws
   * HostFailure, InstalledRefusal.
   */
  keep(id: JobId, seconds: number | null): Promise<void> {
    return this.#installed.keep(id, seconds);
  }

  /** Looks no more, and resolves when the reapings in progress have ended or lost the machine. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#tools.hosts.reaper(this.host).stop();
    // A look in the middle is not waited for: it ends with the connection.
    await Promise.all(this.#reapings);
  }

  #schedule(delayMs: number): void {
    if (this.#stopping) return;
    this.#timer = setTimeout(() => void this.#beat(), delayMs);
  }

  #beat(): Promise<void> {
    this.#beating ??= this.#work().finally(() => {
      this.#beating = null;
    });
    return this.#beating;
  }

  async #work(): Promise<void> {
    const began = performance.now();
    let dueSeconds: number | null = null;
    try {
      const look = await this.#tools.hosts.open(this.host).look();
      await this.#installed.find();
      this.#failures = 0;
      if (!this.#stopping) this.#workWith(look);
      const isDue = [...look.jobs.values()].some(({ verdict }) => verdict.action === 'reap');
      if (isDue) dueSeconds = this.#tools.settings().scanIntervalSeconds;
    } catch (error) {
      this.#failures += 1;
      if (this.#stopping) return;
      if (error instanceof HostFailure) this.#lost(error);
      else this.#tools.events.problem(this.host, error);
    }
    const tookMs = performance.now() - began;
    this.#schedule(hostPauseMs({ failures: this.#failures, tookMs, dueSeconds }, Math.random()));
  }

  #reached(look: Look): void {
    this.#look = look;
    if (this.#trouble !== null) {
      this.#trouble = null;
      this.#tools.events.reach(this.host, null);
    }
    this.#tools.events.looked(this.host, look);
  }

  #lost(failure: HostFailure): void {
    const before = this.#trouble;
    this.#trouble = { failure, sinceMs: before?.sinceMs ?? Date.now() };
    // What was due when it was last seen must be seen due twice again.
    this.#dueConfirmation.forget();
    if (before?.failure.message !== failure.message) this.#tools.events.reach(this.host, failure);
  }

  #workWith(look: Look): void {
    const { hosts, settings, paused, events } = this.#tools;
    if (this.inProgress.length === 0) this.#completeRecords(look);
    if (paused()) this.#dueConfirmation.forget(hosts.open(this.host));
    else if (!this.#stopping) {
      const ledger = hosts.ledger(this.host);
      this.#notices.notifyNew(
        look,
        (given) => ledger.rememberNotices(given, Date.now()),
        (judged) => events.noticed(this.host, judged, look),
      );
      this.#retries.keepOnly(look.jobs);
      const due = this.#dueConfirmation
        .confirm(look, settings())
        .filter(({ job }) => this.#retries.allows(job.id) && !this.#isBusy(job.id));
      if (due.length === 0 || this.#tools.journalProblem() !== null) {
        // Nothing to begin.
      } else if (this.#installed.isThere) this.#passThrough(endsOfOneLook(due, 'elsewhere'));
      else for (const judged of endsOfOneLook(due, 'elsewhere')) void this.#begin(judged, look, 'rule', settings());
    }
    this.#reached(look);
  }

  /**
   * The Curfew that is installed there decides by its own settings what is ended, of what was
   * announced here.
   */
  #passThrough(due: readonly JudgedJob[]): void {
    if (this.#installed.isReaping) return;
    for (const { job } of due) this.#retries.note(job.id, null);
    const pass = this.#installed
      .reapOf(new Set(due.map(({ job }) => job.id)))
      .catch((error: unknown) => this.#tools.events.problem(this.host, error));
    void this.#wait(pass);
  }

  #completeRecords(look: Look): void {
    try {
      this.#tools.hosts.completeRecords(this.host, look.table);
    } catch (error) {
      this.#tools.events.problem(this.host, error);
    }
  }

  #isBusy(id: JobId): boolean {
    return this.inProgress.some(({ order }) => order.job === id);
  }

  #begin(
    judged: JudgedJob,
    look: Look,
    decidedBy: 'rule' | 'person',
    settings: Settings,
  ): Promise<Incident | ReapingFailure> {
    const { hosts, events } = this.#tools;
    const { id } = judged.job;
    const order = { job: id, decidedBy, plan: planFor(judged.job, settings) };
    events.reaping(this.host, judged, look, decidedBy);
    const begun = hosts.reaper(this.host).reap(order, judged, look);
    const reaping = this.inProgress.find((one) => one.order.job === id);
    const ending = begun.then(
      (incident) => {
        this.#retries.note(id, incident.outcome);
        events.ended(incident);
        return incident;
      },
      (error: unknown) => {
        this.#retries.note(id, null);
        const { intent = null, left = judged.job.members.length } = reaping ?? {};
        const failure = { job: id, error, intent, left };
        events.failed(this.host, failure);
        return failure;
      },
    );
    return this.#wait(ending);
  }

  /** Is waited for when the watch ends. */
  #wait<Result>(work: Promise<Result>): Promise<Result> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.#reapings.add(settled);
    void settled.finally(() => this.#reapings.delete(settled));
    return work;
  }
}
