import { agentView, isShownAgent, leftOpenView } from '../../../app/documents/agents.ts';
import { settingsView } from '../../../app/contract/views/settings-view.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { moment } from '../../../app/format/moment.ts';
import { withTexts } from '../../../app/format/said.ts';
import { safeName } from '../../../app/format/secrets/safe-view.ts';
import { localHost } from '../../../app/remote/host-list.ts';
import { leftOpenNamed, leftOpenRefused } from '../../../app/text/left-open.ts';
import { reachSaid } from '../../../app/text/reach.ts';
import manifest from '../../../package.json' with { type: 'json' };
import type { Engine } from '../../engine/engine.ts';
import type { LeftOpenItem } from '../../left-open/found.ts';
import type { Look } from '../../observing/look.ts';
import type { HostWatch } from '../../remote/watch/host-watch.ts';
import type { LoadedSettings } from '../../store/settings/settings-file.ts';
import type { PausedUntil } from '../../supervisor/pause.ts';
import type { HealthCheck } from './health.ts';
import { type CpuPercent, type HostLook, snapshotJobs } from './job-views.ts';
import { KnownJobs } from './known-jobs.ts';
import type { LatestIncidents } from './latest-incidents.ts';
import type { ReapingViews } from './reaping-views.ts';
import { diffSnapshot } from '../../../app/contract/difference/difference.ts';
import type { SnapshotDifference } from '../../../app/contract/difference/difference-schema.ts';
import { steadyJobs } from '../../../app/contract/views/steady-jobs.ts';
import { system } from '../../os/this-system.ts';

/** A snapshot without its number. */
type SnapshotContent = Omit<Snapshot, 'revision'>;

const says = (difference: SnapshotDifference): boolean =>
  Object.keys(difference.parts).some((name) => name !== 'at') ||
  difference.jobs !== undefined ||
  difference.reapings !== undefined ||
  difference.incidents !== undefined;

/**
 * Owns the one snapshot. It is computed when something changed and a listener is there, or on
 * request; otherwise a change costs nothing. Differences come in order, each from the revision
 * before.
 */
export class SnapshotKeeper {
  readonly #make: () => SnapshotContent;
  readonly #listeners = new Set<(difference: SnapshotDifference) => void>();
  #snapshot: Snapshot | null = null;
  #stale = true;

  constructor(make: () => SnapshotContent) {
    this.#make = make;
  }

