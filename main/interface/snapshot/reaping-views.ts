import type { ReapingView } from '../../../app/contract/views/reaping-view.ts';
import { moment } from '../../../app/format/moment.ts';
import { safeName } from '../../../app/format/secrets/safe-view.ts';
import type { Incident, Intent } from '../../../app/history/incident.ts';
import { type Said, withTexts } from '../../../app/format/said.ts';
import { listed, saidOf } from '../../../app/text/say.ts';
import { shortfallOf, targetSaid } from '../../../app/text/outcomes.ts';
import type { ReapingFailure } from '../../reaping/drive.ts';
import type { Reaping } from '../../reaping/reaping.ts';

/** How long in ms a job's card shows how its ending went. */
const shownAfterMs = 20_000;

const common = (intent: Intent) => ({
  id: intent.id,
  job: intent.job,
  host: intent.host,
  command: intent.command,
  agent: intent.agent,
  project: intent.project,
  startedAt: moment(intent.atMs),
  processes: intent.processes.length,
});

const lastSignal = ({ signals }: Incident): ReapingView['signal'] =>
  signals.findLast(({ signal, result }) => signal !== 'CONT' && result === 'sent')?.signal ?? null;

/** Returns its problem for people, or null. */
const problemOf = (incident: Incident): Said | null => {
  const shortfall = shortfallOf(incident);
  if (shortfall !== '') return withTexts(shortfall, safeName);
  const refused = incident.signals.filter(({ result }) => result === 'refused' || result === 'vetoed');
  const notes = new Map(
    refused.flatMap(({ target, note, said }) =>
      note === null ? [] : [[`${target}: ${note}`, listed([targetSaid(target), said ?? note], ': ')] as const],
    ),
  );
  return notes.size === 0 ? null : withTexts(listed([...notes.values()], '; '), safeName);
};

const endedView = (incident: Incident, endedAtMs: number): ReapingView => ({
  ...common(incident),
  phase: 'ended',
  signal: lastSignal(incident),
  graceEndsAt: null,
  left: incident.outcome === 'spared' ? incident.processes.length : incident.survivors.length,
  endedAt: moment(endedAtMs),
  outcome: incident.outcome,
  freed: { ...incident.freed, ports: [...incident.freed.ports], locks: [...incident.freed.locks] },
  problem: problemOf(incident),
});

/** The reapings in progress and the recent ones, as windows show them. */
export class ReapingViews {
  readonly #inProgress: () => readonly Reaping[];
  readonly #changed: () => void;
  /** When each grace is over, by the wall clock at its start: the shown moment must not jitter. */
  readonly #graces = new Map<string, number>();
  readonly #ended = new Map<string, ReapingView>();
  readonly #timers = new Set<NodeJS.Timeout>();

  /**
   * @param inProgress on all machines
   * @param changed called when a view is removed
   */
  constructor(inProgress: () => readonly Reaping[], changed: () => void) {
    this.#inProgress = inProgress;
    this.#changed = changed;
  }

  /** Returns all views, those in progress first. */
  views(): ReapingView[] {
    const active = this.#inProgress().flatMap((reaping) =>
      reaping.intent === null ? [] : [this.#activeView(reaping, reaping.intent)],
    );
    for (const id of this.#graces.keys()) if (!active.some((view) => view.id === id)) this.#graces.delete(id);
    return [...active, ...this.#ended.values()];
  }

  /** A reaping has ended; it stays for a while. */
  ended(incident: Incident): void {
    this.#show(endedView(incident, Date.now()));
  }

  /** A reaping was given up: its record could not be written any more. */
  failed({ error, intent, left }: ReapingFailure): void {
    if (intent === null) return;
    this.#show({
      ...common(intent),
      phase: 'ended',
      signal: null,
      graceEndsAt: null,
      left,
      endedAt: moment(Date.now()),
      outcome: 'interrupted',
      freed: null,
      problem: withTexts(saidOf(error), safeName),
    });
  }

  /** Forgets everything and stops calling back. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#ended.clear();
  }

  #show(view: ReapingView): void {
    this.#ended.set(view.id, view);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#ended.delete(view.id);
      this.#changed();
    }, shownAfterMs);
    timer.unref();
    this.#timers.add(timer);
  }

  #graceEndsAtMs(id: string, leftMs: number): number {
    const known = this.#graces.get(id) ?? Date.now() + leftMs;
    this.#graces.set(id, known);
    return known;
  }

  #activeView(reaping: Reaping, intent: Intent): ReapingView {
    const { state, plan, left } = reaping;
    const inGrace = state.phase === 'asked';
    const graceLeftMs = inGrace ? state.askedAtMs + plan.graceMs - performance.now() : 0;
    return {
      ...common(intent),
      phase: inGrace ? 'asked' : state.phase === 'killing' ? 'killing' : 'confirming',
      signal: inGrace ? plan.signal : state.phase === 'killing' ? 'KILL' : null,
      graceEndsAt: inGrace && plan.graceMs > 0 ? moment(this.#graceEndsAtMs(intent.id, graceLeftMs)) : null,
      left,
      endedAt: null,
      outcome: null,
      freed: null,
      problem: null,
    };
  }
}
