import { observeAwake, type AwakeStretch } from '../../app/process/awake.ts';
import type { BootId } from '../../app/process/identity.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import type { LedgerMemory } from './observer-tools.ts';

export class AwakeMemory {
  readonly #stored: LedgerMemory['awake'];
  #latest: {
    readonly bootId: BootId;
    readonly stretches: readonly AwakeStretch[];
    readonly atMs: number;
  } | null = null;

  /** @param stored what other runs of Curfew know of it; undefined: they keep nothing */
  constructor(stored: LedgerMemory['awake']) {
    this.#stored = stored;
  }

  /** Returns a table with what is known, to which it adds, and remembers that. */
  added(table: ProcessTable): ProcessTable {
    const atMs = performance.now();
    const latest = this.#latest?.bootId === table.bootId ? this.#latest : null;
    const known = this.#stored?.load(table.bootId) ?? latest?.stretches ?? [];
    const stretches = observeAwake(known, {
      ...table,
      ...(latest === null ? {} : { seenSeconds: (atMs - latest.atMs) / 1000 }),
    });
    this.#latest = { bootId: table.bootId, stretches, atMs };
    this.#stored?.save(table.bootId, stretches);
    return { ...table, awake: stretches };
  }
}
