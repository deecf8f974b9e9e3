/** Rules of the guard, in the order of display and evaluation. */
export const guardRuleIds = [
  'unjoinedLines',
  'noTimeout',
  'neverEnds',
  'swallowedCommand',
  'waitsOnInput',
  'waitsForItself',
  'killsAgent',
  'sudoInBackground',
] as const;

/** The name of a rule, which is also that of its setting. */
export type GuardRuleId = (typeof guardRuleIds)[number];

/** Modes of a rule: off, warn the agent, refuse the command. */
export const guardModes = ['off', 'warn', 'deny'] as const;

/** Modes of a rule that a time limit satisfies: also insert `timeout N`. */
export const boundingModes = ['off', 'warn', 'deny', 'rewrite'] as const;

export type GuardMode = (typeof guardModes)[number];

export type BoundingMode = (typeof boundingModes)[number];

export interface GuardSettings {
  /** Off until the user switches it on. */
  readonly enabled: boolean;
  /** The N of `timeout N`, seconds. */
  readonly timeoutSeconds: number;
  readonly unjoinedLines: GuardMode;
  readonly noTimeout: BoundingMode;
  readonly neverEnds: BoundingMode;
  readonly swallowedCommand: GuardMode;
  readonly waitsOnInput: GuardMode;
  readonly waitsForItself: GuardMode;
  readonly killsAgent: GuardMode;
  readonly sudoInBackground: GuardMode;
}

/** Range of N in `timeout N`, seconds. */
export const guardTimeoutRange = { least: 1, most: 86_400 } as const;

/** Defaults: off; once it is on, every rule warns the agent and refuses nothing. */
export const defaultGuard: GuardSettings = {
  enabled: false,
  timeoutSeconds: 1800,
  unjoinedLines: 'warn',
  noTimeout: 'warn',
  neverEnds: 'warn',
  swallowedCommand: 'warn',
  waitsOnInput: 'warn',
  waitsForItself: 'warn',
  killsAgent: 'warn',
  sudoInBackground: 'warn',
};

/** Modes that a rule can have. */
export const modesOf = (rule: GuardRuleId): readonly BoundingMode[] =>
  rule === 'noTimeout' || rule === 'neverEnds' ? boundingModes : guardModes;
