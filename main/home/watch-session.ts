import type { Said } from '../../app/format/said.ts';
import { say, SaidError, saidOf, warned } from '../../app/text/say.ts';
import { isCallFile } from '../../app/agents/signatures.ts';
import { messageOf } from '../../app/format/error-message.ts';
import { localHost } from '../../app/remote/host-list.ts';
import type { SupervisorKind, SupervisorLock } from '../store/supervisor-lock.ts';
import { hookFolders } from '../agents/hooks/form/folders.ts';
import { queueSessionNotice } from '../agents/hooks/inbox/notices.ts';
import { openAbandonedTools } from '../run/abandoned/abandoned-tools.ts';
import { giveBackMemory } from '../os/native/give-back-memory.ts';
import { AbandonedWatch } from '../run/abandoned/abandoned-watch.ts';
import { pruneRuns } from '../run/record/run-folder.ts';
import { HostWatch } from '../remote/watch/host-watch.ts';
import type { HostEvents } from '../remote/watch/host-events.ts';
import { UnexplainedExits, recordUnexplainedExit } from './unexplained-exits.ts';
import { Published } from '../publishing/published.ts';
import { type Engine, type EngineOptions, openEngine } from '../engine/engine.ts';
import { completeHere } from '../reaping/recovery.ts';
import { takeSupervision } from './supervisor-lock-holder.ts';
import type { SupervisorEvents } from '../supervisor/supervisor-tools.ts';
import { inTurns } from '../observing/slices.ts';
import { sliceMs } from '../supervisor/scan-continuation.ts';
import { readMemoryState } from '../os/memory-state.ts';
import { MemoryWatch } from '../supervisor/memory-watch.ts';
import { GlanceWatch } from '../supervisor/glance-watch.ts';
import type { SeenNotices } from '../supervisor/notice-ledger.ts';
import { Supervisor } from '../supervisor/supervisor.ts';

/** Another process supervises this home; the message says which, and what to do. */
export class SupervisionTaken extends SaidError {
  override readonly name = 'SupervisionTaken';
}

export interface SuperviseOptions extends Pick<EngineOptions, 'uid' | 'warn' | 'mode' | 'lines'> {
  /** The kind of supervisor, for others that try to start one. */
  readonly what: SupervisorKind;
  /** Which announcements were seen. Left out: each counts as soon as it is given. */
  readonly seen?: SeenNotices;
  /** The machines named in the settings are left alone. */
  readonly withoutHosts?: boolean;
}

/** Returns events of a machine that also go to the log and to collectors. */
const logged = <Events extends SupervisorEvents>(
  { log, lines }: Pick<Engine, 'log' | 'lines'>,
  host: string,
  events: Events,
): Events => {
  const where = host === localHost ? {} : { host };
  return {
    ...events,
    noticed: (judged, look) => {
      log.info('noticed', { ...where, job: judged.job.id, state: judged.verdict.state, command: judged.job.command });
      lines.noticed(host, judged);
      events.noticed(judged, look);
    },
    reaping: (judged, look, decidedBy) => {
      const { id, command } = judged.job;
      log.info('reaping', { ...where, job: id, state: judged.verdict.state, decidedBy, command });
      events.reaping(judged, look, decidedBy);
    },
    ended: (incident) => {
      log.info('ended', { ...where, job: incident.job, incident: incident.id, outcome: incident.outcome });
      events.ended(incident);
    },
    failed: (failure) => {
      log.error('reaping failed', { ...where, job: failure.job, problem: messageOf(failure.error) });
      lines.failed(host, failure.job, failure.error);
      events.failed(failure);
    },
    problem: (error) => {
      log.error('problem', { ...where, problem: messageOf(error) });
      lines.problem(host, error);
      events.problem(error);
    },
  };
};

/** The same of another machine, which can go out of reach. */
const loggedHost = (engine: Engine, host: string, events: HostEvents): HostEvents => ({
  ...logged(engine, host, events),
  reach: (failure) => {
    if (failure === null) engine.log.info('host is back', { host });
    else engine.log.error('host out of reach', { host, problem: failure.message });
    engine.lines.reach(host, failure);
    events.reach(failure);
  },
});

/** After the first looks the memory of the start is free; then it is given back now and then. */
const looksAtFirst = 3;
const looksBetween = 120;

/**
 * The supervision of a home, from taking its lock to releasing it: what `curfew watch` and the
 * windows' service share. Its owner ends it, also when it was lost.
 */
export class WatchSession {
  readonly engine: Engine;
  /** The machines named in the settings; watched from `begin` on. */
  readonly hosts: HostWatch;
  /** Resolves when the lock file was removed: this one must end, as another could start. */
  readonly lost: Promise<Said>;
  readonly #lock: SupervisorLock;
  readonly #lose: (problem: Said) => void;
  #supervisor: Supervisor | null = null;
  readonly #abandoned: AbandonedWatch;
  #refreshing: NodeJS.Timeout | null = null;
  #ended: Promise<void> | null = null;

  readonly #seen: SeenNotices | null;
  readonly #published: Published;

  readonly #withoutHosts: boolean;
  #looks = 0;

