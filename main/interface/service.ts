import { incidentView } from '../../app/documents/incident.ts';
import { localHost } from '../../app/remote/host-list.ts';
import { WatchSession } from '../home/watch-session.ts';
import type { HostEvents } from '../remote/watch/host-events.ts';
import { SeenNotices } from '../supervisor/notice-ledger.ts';
import type { SupervisorEvents } from '../supervisor/supervisor-tools.ts';
import { appAnswers, settingsAnswers } from './answers/app-answers.ts';
import { filesAnswers } from './answers/files-answers.ts';
import { historyAnswers } from './answers/history-answers.ts';
import { hookAnswers } from './answers/hook-answers.ts';
import { jobAnswers } from './answers/job-answers.ts';
import { ownEndAnswers } from './answers/own-end-answers.ts';
import { PauseEnd } from './answers/pause-end.ts';
import type { CurfewService, ServiceOptions, ServiceEvent } from './curfew-service.ts';
import { HealthCheck } from './snapshot/health.ts';
import { HostJobs, snapshotContent, SnapshotKeeper } from './snapshot/snapshot-content.ts';
import { snapshotJob } from './snapshot/job-views.ts';
import { KnownJobs } from './snapshot/known-jobs.ts';
import { LatestIncidents } from './snapshot/latest-incidents.ts';
import { LeftOpenWatch } from './snapshot/left-open-watch.ts';
import { ReapingViews } from './snapshot/reaping-views.ts';
import { UsageWatch } from './snapshot/usage-watch.ts';

type Listener = (event: ServiceEvent) => void;

/** Those that a service tells its events, in order and synchronously. */
class Listeners {
  readonly #all = new Set<Listener>();
  readonly #report: (error: unknown, doing: string) => void;

  constructor(report: (error: unknown, doing: string) => void) {
    this.#report = report;
  }

