import { terminalDevice } from './evidence.ts';
import { isAdopter } from '../../app/jobs/lineage/adopter.ts';
import type { StandardEnd } from '../../app/model/reach.ts';
import { type Pid, asPid } from '../../app/process/identity.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { parentsOf } from '../../app/process/tree.ts';
import { multiplexerName } from '../../app/programs/multiplexer.ts';
import { programOf } from '../../app/programs/program.ts';
import type { EndsProbing } from '../os/processes/probing.ts';
import type { ProcessSource } from '../os/processes/source.ts';

/** Holders of an end are searched again after this time, milliseconds. */
const holdersEveryMs = 120_000;

const keyOf = (end: StandardEnd): string =>
  end.kind === 'channel' ? `${end.target}:${end.side}` : end.kind === 'terminal' ? `terminal:${end.number}` : end.kind;

/** Finds what holds the other ends of agents' input and output. */
export class AgentHolders {
  readonly #ends: EndsProbing;
  readonly #source: Pick<ProcessSource, 'facts' | 'sockets'>;
  readonly #known = new Map<string, { readonly atMs: number; readonly pids: readonly Pid[] | null }>();

  constructor(ends: EndsProbing, source: Pick<ProcessSource, 'facts' | 'sockets'>) {
    this.#ends = ends;
    this.#source = source;
  }

  /** Forgets what was found, before a signal depends on it. */
  forget(): void {
    this.#known.clear();
  }

  /**
   * Returns the holders, those among its ancestors where there are some; null where none is seen
   * and not all processes that matter could be looked into.
   * @throws ProcessTableUnreadable
   */
  of(table: ProcessTable, row: ProcessRow, end: StandardEnd): readonly Pid[] | null {
    const key = `${row.pid} ${row.startTicks} ${keyOf(end)}`;
    const nowMs = performance.now();
    const known = this.#known.get(key);
    if (known !== undefined && nowMs - known.atMs < holdersEveryMs) return known.pids;
    for (const [one, { atMs }] of this.#known) if (nowMs - atMs >= holdersEveryMs) this.#known.delete(one);
    const pids = this.#search(table, row, end);
    this.#known.set(key, { atMs: nowMs, pids });
    return pids;
  }

  /**
   * False only for a multiplexer of which everything could be seen, and that neither has a user's
   * terminal open nor a connection: an attached client hands its terminal over, or stays connected.
   * @throws ProcessTableUnreadable
   */
  hasClient(multiplexer: ProcessRow): boolean {
    const files = this.#source.facts([multiplexer]).get(multiplexer.pid)?.openFiles ?? null;
    const sockets = this.#source.sockets;
    if (files === null || sockets === undefined) return true;
    if (files.some(({ target }) => terminalDevice.test(target))) return true;
    const asked = [{ pid: multiplexer.pid, files, ports: new Set<number>() }];
    return sockets.possibleClients(asked).flat().length > 0;
  }

  #search(table: ProcessTable, row: ProcessRow, end: StandardEnd): readonly Pid[] | null {
    const ancestors = parentsOf(row, table.rows).filter((one) => !isAdopter(one));
    const near = this.#holders(end, ancestors);
    const isKept = ancestors.some((one) => near.pids.includes(one.pid) && multiplexerName(programOf(one)) !== null);
    if (near.pids.length > 0 && !isKept) return near.pids.map(asPid);
    // An ancestor that can't be looked into (sshd's) may be the client.
    if (!near.complete || !table.complete) return null;
    const rest = [...table.rows.values()].filter((one) => !one.kernelThread && one.pid !== row.pid);
    const all = this.#holders(end, rest);
    // Some programs let no process look into them (ssh-agent); that they hold it too is of no
    // account where another one does.
    return all.complete || all.pids.length > 0 ? all.pids.map(asPid) : null;
  }

  #holders(end: StandardEnd, rows: readonly ProcessRow[]): ReturnType<EndsProbing['holders']> {
    return this.#ends.holders(
      end,
      rows.map(({ pid }) => pid),
    );
  }
}
