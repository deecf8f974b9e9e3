import { say, inEnglish } from '../../app/text/say.ts';
import manifest from '../../package.json' with { type: 'json' };
import { messageOf } from '../../app/format/error-message.ts';
import { countJobs, leftoversOf, type HostFacts, type LookFacts, type ScanCost } from '../../app/metrics/facts.ts';
import type { Voice } from '../../app/text/voice.ts';
import { sayStatusLine } from '../../app/text/status-line.ts';
import type { Engine } from '../engine/engine.ts';
import type { Look } from '../observing/look.ts';
import { quietIn } from '../observing/quiet.ts';
import type { HostState } from '../remote/watch/host-events.ts';
import { MetricsFile } from './metrics-file.ts';
import { StatusLineFile } from './status-line-file.ts';

/** A machine as it is counted; null before it was tried. */
const hostFacts = ({ host, look, trouble }: HostState): HostFacts | null => {
  if (trouble !== null) return { host, reachable: false };
  return look === null ? null : { host, reachable: true, ...leftoversOf(look.jobs.values()) };
};

const outOfReach = (look: Look): LookFacts['outOfReach'] => {
  if (look.agents === undefined) return null;
  const lost = look.agents.filter(({ reach }) => reach.state === 'unreachable');
  return [...Map.groupBy(lost, ({ agent }) => agent)].map(([agent, agents]) => ({ agent, agents: agents.length }));
};

/**
 * What a running supervisor writes for others to read: the line of status bars, and what `curfew
 * metrics` makes numbers of. What can't be written is logged and is no reason to stop.
 */
export class Published {
  readonly #engine: Engine;
  readonly #hosts: () => readonly HostState[];
  readonly #statusLine: StatusLineFile;
  readonly #metrics: MetricsFile;
  readonly #startedAtMs = Date.now();
  /** German, once it was chosen and is loaded. */
  #german: Voice['said'] | null = null;
  #cost: ScanCost = { scans: 0, seconds: 0, cpuSeconds: null };

  constructor(engine: Engine, hosts: () => readonly HostState[]) {
    this.#engine = engine;
    this.#hosts = hosts;
    this.#statusLine = new StatusLineFile(engine.places.statusLine);
    this.#metrics = new MetricsFile(engine.places.metrics);
  }

  /** Notes what the latest look saw. */
  note(look: Look): void {
    const nowMs = Date.now();
    const { scanIntervalSeconds } = this.#engine.settings();
    const { scans, seconds, cpuSeconds } = this.#cost;
    this.#cost = {
      scans: scans + 1,
      seconds: seconds + look.tookMs / 1000,
      cpuSeconds: look.cpuMs === undefined ? cpuSeconds : (cpuSeconds ?? 0) + look.cpuMs / 1000,
    };
    this.#try('the status line', () => {
      const said = sayStatusLine(look.jobs.values());
      const words = this.#words();
      const english = words === inEnglish ? null : { text: inEnglish(said), old: words(say('Curfew is not watching')) };
      this.#statusLine.note(words(said), nowMs, scanIntervalSeconds, english);
    });
    this.#try('what metrics are made of', () => this.#metrics.note(this.#facts(look, nowMs), scanIntervalSeconds));
  }

  /** Says that no supervisor watches any more. */
  end(): void {
    this.#try('the status line', () => this.#statusLine.remove());
    this.#try('what metrics are made of', () => this.#metrics.end());
  }

  #facts(look: Look, nowMs: number): LookFacts {
    const { settings, pause } = this.#engine;
    const quiet = quietIn(look);
    return {
      version: manifest.version,
      startedAtMs: this.#startedAtMs,
      lastScanMs: nowMs,
      cost: this.#cost,
      processes: look.table.rows.size,
      jobs: countJobs(look.jobs.values()),
      outOfReach: outOfReach(look),
      atWork: quiet.atWork.length,
      quietSinceMs: quiet.sinceMs,
      mode: settings().mode,
      isPaused: pause.until !== null,
      hosts: this.#hosts().flatMap((state) => hostFacts(state) ?? []),
    };
  }

  /** As the system has it is English here: programs read this line, too. */
  #words(): Voice['said'] {
    if (this.#engine.settings().language !== 'de') return inEnglish;
    if (this.#german === null)
      void import('./german.ts').then(({ germanVoice }) => {
        this.#german = germanVoice.said;
      });
    return this.#german ?? inEnglish;
  }

  #try(what: string, write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#engine.log.warn(`${what} can not be written`, { problem: messageOf(error) });
    }
  }
}
