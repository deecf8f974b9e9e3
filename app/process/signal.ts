/** The signals sent: four to begin with, CONT so that stopped processes hear it, KILL last. */
export const signalNames = ['TERM', 'INT', 'HUP', 'QUIT', 'CONT', 'KILL'] as const;

export type SignalName = (typeof signalNames)[number];

/** The signals a reaping may begin with. */
export const firstSignalNames = ['TERM', 'INT', 'HUP', 'QUIT'] as const;

export type FirstSignalName = (typeof firstSignalNames)[number];
