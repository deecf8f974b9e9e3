import type { IncidentEvent, Intent } from '../../app/history/incident.ts';

/**
 * The record that is written before anything is done. Both calls return only when the line is on disk, and throw when it can't be:
 * then nothing is signalled.
 */
export interface Journal {
  begin(intent: Intent): void;
  append(incidentId: string, event: IncidentEvent): void;
  /** Several records in one durable write. */
  together(write: () => void): void;
}
