import { asJobId, type JobId } from '../../../app/model/job.ts';
import { acceptRequest, type EndResult, resultOf } from '../../ending/end.ts';
import type { Look } from '../../observing/look.ts';
import type { OutputPart } from '../../output/output-part.ts';
import { planFor } from '../../reaping/plan.ts';
import type { Reaping } from '../../reaping/reaping.ts';
import { Watch } from '../../supervisor/watch.ts';
import type { HostState, HostSupervisorTools } from './host-events.ts';
import { HostFailure } from '../host-failure.ts';
import { InstalledReaper } from '../installed-reaper.ts';
import { outputPartOf } from '../answers/output.ts';

/** Seconds between two looks at another machine: each costs a process here and some there. */
const everySeconds = 30;
/** A machine out of reach is asked ever more rarely, down to once in this time. */
const maxPauseSeconds = 600;
/** Share of the time that looks may take. */
const maxShare = 0.1;
/** Share of pauses left to chance: many machines are not asked at once, nor after an outage. */
const jitter = 0.2;

/**
 * Returns the milliseconds until a machine is asked again.
 * @param failures number of looks in a row that failed
 * @param dueSeconds seconds until the second sighting of what was found due; null: nothing was
 * @param tookMs what the last one took, milliseconds
 * @param random from 0 to 1
 */
export const hostPauseMs = (
  {
    failures,
    tookMs,
    dueSeconds,
  }: { readonly failures: number; readonly tookMs: number; readonly dueSeconds: number | null },
  random: number,
): number => {
  const usualSeconds = Math.min(everySeconds * 2 ** failures, maxPauseSeconds);
  const seconds = Math.min(usualSeconds, dueSeconds ?? usualSeconds);
  return Math.max(seconds * 1000, tookMs / maxShare) * (1 + (random - 0.5) * 2 * jitter);
};

/** Returns the milliseconds until the first look: soon, and not at all machines at once. */
const firstPauseMs = (random: number): number => random * 2_000;

/** Looks at one other machine at its own pace, announces, and reaps what two looks found due. */
export class HostSupervisor {
  readonly host: string;
  readonly #tools: HostSupervisorTools;
  readonly #watch: Watch;
  /** Jobs whose reaping came to its end since the look was begun that is under way. */
  readonly #ended = new Set<JobId>();
  #timer: NodeJS.Timeout | null = null;
  #stopping = false;
  #failures = 0;
  #beating: Promise<void> | null = null;
  /** The output that was asked for last, and how long it was. */
  #output: { readonly path: string; readonly bytes: number } | null = null;
  #look: Look | null = null;
  #trouble: HostState['trouble'] = null;
  readonly #installed: InstalledReaper;

  constructor(host: string, tools: HostSupervisorTools) {
    this.host = host;
    this.#tools = tools;
    const { hosts, events } = tools;
    this.#installed = new InstalledReaper(host, hosts, events);
    this.#watch = new Watch({
      ...tools,
      where: 'elsewhere',
      observer: { forgetAnnouncements: () => hosts.open(host).forgetAnnouncements() },
      reaper: hosts.reaper(host),
      otherEnder: this.#installed,
      stopping: () => this.#stopping,
      now: Date.now,
      rememberNotices: (given, atMs) => hosts.ledger(host).rememberNotices(given, atMs),
      // That nothing can be recorded is told by the supervisor of this machine.
      events: { ...events, looked: (look) => this.#reached(look), problem: () => undefined },
    });
  }

  get state(): HostState {
    return { host: this.host, look: this.#look, trouble: this.#trouble };
  }

  get inProgress(): readonly Reaping[] {
    return this.#tools.hosts.reaper(this.host).inProgress;
  }

  /** Begins with a look soon. */
  start(): void {
    const reaper = this.#tools.hosts.reaper(this.host);
    reaper.onLook = (look) => this.#reached(look);
    reaper.onProgress = (progress) => {
      for (const { job } of progress.ended) this.#ended.add(asJobId(job));
      this.#watch.publish(progress);
    };
    this.#schedule(firstPauseMs(Math.random()));
  }

  /** Looks at once, and resolves when that look has been worked with. Never rejects. */
  async lookNow(): Promise<HostState> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#beat();
    return this.state;
  }

  /** Ends a job for the user in any mode; see `Supervisor.reap`. HostFailure: nothing was done. */
  async reap(id: JobId): Promise<EndResult> {
    if (this.#stopping) return { kind: 'stopping' };
    const { hosts, settings, journalProblem, events } = this.#tools;
    const before = this.#look;
    const look = await hosts.open(this.host).look();
    this.#reached(look);
    const reaper = hosts.reaper(this.host);
    const asked = acceptRequest(id, before, look, { reaper, journalProblem });
    if (asked.kind !== 'accepted') return asked;
    if (this.#installed.isReaping) return { kind: 'busy' };
    if (this.#installed.isThere) return this.#installed.reapForPerson(id);
    const { judged, begin } = asked;
    const reaping = begin({ job: id, decidedBy: 'person', plan: planFor(judged.job, settings()) }, judged, look);
    if (reaping === null) return { kind: 'busy' };
    events.reaping(judged, look, 'person');
    // The intent is on disk before the first question is asked over there.
    if (reaping.intent === null) await reaper.over(id);
    return resultOf(reaping) ?? { kind: 'failed', error: undefined };
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

  /** Tells a Curfew there a limit's delay, or none (null). Throws HostFailure, InstalledRefusal. */
  keep(id: JobId, seconds: number | null): Promise<void> {
    return this.#installed.keep(id, seconds);
  }

  /** Looks no more, and resolves when the reapings in progress have ended or lost the machine. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#tools.hosts.reaper(this.host).stop();
    // A look in the middle is not waited for: it ends with the connection.
    await Promise.all([this.#installed.idle(), this.#tools.hosts.reaper(this.host).idle()]);
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
    this.#ended.clear();
    try {
      const look = await this.#tools.hosts.open(this.host).look();
      await this.#installed.find();
      this.#failures = 0;
      if (!this.#stopping) {
        if (this.inProgress.length === 0) this.#completeRecords(look);
        this.#watch.now(look, this.#ended);
      }
      const isDue = [...look.jobs.values()].some(({ verdict }) => verdict.action === 'reap');
      if (isDue) dueSeconds = this.#tools.settings().scanIntervalSeconds;
    } catch (error) {
      this.#failures += 1;
      if (this.#stopping) return;
      if (error instanceof HostFailure) this.#lost(error);
      else this.#tools.events.problem(error);
    }
    const tookMs = performance.now() - began;
    this.#schedule(hostPauseMs({ failures: this.#failures, tookMs, dueSeconds }, Math.random()));
  }

  #reached(look: Look): void {
    this.#look = look;
    if (this.#trouble !== null) {
      this.#trouble = null;
      this.#tools.events.reach(null);
    }
    this.#tools.events.looked(look);
  }

  #lost(failure: HostFailure): void {
    const before = this.#trouble;
    this.#trouble = { failure, sinceMs: before?.sinceMs ?? Date.now() };
    // What was due when it was last seen must be seen due twice again.
    this.#watch.forget();
    if (before?.failure.message !== failure.message) this.#tools.events.reach(failure);
  }

  #completeRecords(look: Look): void {
    try {
      this.#tools.hosts.completeRecords(this.host, look.table);
    } catch (error) {
      this.#tools.events.problem(error);
    }
  }
}
