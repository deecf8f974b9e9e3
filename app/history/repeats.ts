/** Incidents among which repeats are counted, the newest: what counting costs stays bounded. */
export const maxRepeatIncidents = 20_000;