  /** Returns the latest state; replaced, never changed in place. */
  get(): Snapshot {
    if (this.#snapshot !== null && !this.#stale) return this.#snapshot;
    this.#stale = false;
    const old = this.#snapshot;
    const made = this.#make();
    const jobs = old === null ? made.jobs : steadyJobs(old.jobs, made.jobs, Date.parse(made.at));
    const next: Snapshot = { ...made, jobs, revision: (old?.revision ?? 0) + 1 };
    if (old !== null) {
      const difference = diffSnapshot(old, next);
      if (!says(difference)) return old;
      this.#snapshot = next;
      for (const listener of this.#listeners) listener(difference);
      return next;
    }
    this.#snapshot = next;
    return next;
  }

  /** Something changed. */
  changed(): void {
    this.#stale = true;
    if (this.#listeners.size > 0) this.get();
  }

  /** Returns whether differences have a listener. */
  get watched(): boolean {
    return this.#listeners.size > 0;
  }

  /** Calls the listener with each difference from now on; the returned function ends it. */
  subscribe(listener: (difference: SnapshotDifference) => void): () => void {
    // Update first: the new listener asks for the whole, the others get the difference.
    this.get();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Returns the settings as windows see them. */
export const settingsState = ({ settings, fallback, notices, readAtMs }: LoadedSettings): Snapshot['settings'] => ({
  values: settingsView(settings),
  defaults: settingsView(fallback),
  notices: notices.map(({ field, said }) => ({ field, text: said })),
  readAt: moment(readAtMs),
});

/** The recently seen jobs of other machines, by machine. */
export class HostJobs {
  readonly #byHost = new Map<string, KnownJobs>();

  /** Adds a scan of a machine. */
  looked(host: string, look: Look): void {
    const known = this.#byHost.get(host) ?? new KnownJobs();
    known.looked(look);
    this.#byHost.set(host, known);
  }

  /** Returns what is known of a machine, or null if it was never seen. */
  of(host: string): KnownJobs | null {
    return this.#byHost.get(host) ?? null;
  }
}

export interface SnapshotParts {
  readonly engine: Engine;
  readonly surface: Snapshot['platform']['surface'];
  readonly look: () => Look | null;
  readonly hosts: HostWatch;
  readonly health: HealthCheck;
  readonly reapings: ReapingViews;
  readonly incidents: LatestIncidents;
  readonly leftOpen: () => readonly LeftOpenItem[];
  readonly cpuPercent: CpuPercent;
}

const systems: readonly Snapshot['platform']['system'][] = ['linux', 'darwin', 'win32'];

const platform = ({ engine, surface }: SnapshotParts): Snapshot['platform'] => ({
  system: systems.find((one) => one === system) ?? 'other',
  version: manifest.version,
  canReap: engine.source.canReap,
  surface,
});

/** Returns the agents with their living sessions; an agent with only a job left is included. */
const watchedAgents = (looks: readonly HostLook[]): Snapshot['watched'] => {
  const live = new Map<string, number>();
  for (const { look } of looks) {
    for (const { agent, state } of look.sessions) live.set(agent, (live.get(agent) ?? 0) + (state === 'live' ? 1 : 0));
    for (const { job } of look.jobs.values()) live.set(job.agent, live.get(job.agent) ?? 0);
  }
  return [...live]
    .map(([agent, liveSessions]) => ({ agent, liveSessions }))
    .toSorted((left, right) => right.liveSessions - left.liveSessions || left.agent.localeCompare(right.agent));
};

/** Those that no user may be able to reach. */
const agentsOf = ({ agents, table }: Look): Snapshot['agents'] =>
  (agents ?? [])
    .filter(isShownAgent)
    .map((seen) => ({ ...agentView(seen, table), said: withTexts(reachSaid(seen.reach), safeName) }));

const pausedUntil = (until: PausedUntil): Snapshot['pausedUntil'] =>
  typeof until === 'number' ? moment(until) : until;

/** Returns everything that windows show, as of now. */
export const snapshotContent = (parts: SnapshotParts): SnapshotContent => {
  const { engine, health, reapings, incidents } = parts;
  const look = parts.look();
  const nowMs = Date.now();
  const elsewhere = parts.hosts
    .states()
    .flatMap(({ host, look: seen }) => (seen === null ? [] : [{ host, look: seen }]));
  // The last scan of a machine stays until it answers again; `health` reports it as unreachable.
  const looks: readonly HostLook[] = look === null ? elsewhere : [{ host: localHost, look }, ...elsewhere];
  const loaded = engine.settingsFile.load();
  // Not of the file alone: a command may override it.
  const { mode } = engine.settings();
  return {
    at: moment(nowMs),
    platform: platform(parts),
    mode: mode ?? 'observe',
    modeChosen: mode !== null,
    pausedUntil: pausedUntil(engine.pause.until),
    settings: settingsState(loaded),
    health: health.now(),
    watched: watchedAgents(looks),
    agents: look === null ? [] : agentsOf(look),
    leftOpen: parts.leftOpen().map(({ leftOpen }) => ({
      ...leftOpenView(leftOpen),
      named: withTexts(leftOpenNamed(leftOpen), safeName),
      why: withTexts(leftOpenRefused(leftOpen) ?? leftOpen.evidence, safeName),
    })),
    jobs: snapshotJobs(looks, parts.cpuPercent),
    reapings: reapings.views(),
    ...incidents.recorded(nowMs),
  };
};
