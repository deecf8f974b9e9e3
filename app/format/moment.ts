/** Formats a wall clock moment (epoch milliseconds) for the documents: ISO 8601 in UTC. */
export const moment = (atMs: number): string => new Date(atMs).toISOString();

/** Does the same for moments that may be unknown. */
export const momentOrNull = (atMs: number | null): string | null => (atMs === null ? null : moment(atMs));