  private constructor(engine: Engine, lock: SupervisorLock, seen: SeenNotices | null, withoutHosts: boolean) {
    this.engine = engine;
    this.#withoutHosts = withoutHosts;
    this.#seen = seen;
    this.hosts = new HostWatch(engine, seen);
    this.#published = new Published(engine, () => this.hosts.states());
    this.#lock = lock;
    const { promise, resolve } = Promise.withResolvers<Said>();
    this.lost = promise;
    this.#lose = resolve;
    const { log, places } = engine;
    this.#abandoned = new AbandonedWatch(
      places.runs,
      () => openAbandonedTools(places, (text) => log.error('an abandoned run', { problem: text })),
      {
        ended: ({ record }) =>
          log.info('ended an abandoned run', {
            run: record.id,
            command: record.command,
            ...(record.end === null || record.end.spared.length === 0 ? {} : { leftAlone: record.end.spared }),
          }),
        failed: (run, error) => log.error('an abandoned run can not be ended', { run, problem: messageOf(error) }),
      },
    );
  }

  /**
   * Opens the engine and takes the supervisor's lock; scans nothing yet.
   * @throws SupervisionTaken when another process has it, StoreFailure when the lock can't be tried
   */
  static open({ what, seen, withoutHosts = false, ...options }: SuperviseOptions): WatchSession {
    const engine = openEngine({ ...options, takesHookEvents: true, announces: true });
    try {
      const supervision = takeSupervision(engine, what);
      if (!supervision.ok) throw new SupervisionTaken(supervision.problem);
      return new WatchSession(engine, supervision.lock, seen ?? null, withoutHosts);
    } catch (error) {
      engine.close();
      throw error;
    }
  }

  /**
   * Completes what an earlier Curfew left, then begins to watch, other machines included; the first
   * scan comes at once. `warn` gets what could not be completed.
   */
  async begin(
    events: SupervisorEvents,
    eventsOf: (host: string) => HostEvents,
    warn: (said: Said) => void,
  ): Promise<Supervisor> {
    const { engine } = this;
    await this.#keepRefreshed();
    await this.#tidyUp(warn);
    let saidMode = engine.settings().mode;
    if (!this.#withoutHosts) this.hosts.begin((host) => loggedHost(engine, host, eventsOf(host)));
    else if (engine.settings().hosts.length > 0) engine.log.info('machines in the settings are not watched', {});
    const unexplained = new UnexplainedExits(engine.source);
    const supervisor = new Supervisor({
      observer: engine.observer,
      reaper: engine.reaper,
      settings: engine.settings,
      journalProblem: engine.journalProblem,
      rememberNotices: engine.rememberNotices,
      ...(this.#seen === null ? {} : { seen: this.#seen.of(localHost) }),
      now: Date.now,
      sessionNews: engine.sessionNews,
      memory: new MemoryWatch(readMemoryState),
      glances: new GlanceWatch({
        source: engine.source,
        isCallFile,
        isAgent: (row) => row.uid === engine.uid && engine.evidence.program(row) !== null,
        failed: (error) => engine.log.error('a glance failed', { error: messageOf(error) }),
      }),
      paused: () => engine.pause.until !== null,
      tellSessions: (ended) => void queueSessionNotice(hookFolders(engine.places), ...ended),
      departed: (look, isOurs) =>
        unexplained.look(look, isOurs).flatMap((one) => recordUnexplainedExit(engine, one) ?? []),
      events: logged(engine, localHost, {
        ...events,
        looked: (look) => {
          if (engine.pause.until === null) this.#abandoned.look();
          this.hosts.follow();
          const { mode } = engine.settings();
          if (mode !== saidMode) this.#lock.tell(mode);
          saidMode = mode;
          this.#published.note(look);
          if (++this.#looks % looksBetween === looksAtFirst) giveBackMemory();
          if (this.#lock.stillHeld()) events.looked(look);
          else
            this.#lose(
              say('{path} was removed, so another supervisor could start; this one ends', { path: engine.places.lock }),
            );
        },
      }),
    });
    this.#supervisor = supervisor;
    supervisor.start();
    return supervisor;
  }

  /** Finishes reapings, releases the lock, closes the stores. Safe to call repeatedly. */
  end(why: string): Promise<void> {
    this.#ended ??= this.#end(why);
    return this.#ended;
  }

  async #end(why: string): Promise<void> {
    const { engine } = this;
    engine.log.info('ending', { why });
    try {
      await Promise.all([this.#supervisor?.stop(), this.hosts.stop()]);
      await this.#abandoned.settled();
    } finally {
      if (this.#refreshing !== null) clearInterval(this.#refreshing);
      this.#published.end();
      this.#lock.release();
      engine.close();
    }
  }

  /** Refreshes a table that can't be read synchronously; the supervisor sees the latest. */
  async #keepRefreshed(): Promise<void> {
    const { source, settings, log } = this.engine;
    const { refresh } = source;
    if (refresh === null) return;
    await refresh();
    const again = (): void => {
      refresh().catch((error: unknown) => log.error('no process table', { problem: messageOf(error) }));
    };
    this.#refreshing = setInterval(again, settings().scanIntervalSeconds * 1000);
  }

  /** Completes records an earlier Curfew could not; deletes what is older than the user keeps. */
  async #tidyUp(warn: (said: Said) => void): Promise<void> {
    const { engine } = this;
    try {
      const { table } = await inTurns(engine.observer.looking(sliceMs));
      completeHere(engine, table);
      engine.pruneHistory();
      pruneRuns(engine.places.runs, engine.settings().historyDays, Date.now());
    } catch (error) {
      // The supervisor watches all the same; what can't be recorded is not reaped, and doctor says
      // why.
      engine.log.error('tidying up failed', { problem: messageOf(error) });
      warn(warned(saidOf(error)));
    }
  }
}
