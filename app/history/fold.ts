import type { Freed, Incident, IncidentEvent, Intent } from './incident.ts';

type Ending = Extract<IncidentEvent, { kind: 'ended' }>;

/** Nothing was freed, or nothing is confirmed yet. */
const nothingFreed: Freed = { processes: 0, rssBytes: 0, cameAndWent: 0, ports: [], locks: [] };

/**
 * Chooses among several outcomes. There can be two if a supervisor closed the record of a reaping
 * that seemed interrupted while another Curfew process still worked on it: the latter's outcome is
 * the truth.
 */
const endingOf = (events: readonly IncidentEvent[]): Ending | null => {
  let chosen: Ending | null = null;
  for (const event of events) {
    if (event.kind === 'ended' && (event.outcome !== 'interrupted' || chosen === null)) chosen = event;
  }
  return chosen;
};

/**
 * Folds journal events into an incident. Pure and total: events may be missing (no outcome: `null`)
 * or follow an outcome, and none is dropped.
 */
export const foldIncident = (intent: Intent, events: readonly IncidentEvent[]): Incident => {
  const ending = endingOf(events);
  return {
    ...intent,
    events,
    signals: events.flatMap((event) => (event.kind === 'signal' ? [event.signal] : [])),
    outcome: ending?.outcome ?? null,
    survivors: ending?.survivors ?? [],
    freed: ending?.freed ?? nothingFreed,
    outputTail: ending?.outputTail ?? null,
    // The wall clock may have been set back meanwhile.
    tookMs: ending === null ? null : Math.max(0, ending.atMs - intent.atMs),
  };
};

/**
 * Completes an incident whose Curfew died. Counts as freed only what the record confirms as dead;
 * ports and locks are not recorded, so none are claimed.
 * @param incident an incident without an outcome
 * @param atMs wall clock now, milliseconds
 */
export const interruption = (incident: Incident, atMs: number): Ending => {
  const dead = new Set(incident.events.flatMap((event) => (event.kind === 'died' ? event.pids : [])));
  const known = incident.processes.filter((process) => dead.has(process.pid));
  return {
    kind: 'ended',
    atMs,
    outcome: 'interrupted',
    // Whether the others are alive was not checked, so they are not named as survivors either.
    survivors: [],
    freed: {
      processes: dead.size,
      rssBytes: known.reduce((sum, process) => sum + process.rssBytes, 0),
      cameAndWent: 0,
      ports: [],
      locks: [],
    },
    outputTail: null,
  };
};
