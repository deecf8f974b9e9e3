import { join } from 'node:path';
import { z } from 'zod';
import { once } from '../../app/format/once.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { readJsonFile } from './files/json-file.ts';
import { writeWholeFile } from './files/whole-file.ts';
import type { Places } from './places.ts';

/** How far the wall clock was ahead of that of start times, from a moment on. */
interface Setting {
  readonly fromTicks: number;
  readonly aheadMs: number;
}

/** What rounding and a busy machine make of it, ms. */
const toleranceMs = 1_000;
/** Settings that are told apart; of older ones the one that was least ahead stands for all. */
const maxSettings = 64;

/** Boots that are kept: machines and containers may share the home. */
const maxBoots = 16;

const keptSchema = once(() =>
  z.array(
    z.object({
      boot: z.string(),
      settings: z.array(z.object({ fromTicks: z.number(), aheadMs: z.number() })).max(maxSettings),
    }),
  ),
);

type Moment = Pick<ProcessTable, 'bootId' | 'takenAtMs' | 'nowTicks' | 'ticksPerSecond'>;

/**
 * Tells when processes began by the clock that the times of files are of. That clock is put forward
 * where a virtual machine goes on after a pause: by the clock of today, what was changed since a
 * process began would then be older than that process. So each setting that a look of this boot saw
 * is kept, in a file of the home.
 */
export class FileClock {
  readonly #path: string | null;
  #boot: string | null = null;
  #ticksPerSecond = 100;
  #settings: readonly Setting[] = [];

  /** @param places null: it forgets with this object */
  constructor(places: Pick<Places, 'state'> | null) {
    this.#path = places === null ? null : join(places.state, 'clock.json');
  }

  /** Notes how the clock is set at a look. Never throws. */
  note({ bootId, takenAtMs, nowTicks, ticksPerSecond }: Moment): void {
    if (this.#boot !== bootId) this.#settings = this.#kept().find(({ boot }) => boot === bootId)?.settings ?? [];
    this.#boot = bootId;
    this.#ticksPerSecond = ticksPerSecond;
    const aheadMs = takenAtMs - (nowTicks * 1_000) / ticksPerSecond;
    const last = this.#settings.at(-1);
    if (last !== undefined && Math.abs(aheadMs - last.aheadMs) <= toleranceMs) return;
    const [first, second, ...rest] = [...this.#settings, { fromTicks: nowTicks, aheadMs }];
    this.#settings =
      rest.length + 2 <= maxSettings || first === undefined || second === undefined
        ? [...this.#settings, { fromTicks: nowTicks, aheadMs }]
        : [{ fromTicks: first.fromTicks, aheadMs: Math.min(first.aheadMs, second.aheadMs) }, ...rest];
    if (this.#path === null) return;
    try {
      const others = this.#kept().filter(({ boot }) => boot !== bootId);
      const all = [...others.slice(1 - maxBoots), { boot: bootId, settings: this.#settings }];
      writeWholeFile(this.#path, `${JSON.stringify(all)}\n`);
    } catch {
      // The next process knows of those that it sees itself.
    }
  }

  /** The earliest begin of a process, by any clock setting since; null before the first look. */
  startedMs(startTicks: number): number | null {
    // One ends when a look saw the next.
    const since = this.#settings.filter((_, at) => (this.#settings[at + 1]?.fromTicks ?? Infinity) >= startTicks);
    const ahead = since.map(({ aheadMs }) => aheadMs);
    return ahead.length === 0 ? null : Math.min(...ahead) + (startTicks * 1_000) / this.#ticksPerSecond;
  }

  /**
   * How far the clock may have been put forward since a file was changed, ms: by that much it seems
   * older than it is.
   */
  putForwardMs(changedMs: number): number {
    const now = this.#settings.at(-1)?.aheadMs ?? 0;
    const since = this.#settings.filter(({ aheadMs }, at) => {
      const endTicks = this.#settings[at + 1]?.fromTicks ?? Infinity;
      return changedMs <= aheadMs + (endTicks * 1_000) / this.#ticksPerSecond;
    });
    return Math.max(0, ...since.map(({ aheadMs }) => now - aheadMs));
  }

  #kept(): z.infer<ReturnType<typeof keptSchema>> {
    const file = this.#path === null ? null : readJsonFile(this.#path);
    return (file?.kind === 'value' ? keptSchema().safeParse(file.value).data : undefined) ?? [];
  }
}
