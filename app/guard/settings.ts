/** The rules of the guard, in the order in which they are shown and asked. */
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

/** What a rule may do: nothing, tell the agent, keep it from running the command. */
export const guardModes = ['off', 'warn', 'deny'] as const;

/** What a rule may do that a time limit helps: also put `timeout N` in front. */
export const boundingModes = ['off', 'warn', 'deny', 'rewrite'] as const;

/** See `guardModes`. */
export type GuardMode = (typeof guardModes)[number];

/** See `boundingModes`. */
export type BoundingMode = (typeof boundingModes)[number];

/** What the person wants of the guard. */
export interface GuardSettings {
  /** Off until somebody switches it on. */
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

/** What a `timeout N` may be, seconds. */
export const guardTimeoutRange = { least: 1, most: 86_400 } as const;

/** Off as a whole; once it is on, every rule tells the agent and keeps it from nothing. */
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

/** What a rule may do. */
export const modesOf = (rule: GuardRuleId): readonly BoundingMode[] =>
  rule === 'noTimeout' || rule === 'neverEnds' ? boundingModes : guardModes;
