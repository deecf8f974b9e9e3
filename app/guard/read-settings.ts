import { type GuardSettings, defaultGuard, guardRuleIds, guardTimeoutRange, modesOf } from './settings.ts';

const own = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

/**
 * Reads the guard's part of the settings file without zod: the guard starts before every command of
 * an agent, and zod alone would double the start time of Node. Agrees with `parseSettings` (a
 * property test compares them): missing values get defaults, invalid ones are off. Never throws.
 */
export const readGuardSettings = (file: unknown): GuardSettings => {
  const block = own(file, 'guard');
  if (block === undefined) return defaultGuard;
  const isBlock = typeof block === 'object' && block !== null && !Array.isArray(block);
  const enabled = own(block, 'enabled');
  const seconds = own(block, 'timeoutSeconds');
  const fits = typeof seconds === 'number' && seconds >= guardTimeoutRange.least && seconds <= guardTimeoutRange.most;
  const modes = guardRuleIds.map((rule) => {
    const mode = own(block, rule);
    if (mode === undefined && isBlock) return [rule, defaultGuard[rule]];
    return [rule, modesOf(rule).find((known) => known === mode) ?? 'off'];
  });
  return {
    ...(Object.fromEntries(modes) as Omit<GuardSettings, 'enabled' | 'timeoutSeconds'>),
    enabled: enabled === true,
    timeoutSeconds: fits ? seconds : defaultGuard.timeoutSeconds,
  };
};
