import type { IncidentEvent, Intent } from '../../app/history/incident.ts';

/**
 * The record that is written before anything is done. Both calls return only when the line is on
 * disk, and throw when it can't be: then nothing is signalled.
 */
export interface Journal {
  /**
   * `admit` is asked with the intents of all incidents that are not complete, of other Curfews too,
   * while no other process can write; what it throws comes through, and nothing is written then.
   */
  begin(intent: Intent, admit?: (open: readonly Intent[]) => void): void;
  append(incidentId: string, event: IncidentEvent): void;
  /** Several records in one durable write. */
  together(write: () => void): void;
}
