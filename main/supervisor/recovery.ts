import { interruption } from '../../app/history/fold.ts';
import type { Incident, IncidentEvent } from '../../app/history/incident.ts';
import { asPid } from '../../app/process/identity.ts';
import { hasEnded } from '../../app/process/row.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import type { Journal } from './journal.ts';

/** Is that process of this boot still there? The start time makes sure that it is the same one. */
export const isAlive = (table: ProcessTable, mark: { readonly pid: number; readonly startTicks: number }): boolean => {
  const row = table.rows.get(asPid(mark.pid));
  return row !== undefined && row.startTicks === mark.startTicks && !hasEnded(row);
};

/**
 * How to complete the record of a reaping whose Curfew ended in the middle: truthfully. Nothing is signalled for it; what is left of
 * the job is found, judged and sighted twice like any other. null while the Curfew that writes it still runs.
 *
 * Processes that are gone now are not counted as freed: nobody saw what ended them.
 */
const completionOf = (incident: Incident, table: ProcessTable, nowMs: number): readonly IncidentEvent[] | null => {
  if (incident.bootId !== table.bootId)
    return [
      { kind: 'note', atMs: nowMs, text: 'The machine was started anew before this reaping was complete.' },
      interruption(incident, nowMs),
    ];
  if (isAlive(table, incident.writer)) return null;
  const left = incident.processes.filter((process) => isAlive(table, process));
  const text =
    left.length === 0
      ? 'Curfew itself ended before this reaping was complete. None of these processes runs any more.'
      : `Curfew itself ended before this reaping was complete. Still running: ${left.map((process) => process.pid).join(', ')}.`;
  return [
    { kind: 'note', atMs: nowMs, text },
    { ...interruption(incident, nowMs), survivors: left },
  ];
};

/** Completes every record that a Curfew which has ended left open. Throws what the journal throws. */
export const completeInterrupted = (
  unfinished: Iterable<Incident>,
  table: ProcessTable,
  journal: Journal,
  nowMs: number,
): void => {
  for (const incident of unfinished) {
    const events = completionOf(incident, table, nowMs);
    if (events === null) continue;
    journal.together(() => {
      for (const event of events) journal.append(incident.id, event);
    });
  }
};
