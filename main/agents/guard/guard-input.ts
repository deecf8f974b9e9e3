import { objectOf, type GuardForm, type RawArguments } from '../../../app/agents/common/guard-form.ts';
import type { GuardedCommand } from '../../../app/guard/decide.ts';

/** A command that an agent is about to run, with everything else that the agent says of it. */
export interface GuardInput extends GuardedCommand {
  /**
   * The tool's arguments as they came, so that a changed command can go back with all the rest of
   * them.
   */
  readonly given: RawArguments;
}

/**
 * Returns the command in what an agent tells its hook before a tool runs, or null for other tools
 * and for text that isn't understood. Read by hand and not with zod, which would cost as much again
 * as Node's whole start, before every command. Never throws.
 */
export const readGuardInput = ({ shellArguments, isBackground }: GuardForm, text: string): GuardInput | null => {
  const event = objectOf(text);
  const given = event === null ? null : shellArguments(event);
  const command = given?.['command'];
  if (given === null || typeof command !== 'string') return null;
  return { command, background: isBackground(given), given };
};
