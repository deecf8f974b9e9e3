import { noted } from '../../app/text/noted.ts';
import { joined, say } from '../../app/text/say.ts';
import { interruption } from '../../app/history/fold.ts';
import type { Incident, IncidentEvent } from '../../app/history/incident.ts';
import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import { asPid } from '../../app/process/identity.ts';
import { isSameLivingProcess, mayStillLive } from '../../app/process/row.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { localHost } from '../../app/remote/host-list.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { Journal } from './journal.ts';

/**
 * Whether a process of this boot runs at this moment, read past every look: a Curfew that began
 * after a look was made is not in its table. With the table asked, a pass whose probe of the record
 * had waited for others took the reaping of such a one for abandoned, and its job for free.
 */
export const isRunningNow =
  (source: Pick<ProcessSource, 'read'>) =>
  (mark: ProcessRef): boolean =>
    mayStillLive(source.read(asPid(mark.pid)), mark);

/** After this time in ms no reaping goes on any more, whatever it waited for. */
const maxReapingMs = 3_600_000;

/**
 * How to complete the record of a reaping whose Curfew ended in the middle: truthfully. Nothing is
 * signalled for it; what is left of the job is found, judged and sighted twice like any other. null
 * while the Curfew that writes it still runs, or may: that of another boot id may be one of a
 * container, or of another machine with the same home folder and name.
 *
 * Processes that are gone now are not counted as freed: what ended them was not seen.
 */
const completionOf = (
  incident: Incident,
  { table, isRunning }: Pick<RecoveryPlace, 'isRunning'> & { readonly table: ProcessTable },
  nowMs: number,
): readonly IncidentEvent[] | null => {
  if (incident.host !== localHost && isRunning(incident.writer)) return null;
  if (incident.bootId !== table.bootId) {
    if (Math.abs(nowMs - incident.atMs) < maxReapingMs) return null;
    return [
      noted(nowMs, say('The machine was started anew before this reaping was complete.')),
      interruption(incident, nowMs),
    ];
  }
  if (isRunning(incident.writer)) return null;
  const left = incident.processes.filter((process) => isSameLivingProcess(table.rows.get(asPid(process.pid)), process));
  const cause =
    incident.host === localHost
      ? say('Curfew itself ended before this reaping was complete.')
      : say('Curfew lost the connection, or itself ended, before this reaping was complete.');
  const what =
    left.length === 0
      ? say('None of its processes runs any more.')
      : say('Still running: {pids}.', { pids: left.map((process) => process.pid).join(', ') });
  // A signal is recorded after it was sent: a Curfew that died in between has left the one, not the
  // other.
  const text = joined(cause, what, say('What it signalled last may be missing here.'));
  return [noted(nowMs, text), { ...interruption(incident, nowMs), survivors: left }];
};

/** Whose records are completed. */
export interface RecoveryPlace {
  /** `local`, or the name of another machine, whose process table is given then. */
  readonly host: string;
  /** Whether a Curfew of this machine and boot still runs. */
  readonly isRunning: (writer: ProcessRef) => boolean;
}

/** Completes a machine's records left open by a Curfew that ended. Throws as the journal does. */
export const completeInterrupted = (
  unfinished: Iterable<Incident>,
  table: ProcessTable,
  journal: Journal,
  nowMs: number,
  place: RecoveryPlace,
): void => {
  for (const incident of unfinished) {
    if (incident.host !== place.host) continue;
    const events = completionOf(incident, { table, isRunning: place.isRunning }, nowMs);
    if (events === null) continue;
    journal.together(() => {
      for (const event of events) journal.append(incident.id, event);
    });
  }
};

export interface OwnRecords {
  readonly history: { readonly unfinished: () => Iterable<Incident> };
  readonly journal: Journal;
  readonly source: Pick<ProcessSource, 'read'>;
}

/**
 * Completes the records of this machine that a killed Curfew left open. Every command that reaps
 * or shows jobs calls it, because a supervisor may never run here.
 * @throws what the journal throws
 */
export const completeHere = ({ history, journal, source }: OwnRecords, table: ProcessTable): void =>
  completeInterrupted(history.unfinished(), table, journal, Date.now(), {
    host: localHost,
    isRunning: isRunningNow(source),
  });
