import type { Said } from '../../../app/format/said.ts';
import { say } from '../../../app/text/say.ts';
import type { JobId } from '../../../app/model/job.ts';
import { isHostName } from '../../../app/remote/host-list.ts';
import type { Engine } from '../../engine/engine.ts';
import type { OutputPart } from '../../output/output-part.ts';
import type { EndResult } from '../../ending/end.ts';
import type { Reaping } from '../../reaping/reaping.ts';
import { HostFailure } from '../host-failure.ts';
import type { HostEvents, HostState } from './host-events.ts';
import { HostSupervisor } from './host-supervisor.ts';
import type { SeenNotices } from '../../supervisor/notice-ledger.ts';
import { Hosts, type HostsEngine } from '../hosts.ts';
import { Turns } from '../../os/programs/turns.ts';

export type HostWatchEngine = HostsEngine & Pick<Engine, 'journalProblem' | 'pause' | 'keep' | 'unkeep'>;

export interface HostCheck {
  readonly reachable: boolean;
  /** For people. */
  readonly text: Said;
  readonly jobs: number | null;
}

/** Machines that are looked at at a time; the others wait, and no signal does. */
const maxLooks = 16;

export class HostWatch {
  readonly #engine: HostWatchEngine;
  readonly #hosts: Hosts;
  readonly #supervisors = new Map<string, HostSupervisor>();
  readonly #leaving = new Map<string, Promise<void>>();
  #eventsOf: ((host: string) => HostEvents) | null = null;

  readonly #seen: SeenNotices | null;

  /** @param seen which announcements were seen; null: each counts as soon as it is given */
  constructor(engine: HostWatchEngine, seen: SeenNotices | null = null) {
    this.#engine = engine;
    this.#seen = seen;
    this.#hosts = new Hosts(engine, { announces: true, turns: new Turns(maxLooks) });
  }

  /** From now on machines are watched, from the next `follow` on. */
  begin(eventsOf: (host: string) => HostEvents): void {
    this.#eventsOf = eventsOf;
  }

  /** Takes up machines the settings now name, and drops others. Cheap: called at every look. */
  follow(): void {
    const eventsOf = this.#eventsOf;
    if (eventsOf === null) return;
    const wanted = new Set(this.#engine.settings().hosts.filter(isHostName));
    for (const [host, supervisor] of this.#supervisors) if (!wanted.has(host)) this.#leave(host, supervisor);
    for (const host of wanted) {
      // One that is just being left comes back at the next look here.
      if (this.#supervisors.has(host) || this.#leaving.has(host)) continue;
      const { settings, journalProblem, pause } = this.#engine;
      const supervisor = new HostSupervisor(host, {
        hosts: this.#hosts,
        settings,
        journalProblem,
        paused: () => pause.until !== null,
        ...(this.#seen === null ? {} : { seen: this.#seen.of(host) }),
        events: eventsOf(host),
      });
      this.#supervisors.set(host, supervisor);
      supervisor.start();
    }
  }

  states(): readonly HostState[] {
    return [...this.#supervisors.values()].map(({ state }) => state);
  }

  reapings(): readonly Reaping[] {
    return [...this.#supervisors.values()].flatMap(({ inProgress }) => inProgress);
  }

  /**
   * Ends a job there by the user's decision; null for a machine that isn't watched. Throws
   * HostFailure; then nothing was done.
   */
  async reap(host: string, id: JobId): Promise<EndResult | null> {
    return (await this.#supervisors.get(host)?.reap(id)) ?? null;
  }

  /** Tells a Curfew there a limit's delay, or none (null). Throws HostFailure, InstalledRefusal. */
  async keep(host: string, id: JobId, seconds: number | null): Promise<void> {
    await this.#supervisors.get(host)?.keep(id, seconds);
  }

  /** See `HostSupervisor.output`; null also for a machine that isn't watched. */
  async output(host: string, path: string, fromByte: number | null): Promise<OutputPart | null> {
    return (await this.#supervisors.get(host)?.output(path, fromByte)) ?? null;
  }

  /** Ends the grace of this incident; false: none is in its grace. Throws as the journal does. */
  endGrace(incident: string): boolean {
    return [...this.#supervisors.keys()].some((host) => this.#hosts.reaper(host).endGrace(incident));
  }

  /** Looks at a machine at once, so that a change shows. Never rejects. */
  async lookNow(host: string): Promise<void> {
    await this.#supervisors.get(host)?.lookNow();
  }

  /** Asks a machine once, watched or not, and says what came. Never rejects for what it does. */
  async check(host: string): Promise<HostCheck> {
    const supervisor = this.#supervisors.get(host);
    try {
      if (supervisor !== undefined) {
        const { trouble, look } = await supervisor.lookNow();
        if (trouble !== null) throw trouble.failure;
        return reached(host, look?.table.rows.size ?? 0, look?.jobs.size ?? 0);
      }
      const look = await this.#hosts.open(host).look();
      return reached(host, look.table.rows.size, look.jobs.size);
    } catch (error) {
      if (error instanceof HostFailure) return { reachable: false, text: error.message, jobs: null };
      throw error;
    } finally {
      if (!this.#supervisors.has(host)) await this.#hosts.forget(host);
    }
  }

  /** Looks no more, waits for the reapings in progress, and ends every connection. */
  async stop(): Promise<void> {
    this.#eventsOf = null;
    await Promise.all([...this.#supervisors.values()].map((supervisor) => supervisor.stop()));
    await Promise.all(this.#leaving.values());
    await this.#hosts.close();
  }

  #leave(host: string, supervisor: HostSupervisor): void {
    this.#supervisors.delete(host);
    const left = supervisor.stop().then(() => this.#hosts.forget(host));
    this.#leaving.set(host, left);
    void left.finally(() => this.#leaving.delete(host));
  }
}

const reached = (host: string, processes: number, jobs: number): HostCheck => ({
  reachable: true,
  text: say('{host} answers: {processes}, {jobs} of agents.', {
    host,
    processes: processes === 1 ? say('1 process') : say('{count} processes', { count: processes }),
    jobs: jobs === 1 ? say('1 job') : say('{count} jobs', { count: jobs }),
  }),
  jobs,
});
