import { incidentView } from '../../app/contract/views/incident-view-of.ts';
import { localHost } from '../../app/remote/host-name.ts';
import { english } from '../../app/text/english.ts';
import type { HostEvents } from '../remote/watch/host-events.ts';
import type { SupervisorEvents } from '../supervisor/supervisor-tools.ts';
import type { Listeners } from './listeners.ts';
import type { HealthCheck } from './snapshot/health.ts';
import type { HostJobs } from './snapshot/host-jobs.ts';
import { snapshotJob } from './snapshot/job-views.ts';
import type { KnownJobs } from './snapshot/known-jobs.ts';
import type { LeftOpenWatch } from './snapshot/left-open-watch.ts';
import type { ReapingViews } from './snapshot/reaping-views.ts';
import type { SnapshotKeeper } from './snapshot/snapshot-keeper.ts';
import type { UsageWatch } from './snapshot/usage-watch.ts';

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
      listeners.tell(() => ({ kind: 'ended', incident: incidentView(incident, english) }));
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
      listeners.tell(() => ({ kind: 'ended', incident: incidentView(incident, english) }));
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
export const followSupervision = (followers: Followers): readonly [SupervisorEvents, (host: string) => HostEvents] => [
  eventsHere(followers),
  eventsElsewhere(followers),
];
