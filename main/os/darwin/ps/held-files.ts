import { execFile } from 'node:child_process';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { lsofArguments, lsofFactsIn, type LsofFacts } from './lsof.ts';
import { queryOptions } from './ps.ts';
import { noWindow } from '../../programs/child-window.ts';

/** Runs lsof and gives its output; null where it fails or takes too long. */
export type AskLsof = (args: readonly string[]) => Promise<string | null>;

const askLsof: AskLsof = (args) =>
  new Promise((resolve) => {
    const child = execFile('lsof', [...args], { ...queryOptions, encoding: 'utf8', ...noWindow }, (error, stdout) => {
      // It exits with 1 when one of the processes is gone, which is an answer too.
      resolve(error === null || (typeof error.code === 'number' && error.code === 1) ? stdout : null);
    });
    child.unref();
  });

/** lsof takes seconds on a busy Mac, so it is run at most this often, ms. */
const everyMs = 60_000;
/** Of more processes than this it is not asked at once. */
const maxAsked = 512;

const keyOf = ({ pid, startTicks }: Pick<ProcessRow, 'pid' | 'startTicks'>): string => `${pid} ${startTicks}`;

/**
 * What processes hold, as lsof tells it beside the looks: one call at a time, at most one a minute,
 * for all processes that were asked about. No look waits for it; until it has answered, nothing is
 * known.
 */
export class HeldFiles {
  readonly #ask: AskLsof;
  readonly #now: () => number;
  #wanted: ReadonlyMap<string, number> = new Map();
  #known: ReadonlyMap<string, LsofFacts> = new Map();
  #running = false;
  #askedMs = -Infinity;

  /** @param now a clock that is never set, ms */
  constructor(ask: AskLsof = askLsof, now: () => number = () => performance.now()) {
    this.#ask = ask;
    this.#now = now;
  }

  /** Returns what is known of a process, or null; the next call of lsof asks about it. */
  of(row: Pick<ProcessRow, 'pid' | 'startTicks'>): LsofFacts | null {
    if (this.#wanted.size < maxAsked) this.#wanted = new Map(this.#wanted).set(keyOf(row), row.pid);
    return this.#known.get(keyOf(row)) ?? null;
  }

  /** A look begins: lsof is run where it is due. `rows`: the processes of the look before. */
  begin(rows: ReadonlyMap<unknown, ProcessRow>): void {
    const living = new Set([...rows.values()].map(keyOf));
    const asked = [...this.#wanted].filter(([key]) => living.has(key));
    if (asked.length === 0 || this.#running || this.#now() - this.#askedMs < everyMs) return;
    this.#running = true;
    this.#askedMs = this.#now();
    this.#wanted = new Map();
    void this.#ask(lsofArguments(asked.map(([, pid]) => pid))).then((output) => {
      const held = output === null ? null : lsofFactsIn(output);
      this.#known = new Map(
        asked.flatMap(([key, pid]) => {
          const facts = held?.get(pid);
          return facts === undefined ? [] : [[key, facts] as const];
        }),
      );
      this.#running = false;
    });
  }
}
