/**
 * The signals that Curfew sends: the four that the user may choose to begin with, CONT so that
 * stopped processes hear it, KILL at the end.
 */
export const signalNames = ['TERM', 'INT', 'HUP', 'QUIT', 'CONT', 'KILL'] as const;

/** A signal by its name without SIG. */
export type SignalName = (typeof signalNames)[number];

/** The signals a reaping may begin with. */
export const firstSignalNames = ['TERM', 'INT', 'HUP', 'QUIT'] as const;

/** A signal that a reaping may begin with. */
export type FirstSignalName = (typeof firstSignalNames)[number];