  /** Tells an event, which is worked out only when there is a listener. */
  tell(event: () => ServiceEvent): void {
    if (this.#all.size === 0) return;
    const told = event();
    for (const listener of this.#all) listener(told);
  }

  /** Adds a listener; the result takes it off. `moments` alone need no difference. */
  add(listener: Listener, wants: 'everything' | 'moments', keeper: SnapshotKeeper): () => void {
    const told: Listener = (event) => {
      try {
        listener(event);
      } catch (error) {
        // A failing window must not keep the supervisor from its work.
        this.#report(error, `telling of ${event.kind}`);
      }
    };
    this.#all.add(told);
    const end =
      wants === 'moments'
        ? () => undefined
        : keeper.subscribe((difference) => told({ kind: 'difference', difference }));
    return () => {
      end();
      this.#all.delete(told);
    };
  }
}

/** What a service keeps of what its supervision tells. */
export interface Followers {
  readonly jobs: KnownJobs;
  readonly hostJobs: HostJobs;
  readonly usage: UsageWatch;
  readonly health: HealthCheck;
  readonly reapings: ReapingViews;
  readonly leftOpen: LeftOpenWatch;
  readonly keeper: SnapshotKeeper;
  readonly listeners: Listeners;
}

const eventsHere = (followers: Followers): SupervisorEvents => {
  const { jobs, usage, health, reapings, leftOpen, keeper, listeners } = followers;
  return {
    looked: (look) => {
      jobs.looked(look);
      usage.looked(localHost, look);
      leftOpen.looked(look, keeper.watched);
      health.looked(look);
      keeper.changed();
    },
    noticed: (judged, look) => listeners.tell(() => ({ kind: 'noticed', job: snapshotJob(judged, look.table) })),
    reaping: () => undefined,
    ended: (incident) => {
      reapings.ended(incident);
      listeners.tell(() => ({ kind: 'ended', incident: incidentView(incident) }));
    },
    failed: (failure) => {
      reapings.failed(failure);
      health.failed(failure.error);
    },
    problem: (error) => {
      health.failed(error);
      keeper.changed();
    },
  };
};

const eventsElsewhere =
  ({ hostJobs, usage, reapings, keeper, listeners }: Followers) =>
  (host: string): HostEvents => ({
    looked: (look) => {
      hostJobs.looked(host, look);
      usage.looked(host, look);
      keeper.changed();
    },
    noticed: (judged, look) => listeners.tell(() => ({ kind: 'noticed', job: snapshotJob(judged, look.table, host) })),
    reaping: () => undefined,
    ended: (incident) => {
      reapings.ended(incident);
      listeners.tell(() => ({ kind: 'ended', incident: incidentView(incident) }));
      keeper.changed();
    },
    failed: (failure) => {
      reapings.failed(failure);
      keeper.changed();
    },
    reach: () => keeper.changed(),
    problem: () => keeper.changed(),
  });

/** Returns what keeps the snapshot and tells the listeners: events here, and on other machines. */
const followSupervision = (followers: Followers): readonly [SupervisorEvents, (host: string) => HostEvents] => [
  eventsHere(followers),
  eventsElsewhere(followers),
];

/**
 * Takes the supervision of this home, scans for the first time and supervises until it is stopped.
 * @throws SupervisionTaken when another supervisor has it (the message says which, and what to do),
 * StoreFailure when the lock can't be tried
 */
export const openService = async (options: ServiceOptions): Promise<CurfewService> => {
  const { what, surface, uid, warn, mode, commandLine = process.argv[1] ?? '' } = options;
  const { noticesCount = surface.kind === 'terminal' ? 'given' : 'seen' } = options;
  const seen = noticesCount === 'seen' ? new SeenNotices() : null;
  const supervision = WatchSession.open({
    what,
    uid,
    warn,
    ...(mode === undefined ? {} : { mode }),
    ...(options.lines === undefined ? {} : { lines: options.lines }),
    ...(seen === null ? {} : { seen }),
  });
  const { engine, hosts } = supervision;
  const jobs = new KnownJobs();
  const hostJobs = new HostJobs();
  const usage = new UsageWatch();
  const health = new HealthCheck(engine, () => hosts.states());
  const incidents = new LatestIncidents(engine.history, engine.places.history);
  const reapings = new ReapingViews(
    () => [...engine.reaper.inProgress, ...hosts.reapings()],
    () => keeper.changed(),
  );
  const keeper = new SnapshotKeeper(() =>
    snapshotContent({
      engine,
      hosts,
      surface: surface.kind,
      look: () => jobs.look,
      health,
      reapings,
      incidents,
      leftOpen: () => leftOpen.found,
      cpuPercent: (host, row) => usage.cpuPercent(host, row),
    }),
  );
  const report = (error: unknown, doing: string): void =>
    engine.log.error('failed inside', {
      what: doing,
      problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  const listeners = new Listeners(report);
  const leftOpen = new LeftOpenWatch(engine, {
    changed: () => keeper.changed(),
    failed: (error) => report(error, 'asking what is left open'),
  });
  const begin = supervision.begin(
    ...followSupervision({ jobs, hostJobs, usage, health, reapings, leftOpen, keeper, listeners }),
    warn,
  );
  const supervisor = await begin.catch(async (error: unknown) => {
    await supervision.end('failed');
    throw error;
  });
  const pauseEnds = new PauseEnd(
    () => engine.pause.until,
    () => supervisor.lookNow(),
  );
  let stopped: Promise<void> | null = null;
  const stop = (why: string): Promise<void> => {
    stopped ??= (async () => {
      pauseEnds.close();
      await supervision.end(why);
      reapings.close();
    })();
    return stopped;
  };
  void supervision.lost.then(async (problem) => {
    await stop('lost');
    listeners.tell(() => ({ kind: 'lost', problem }));
  });
  const desk = { engine, supervisor, jobs, hosts, hostJobs, usage };
  const hooks = { engine, commandLine };
  supervisor.lookNow();
  return {
    snapshot: () => keeper.get(),
    subscribe: (listener, wants = 'everything') => listeners.add(listener, wants, keeper),
    answerers: {
      ...appAnswers({
        engine,
        surface,
        commandLine,
        snapshot: () => keeper.get(),
        look: () => jobs.look,
        changed: () => supervisor.lookNow(),
        attend: () => {
          seen?.seeAll();
          supervisor.attend();
        },
        pauseEnds,
        hosts,
      }),
      ...hookAnswers(hooks),
      ...filesAnswers(commandLine),
      ...jobAnswers(desk),
      ...ownEndAnswers({
        engine,
        look: () => {
          supervisor.lookNow();
          return jobs.look;
        },
        ended: (incident) => {
          leftOpen.forget();
          listeners.tell(() => ({ kind: 'ended', incident: incidentView(incident) }));
          supervisor.lookNow();
        },
      }),
      ...settingsAnswers(desk),
      ...historyAnswers(engine, surface, () => keeper.changed()),
    },
    report,
    awaitsNotice: (key) => seen?.awaits(key) === true,
    noticesSeen: (keys) => seen?.see(keys),
    stop: () => stop('stopped'),
  };
};
