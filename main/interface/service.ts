import type { EventPayload } from '../../app/contract/contract.ts';
import type { Answerers } from '../../app/contract/exchange.ts';
import { incidentView } from '../../app/contract/views/incident-view-of.ts';
import type { IncidentView } from '../../app/contract/views/incident-view.ts';
import type { Snapshot, SnapshotJob } from '../../app/contract/views/snapshot.ts';
import { localHost } from '../../app/remote/host-name.ts';
import { english } from '../../app/text/english.ts';
import type { HostEvents } from '../remote/watch/host-events.ts';
import { WatchSession } from '../home/watch-session.ts';
import type { SupervisorKind } from '../store/supervisor-lock.ts';
import { SeenNotices } from '../supervisor/seen-notices.ts';
import { appAnswers } from './answers/app-answers.ts';
import { HealthCheck } from './snapshot/health.ts';
import { HostJobs } from './snapshot/host-jobs.ts';
import { historyAnswers } from './answers/history-answers.ts';
import { hookAnswers } from './answers/hook-answers.ts';
import { jobAnswers } from './answers/job-answers.ts';
import { snapshotJob } from './snapshot/job-views.ts';
import { KnownJobs } from './snapshot/known-jobs.ts';
import { LeftOpenWatch } from './snapshot/left-open-watch.ts';
import { leftOpenTools } from '../left-open/survey.ts';
import { ownEndAnswers } from './answers/own-end-answers.ts';
import { LatestIncidents } from './snapshot/latest-incidents.ts';
import { PauseEnd } from './answers/pause-end.ts';
import { ReapingViews } from './snapshot/reaping-views.ts';
import { settingsAnswers } from './answers/settings-answers.ts';
import { snapshotContent } from './snapshot/snapshot-content.ts';
import { SnapshotKeeper } from './snapshot/snapshot-keeper.ts';
import { UsageWatch } from './snapshot/usage-watch.ts';
import type { Surface } from './answers/surface.ts';

export type { ExportContent, Surface } from './answers/surface.ts';

/**
 * The main process's side of the contract: it owns the one snapshot and answers every question.
 * Carriers (the Electron shell, the loopback page) pass both on and decide nothing.
 */
export interface CurfewService {
  /** The latest state; replaced, never changed in place. */
  readonly snapshot: () => Snapshot;
  /**
   * Calls the listener with every event from now on, in order and synchronously; the returned
   * function ends it. A listener that wants only `moments` (for notifications) gets no differences,
   * so that none are computed while no window is open.
   */
  readonly subscribe: (listener: (event: ServiceEvent) => void, wants?: 'everything' | 'moments') => () => void;
  /**
   * One handler for every question. Call them through `answerQuestion` only, which checks input and
   * output.
   */
  readonly answerers: Answerers;
  /** For `answerQuestion` and the carrier: logs an internal failure and what failed. */
  readonly report: (error: unknown, doing: string) => void;
  /**
   * True for a job (`jobKey`) whose end was announced, which does not count before the user was
   * shown it.
   */
  readonly awaitsNotice: (key: string) => boolean;
  /** The user was shown what was announced of these jobs. */
  readonly noticesSeen: (keys: readonly string[]) => void;
  /**
   * Finishes the reapings in progress, releases the supervisor's lock and closes the stores. Safe
   * to call repeatedly.
   */
  readonly stop: () => Promise<void>;
}

/** The events of a service. */
export type ServiceEvent =
  | { readonly kind: 'difference'; readonly difference: EventPayload<'difference'> }
  /**
   * A job needs the user's attention; once per job and state, so that it can become a notification.
   */
  | { readonly kind: 'noticed'; readonly job: SnapshotJob }
  | { readonly kind: 'ended'; readonly incident: IncidentView }
  /** The supervision was lost (its lock was removed); the service has stopped. */
  | { readonly kind: 'lost'; readonly problem: string };

