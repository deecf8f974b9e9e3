import type { Found } from '../../../app/format/secrets/safe-text.ts';
import { safeView } from '../../../app/format/secrets/safe-view.ts';
import type { Said } from '../../../app/format/said.ts';
import { joined, listed, saidOf, say } from '../../../app/text/say.ts';
import { sayUnprovedOf } from '../../../app/text/reader-check.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import type { PileUp } from '../../../app/diagnose/whole-machine.ts';
import { sayPileUp } from '../../../app/text/pile-ups.ts';
import { moment } from '../../../app/format/moment.ts';
import { JournalUnwritable } from '../../store/database/store-failure.ts';
import { formatMoment } from '../../../app/format/age.ts';
import { visibleText } from '../../../app/format/visible.ts';
import type { HostState } from '../../remote/watch/host-events.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Look } from '../../observing/look.ts';
import { otherReapers } from '../../home/other-reapers.ts';
import { wholeMachineProblems } from '../../observing/whole-machine.ts';

type Health = Snapshot['health'];
type Problem = Found<Health['problems'][number]>;

/** Interval in ms of expensive checks (a durable write, folders of other programs). */
const askedAgainMs = 60_000;

const problem = (code: string, severity: Problem['severity'], text: Said, advice: Said | null = null): Problem => ({
  code,
  severity,
  text,
  advice,
  figures: {},
});

/** Returns why and since when a machine is unreachable. */
const hostProblem = ({ host, trouble }: HostState): Problem | null => {
  if (trouble === null) return null;
  const { failure, sinceMs } = trouble;
  const since = formatMoment(sinceMs, Date.now());
  return {
    ...problem(
      'host-out-of-reach',
      'warning',
      say('{host} is not watched since {since}: {why}.', { host: visibleText(host), since, why: failure.said }),
    ),
    figures: { host, code: failure.problem.code, sinceMs },
  };
};

/** A cached answer. */
class Remembered<Value> {
  readonly #ask: () => Value;
  #known: { readonly value: Value; readonly atMs: number } | null = null;

  constructor(ask: () => Value) {
    this.#ask = ask;
  }

  /** @param lasts returns whether the cached answer may be used again */
  get(lasts: (value: Value) => boolean): Value {
    const now = performance.now();
    const known = this.#known;
    if (known !== null && now - known.atMs < askedAgainMs && lasts(known.value)) return known.value;
    const value = this.#ask();
    this.#known = { value, atMs: now };
    return value;
  }

  forget(): void {
    this.#known = null;
  }
}

/** The health of the watch. Computed only while a window shows it. */
export class HealthCheck {
  readonly #engine: Engine;
  readonly #hosts: () => readonly HostState[];
  readonly #journal: Remembered<JournalUnwritable | null>;
  readonly #reapers: Remembered<readonly Said[]>;
  readonly #pileUps: Remembered<readonly PileUp[]>;
  #look: Look | null = null;
  #failed: unknown = null;

  /** @param hosts returns the state of other machines */
  constructor(engine: Engine, hosts: () => readonly HostState[]) {
    this.#engine = engine;
    this.#hosts = hosts;
    this.#journal = new Remembered(() => engine.journal.problem());
    this.#pileUps = new Remembered(() => (this.#look === null ? [] : wholeMachineProblems(this.#look)));
    this.#reapers = new Remembered(() => otherReapers(this.#look?.table.rows.values() ?? [], engine.home));
  }

  /** A scan succeeded, so an earlier failure is over. */
  looked(look: Look): void {
    this.#look = look;
    this.#failed = null;
  }

  failed(error: unknown): void {
    this.#journal.forget();
    if (!(error instanceof JournalUnwritable)) this.#failed = error;
  }

  now(): Health {
    const journal = this.#journal.get((known) => known === null);
    const { table, tookMs } = this.#look ?? { table: null, tookMs: null };
    return safeView<Health>({
      lastLookAt: table === null ? null : moment(table.takenAtMs),
      tookMs: tookMs === null ? null : Math.round(tookMs * 100) / 100,
      processes: table?.rows.size ?? 0,
      journalWritable: journal === null,
      problems: this.#problems(journal),
    });
  }

  #problems(journal: JournalUnwritable | null): Problem[] {
    const { settingsFile, trust } = this.#engine;
    const { notices, forcesObserve } = settingsFile.load();
    const reapers = this.#reapers.get(() => this.#look !== null);
    const complete = this.#look?.table.complete ?? true;
    const unproved = sayUnprovedOf(trust);
    return [
      ...(this.#failed === null ? [] : [problem('look', 'failure', saidOf(this.#failed))]),
      ...(journal === null ? [] : [problem('journal', 'failure', saidOf(journal))]),
      ...(unproved === null ? [] : [problem('reader-unproved', 'failure', unproved)]),
      ...(notices.length === 0
        ? []
        : [problem('settings', forcesObserve ? 'failure' : 'warning', joined(...notices.map(({ said }) => said)))]),
      ...(complete
        ? []
        : [
            problem(
              'table-incomplete',
              'warning',
              say('The machine hides a part of its processes, so a session that isn’t seen counts as unknown.'),
            ),
          ]),
      ...this.#hosts().flatMap((state) => hostProblem(state) ?? []),
      ...(reapers.length === 0
        ? []
        : [
            problem(
              'other-reapers',
              'warning',
              say('Another program ends processes here too: {programs}.', { programs: listed(reapers, '; ') }),
              say('What it ends is not in Curfew’s record. Switch one of the two off.'),
            ),
          ]),
      ...this.#pileUps
        .get(() => this.#look !== null)
        .map((one) => {
          const { text, advice } = sayPileUp(one);
          return problem(one.code, 'warning', text, advice);
        }),
    ];
  }
}
