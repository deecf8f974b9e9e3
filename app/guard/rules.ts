import type { Rule } from './script/guard-call.ts';
import type { GuardRuleId } from './settings.ts';
import { killsAgent } from './rules/kills-agent.ts';
import { neverEnds } from './rules/never-ends.ts';
import { noTimeout } from './rules/no-timeout.ts';
import { sudoInBackground } from './rules/sudo-in-background.ts';
import { swallowedCommand } from './rules/swallowed-command.ts';
import { unjoinedLines } from './rules/unjoined-lines.ts';
import { waitsForItself } from './rules/waits-for-itself.ts';
import { waitsOnInput } from './rules/waits-on-input.ts';

/** All rules of the guard, by the name of their setting. */
export const rules: Readonly<Record<GuardRuleId, Rule>> = {
  unjoinedLines,
  noTimeout,
  neverEnds,
  swallowedCommand,
  waitsOnInput,
  waitsForItself,
  killsAgent,
  sudoInBackground,
};
