import type { AwakeStretch } from '../../../app/process/awake.ts';
import type { BootId } from '../../../app/process/identity.ts';
import { numberCell, type Connection } from '../database/sqlite.ts';

/** Ms another boot's facts are kept: a container beside us may share this home folder. */
export const otherBootsMs = 7 * 86_400_000;

/** Returns a stretch from the disk, or the same one as this process has seen it last longer. */
const longer = (stretch: AwakeStretch, own: readonly AwakeStretch[]): AwakeStretch =>
  own.find(({ fromTicks, toTicks }) => fromTicks === stretch.fromTicks && toTicks > stretch.toTicks) ?? stretch;

export class RememberedAwake {
  #stretches: readonly AwakeStretch[] = [];
  /** The latest stretch on disk. */
  #onDisk: AwakeStretch | null = null;

  /** Returns every known stretch, the oldest first. */
  all(): readonly AwakeStretch[] {
    return this.#stretches;
  }

  /** Forgets everything, for another boot. */
  clear(): void {
    this.#stretches = [];
    this.#onDisk = null;
  }

  /** The file is a new one: nothing is on disk. */
  loseDisk(): void {
    this.#onDisk = null;
  }

  takeOver(awake: readonly AwakeStretch[]): void {
    this.#onDisk = awake.at(-1) ?? null;
    // This process may have seen a stretch last longer than the disk knows.
    if (awake.length > 0) this.#stretches = awake.map((one) => longer(one, this.#stretches));
  }

  /** Replaces all stretches by those of a scan. */
  replace(stretches: readonly AwakeStretch[]): void {
    this.#stretches = stretches;
  }

  /** Returns whether a stretch has begun that is not on disk. */
  isNew(): boolean {
    return this.#stretches.at(-1)?.fromTicks !== this.#onDisk?.fromTicks;
  }

  /** Returns whether the latest stretch has lasted longer than the disk knows. */
  hasLasted(): boolean {
    return this.#stretches.at(-1)?.toTicks !== this.#onDisk?.toTicks;
  }

  /** These stretches are on disk. */
  wrote(stretches: readonly AwakeStretch[]): void {
    this.#onDisk = stretches.at(-1) ?? this.#onDisk;
  }
}

/** A stretch's begin by time awake, which only grows; `from_ticks` may follow a set clock. */
const beganAwake = 'from_ticks - suspended_ticks';

/** Returns when the machine was awake in a boot, the oldest stretch first. */
export const readAwake = (connection: Connection, boot: BootId): readonly AwakeStretch[] =>
  connection
    .prepare(`SELECT from_ticks, to_ticks, suspended_ticks FROM awake WHERE boot = ? ORDER BY ${beganAwake}`)
    .all(boot)
    .map((row) => ({
      fromTicks: numberCell(row['from_ticks']),
      toTicks: numberCell(row['to_ticks']),
      suspendedTicks: numberCell(row['suspended_ticks']),
    }));

export const writeAwake = (connection: Connection, boot: BootId, awake: readonly AwakeStretch[], now: number): void => {
  const [first] = awake;
  const last = awake.at(-1);
  if (first === undefined || last === undefined) return;
  const put = connection.prepare(`
INSERT INTO awake (boot, from_ticks, to_ticks, suspended_ticks, written_ms) VALUES (?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET to_ticks = max(to_ticks, excluded.to_ticks), written_ms = excluded.written_ms`);
  for (const one of awake) put.run(boot, one.fromTicks, one.toTicks, one.suspendedTicks, now);
  connection
    .prepare(`DELETE FROM awake WHERE boot = ? AND (${beganAwake} < ? OR ${beganAwake} > ?)`)
    .run(boot, first.fromTicks - first.suspendedTicks, last.fromTicks - last.suspendedTicks);
  connection.prepare('DELETE FROM awake WHERE boot <> ? AND written_ms < ?').run(boot, now - otherBootsMs);
};
