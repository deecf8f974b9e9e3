const prefix = 'launchd coalition ';

/** Returns how the ledger names a coalition of launchd as the service of an agent. */
export const coalitionName = (coalition: number): string => `${prefix}${coalition}`;

/** True for such a name; services of systemd are paths. */
export const isCoalitionName = (service: string): boolean => service.startsWith(prefix);