/** What a service is opened with. */
export interface ServiceOptions {
  /** The kind of supervisor, for others that try to start one. */
  readonly what: SupervisorKind;
  readonly surface: Surface;
  /** Overrides the mode of the settings. */
  readonly mode?: 'enforce' | 'observe';
  /** The user whose processes are candidates; null: the caller. */
  readonly uid: number | null;
  /** Called with problems outside of any question, in sentences. */
  readonly warn: (text: string) => void;
  /**
   * The command line's file, which hooks and autostart start; absent: the program of this process.
   */
  readonly commandLine?: string;
  /**
   * When an announcement counts: `seen`, once the system showed it or the user looked; `given`, as
   * soon as it was made. Left out: `seen` on macOS, which shows none of an app that is not signed
   * as it wants; `given` elsewhere.
   */
  readonly noticesCount?: 'seen' | 'given';
}

/** The listeners for moments; a separate set, so that differences are made for the others only. */
type Listeners = Set<(event: ServiceEvent) => void>;

/**
 * Takes the supervision of this home, scans for the first time and supervises until it is stopped.
 * @throws SupervisionTaken when another supervisor has it (the message says which, and what to do),
 * StoreFailure when the lock can't be tried
 */
export const openService = async (options: ServiceOptions): Promise<CurfewService> => {
  const { what, surface, uid, warn, mode, commandLine = process.argv[1] ?? '' } = options;
  const { noticesCount = process.platform === 'darwin' ? 'seen' : 'given' } = options;
  const seen = noticesCount === 'seen' ? new SeenNotices() : null;
  const supervision = WatchSession.open({
    what,
    uid,
    warn,
    ...(mode === undefined ? {} : { mode }),
    ...(seen === null ? {} : { seen }),
  });
  const { engine, hosts } = supervision;
  const listeners: Listeners = new Set();
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
  const report = (error: unknown, doing: string): void => {
    engine.log.error('failed inside', {
      what: doing,
      problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  };
  const leftOpen = new LeftOpenWatch(leftOpenTools(engine), {
    changed: () => keeper.changed(),
    failed: (error) => report(error, 'asking what is left open'),
  });
  const tell = (event: ServiceEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const hostEvents: HostEvents = {
    looked: (host, look) => {
      hostJobs.looked(host, look);
      usage.looked(host, look);
      keeper.changed();
    },
    noticed: (host, judged, look) => {
      if (listeners.size > 0) tell({ kind: 'noticed', job: snapshotJob(judged, look.table, host) });
    },
    reaping: () => undefined,
    ended: (incident) => {
      reapings.ended(incident);
      if (listeners.size > 0) tell({ kind: 'ended', incident: incidentView(incident, english) });
      keeper.changed();
    },
    failed: (_, failure) => {
      reapings.failed(failure);
      keeper.changed();
    },
    reach: () => keeper.changed(),
    problem: () => keeper.changed(),
  };
  const begin = supervision.begin(
    {
      looked: (look) => {
        jobs.looked(look);
        usage.looked(localHost, look);
        leftOpen.looked(look, keeper.watched);
        health.looked(look);
        keeper.changed();
      },
      noticed: (judged, look) => {
        if (listeners.size > 0) tell({ kind: 'noticed', job: snapshotJob(judged, look.table) });
      },
      reaping: () => undefined,
      ended: (incident) => {
        reapings.ended(incident);
        if (listeners.size > 0) tell({ kind: 'ended', incident: incidentView(incident, english) });
      },
      failed: (failure) => {
        reapings.failed(failure);
        health.failed(failure.error);
      },
      problem: (error) => {
        health.failed(error);
        keeper.changed();
      },
    },
    hostEvents,
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
    tell({ kind: 'lost', problem });
  });
  const desk = { engine, supervisor, jobs, hosts, hostJobs, usage };
  const hooks = { engine, commandLine };
  supervisor.lookNow();
  return {
    snapshot: () => keeper.get(),
    subscribe: (listener, wants = 'everything') => {
      const told = (event: ServiceEvent): void => {
        try {
          listener(event);
        } catch (error) {
          // A failing window must not keep the supervisor from its work.
          report(error, `telling of ${event.kind}`);
        }
      };
      listeners.add(told);
      const end =
        wants === 'moments'
          ? () => undefined
          : keeper.subscribe((difference) => told({ kind: 'difference', difference }));
      return () => {
        end();
        listeners.delete(told);
      };
    },
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
      ...jobAnswers(desk),
      ...ownEndAnswers({
        engine,
        look: () => {
          supervisor.lookNow();
          return jobs.look;
        },
        ended: (incident) => {
          leftOpen.forget();
          tell({ kind: 'ended', incident: incidentView(incident, english) });
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
