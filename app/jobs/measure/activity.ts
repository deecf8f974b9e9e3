import type { MemberFacts } from '../../process/facts.ts';
import { awakeSeconds, type ProcessTable } from '../../process/table.ts';
import type { Member } from '../../model/job.ts';
import type { Activity } from '../ledger/ledger.ts';

/** Unchanged looks before quiet is silence: one could fall between a slow worker's beats. */
const looksForSilence = 2;

/**
 * What tells of traffic over sockets, which moves no figure of input and output. `nothing`: there
 * is no socket over which anything could come or go. `measured`: the figure stays as it is as long
 * as nothing does. `unknown` is never silence.
 *
 * `everything`: the figure moves with whatever its processes do, input and output included, which
 * then need not be known.
 */
export type Exchange =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'measured'; readonly figure: string; readonly everything?: true }
  | { readonly kind: 'unknown' };

const sumOrNull = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);

const wasQuiet = (exchange: Exchange | undefined, previous: Activity): boolean => {
  if (exchange === undefined || exchange.kind === 'nothing') return true;
  return exchange.kind === 'measured' && previous.exchange === exchange.figure;
};

/**
 * Measures a job now and compares with the look before; without one, everything counts as just
 * changed.
 * @param exchange left out for a job that is too young for its silence to end it
 */
export const observeActivity = (
  table: ProcessTable,
  members: readonly Member[],
  facts: ReadonlyMap<number, MemberFacts>,
  outputBytes: number | null,
  previous: Activity | null,
  exchange?: Exchange,
): Activity => {
  const cpuMs = members.reduce((sum, { row }) => sum + row.cpuMs, 0);
  const ioBytes = sumOrNull(members.map(({ row }) => facts.get(row.pid)?.ioBytes ?? null));
  const membership = members
    .map(({ row }) => `${row.pid}:${row.startTicks}`)
    .toSorted()
    .join(' ');
  const isTold = ioBytes !== null || (exchange?.kind === 'measured' && exchange.everything === true);
  const quiet =
    previous !== null &&
    previous.cpuMs === cpuMs &&
    isTold &&
    previous.ioBytes === ioBytes &&
    previous.outputBytes === outputBytes &&
    previous.membership === membership &&
    wasQuiet(exchange, previous);
  return {
    cpuMs,
    ioBytes,
    outputBytes,
    membership,
    ...(exchange?.kind === 'measured' ? { exchange: exchange.figure } : {}),
    changedAtTicks: quiet ? previous.changedAtTicks : table.nowTicks,
    observedAtTicks: table.nowTicks,
    quietLooks: quiet ? previous.quietLooks + 1 : 0,
  };
};

/** Seconds awake of silence; 0 while it works or was not watched long enough to say. */
export const silentSecondsOf = (table: ProcessTable, activity: Activity): number =>
  activity.quietLooks >= looksForSilence ? awakeSeconds(table, activity.changedAtTicks) : 0;

/** Share of one core since the look before, in percent; 0 where there was none. */
export const cpuPercentOf = (table: ProcessTable, now: Activity, previous: Activity | null): number => {
  if (previous === null) return 0;
  const elapsedMs = ((now.observedAtTicks - previous.observedAtTicks) / table.ticksPerSecond) * 1000;
  if (elapsedMs <= 0 || now.cpuMs <= previous.cpuMs) return 0;
  return Math.round(((now.cpuMs - previous.cpuMs) / elapsedMs) * 1000) / 10;
};
