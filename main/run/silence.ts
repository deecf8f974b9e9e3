import { observeActivity, silentSecondsOf } from '../../app/jobs/measure/activity.ts';
import type { Member } from '../../app/jobs/model/job.ts';
import type { Activity } from '../../app/jobs/ledger/ledger.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { RunMembers } from './members/view.ts';

/**
 * Watches whether a run works, with the judge's measures: CPU time, I/O, sockets, output, members,
 * ports.
 */
export class SilenceWatch {
  readonly #source: ProcessSource;
  readonly #outputBytes: () => number | null;
  #activity: Activity | null = null;

  constructor(source: ProcessSource, outputBytes: () => number | null) {
    this.#source = source;
    this.#outputBytes = outputBytes;
  }

  /** Returns true if nothing has changed over the last scans and no member listens on a port. */
  observe(sight: RunMembers): boolean {
    const rows = [...sight.members.values()].map(({ row }) => row);
    const facts = this.#source.facts(rows);
    const members: readonly Member[] = rows.map((row) => ({ row, by: [] }));
    const files = rows.map(({ pid }) => ({ pid, files: facts.get(pid)?.openFiles ?? null }));
    const [exchange = { kind: 'unknown' as const }] =
      (this.#source.sockets ?? this.#source.probing)?.exchanges([files]) ?? [];
    this.#activity = observeActivity(sight.table, members, facts, this.#outputBytes(), this.#activity, exchange);
    const serves = rows.some((row) => (facts.get(row.pid)?.ports.length ?? 0) > 0);
    return !serves && silentSecondsOf(sight.table, this.#activity) > 0;
  }
}
